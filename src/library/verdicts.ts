/**
 * The tests and the schemas of the bundled kinds as functions, for the guards. The built library replaces this module by straight
 * code with the same exports (`verdictsAsModule`), which reads no file, compiles nothing and needs nothing of Node.
 */
import type { Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { loadSchemas } from '../schema/load.ts';
import type { Schema, SchemaNode } from '../schema/node.ts';

/** Values of any origin may be NaN and Infinity, which JSON cannot contain. Members are own properties only. */
const AJV_OPTIONS: Options = {
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
  /** Whether a value is of this kind, unless the test of an earlier one fits. */
  readonly test: GuardTest;
  readonly validate: GuardTest;
}

/** Of all kinds, in the order in which they are tried. */
export const VERDICTS: readonly KindVerdicts[] = compileVerdicts();

function compileVerdicts(): KindVerdicts[] {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const ajv = new Ajv2020(AJV_OPTIONS);
  // No schema is true or false.
  for (const { name, schema } of set.documents) ajv.addSchema({ ...(schema as object), $id: name });
  const verdict = (schema: Schema): GuardTest => {
    const validate = ajv.getSchema((schema as SchemaNode).origin.place)!; // the bundled schemas have keywords
    return (value) => validate(value) === true;
  };
  return set.kinds.map(({ name, schema, test }) => ({
    name,
    test: test === null ? () => true : verdict(test),
    validate: verdict(schema),
  }));
}
