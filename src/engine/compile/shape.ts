/**
 * The types of values as their first byte shows them, which accept has code for, and those that a schema allows.
 */

import { jsonEqual } from '../../json/value.ts';
import type { JsonType } from '../../json/vocabulary.ts';
import { possibleTypes, valueTypes } from '../../schema/facts.ts';
import type { Schema, SchemaNode } from '../../schema/node.ts';

/** All types, the more frequent ones first. */
export const TYPES: readonly JsonType[] = ['string', 'object', 'number', 'boolean', 'array', 'null'];

/** The types in the keyword `type`; all if it is missing. */
export function namedTypes({ type }: SchemaNode): readonly JsonType[] {
  if (type === undefined) return TYPES;
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return TYPES.filter((one) => named.includes(one) || (one === 'number' && named.includes('integer')));
}

/** The types that a value of the schema can have, at most. */
export function typesOf(schema: Schema): readonly JsonType[] {
  const possible = possibleTypes(schema);
  return TYPES.filter((type) => valueTypes(type).some((one) => possible.includes(one)));
}

/** The values that `enum` and `const` allow; null if the schema has neither. */
export function valuesOf(schema: SchemaNode): readonly unknown[] | null {
  const listed = schema.enum ?? null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.some((value) => jsonEqual(value, schema.const)) ? [schema.const] : [];
}
