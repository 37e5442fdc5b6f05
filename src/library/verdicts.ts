/**
 * The tests and the schemas of the bundled kinds as functions that return true or false, for the guards.
 *
 * The built library replaces this module by one with the same exports (`verdictsAsModule`): straight code,
 * written from the same schemas. That one reads no file, compiles nothing and needs nothing of Node.
 */

import type { Ajv, Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import type { Schema } from '../schema/node.ts';
import type { Kind } from '../schema/set.ts';

/**
 * For Ajv, which judges values of any origin, so NaN and Infinity, which JSON cannot contain, are not numbers.
 * Members are looked up as own properties only.
 */
const OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  messages: false,
  validateSchema: false,
  unicodeRegExp: true,
  logger: false,
};

export type GuardTest = (value: unknown) => boolean;

export interface KindVerdicts {
  readonly name: string;
  /** Whether a value is recognised as this kind, unless an earlier kind's test fits. */
  readonly test: GuardTest;
  /** Whether a value is valid as this kind. */
  readonly validate: GuardTest;
}

/** Of all kinds, in the order in which they are tried. */
export const VERDICTS: readonly KindVerdicts[] = compileVerdicts();

function compileVerdicts(): KindVerdicts[] {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const ajv = verdictAjv(set);
  const verdict = (name: string): GuardTest => {
    const validate = ajv.getSchema(name)!; // a schema of the set
    return (value) => validate(value) === true;
  };
  return set.kinds.map((kind) => {
    const { validate, test } = namesOf(kind);
    return { name: kind.name, test: test === null ? () => true : verdict(test), validate: verdict(validate) };
  });
}

/** `set`: the bundled schemas, which have no formats. */
function verdictAjv({ documents }: LoadedSchemas, more: Options = {}): Ajv {
  const ajv = new Ajv2020({ ...OPTIONS, ...more });
  for (const { name, schema } of documents) ajv.addSchema({ ...(schema as object), $id: name }); // none is true or false
  return ajv;
}

/** The names of a kind's schema and of its test, for Ajv; null: every value passes the test. */
function namesOf({ schema, test }: Kind): { readonly validate: string; readonly test: string | null } {
  return { validate: nameOf(schema), test: test === null ? null : nameOf(test) };
}

/** The schemas of the bundled kinds are objects, and so are the tests. */
function nameOf(schema: Schema): string {
  if (typeof schema === 'boolean') throw new Error('a kind needs a schema with keywords');
  return schema.origin.place;
}
