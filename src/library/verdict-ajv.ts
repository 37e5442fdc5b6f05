/**
 * Ajv for the guards. They check values of any origin, so NaN and Infinity, which JSON cannot contain, are not numbers.
 * This module is used when paylint runs from the source, as in the tests. The build replaces it by generated functions.
 */
import type { Ajv, Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Schema } from '../schema/node.ts';
import type { Kind } from '../schema/set.ts';

/** Members are looked up as own properties only. */
const OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  messages: false,
  validateSchema: false,
  unicodeRegExp: true,
  logger: false,
};

/** `set`: the bundled schemas, which have no formats. */
export function verdictAjv({ documents }: LoadedSchemas, more: Options = {}): Ajv {
  const ajv = new Ajv2020({ ...OPTIONS, ...more });
  for (const { name, schema } of documents) ajv.addSchema({ ...(schema as object), $id: name }); // none is true or false
  return ajv;
}

/** The names of a kind's schema and of its test, for Ajv; null: every value passes the test. */
export function namesOf({ schema, test }: Kind): { readonly validate: string; readonly test: string | null } {
  return { validate: nameOf(schema), test: test === null ? null : nameOf(test) };
}

/** The schemas of the bundled kinds are objects, and so are the tests. */
function nameOf(schema: Schema): string {
  if (typeof schema === 'boolean') throw new Error('a kind needs a schema with keywords');
  return schema.origin.place;
}
