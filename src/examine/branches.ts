/**
 * Leaves out what went wrong inside the alternatives of `anyOf` and `oneOf`, the items that `contains` tried, the names of
 * `propertyNames`, and the `if` that only says that its `then` failed: of each such keyword one error stays, its own.
 *
 * Ajv gives the errors of the alternatives right before the error of the keyword. They are told from earlier errors of the
 * same value by the subschema they come from: it is one that the alternatives hold or refer to.
 */

import type { ErrorObject } from '../schema/compile.ts';
import { isSchemaObject, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import { resolveRef } from '../schema/refs.ts';

/** Keywords whose subschemas are tried: that one fails is no violation by itself. */
const TRIES = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);

/** The errors of `errors` that stand for themselves, in their order. */
export function withoutBranches(errors: readonly ErrorObject[], set: SchemaSet): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    if (TRIES.has(error.keyword)) {
      while (kept.length > 0 && isInside(kept[kept.length - 1]!, error, set)) kept.pop();
    }
    kept.push(error);
  }
  return kept;
}

/** True for an error that a subschema of `outer`'s keyword gave. */
function isInside(error: ErrorObject, outer: ErrorObject, set: SchemaSet): boolean {
  const below = error.instancePath.startsWith(outer.instancePath);
  if (!below || error.parentSchema === outer.parentSchema) return false;
  if (outer.keyword === 'propertyNames') return error.propertyName !== undefined;
  return reaches(outer.schema, error.parentSchema, set, new Set());
}

/** True where `schema` (or a list of schemas) is `wanted`, holds it, or refers to what does. */
function reaches(schema: unknown, wanted: unknown, set: SchemaSet, seen: Set<SchemaObject>): boolean {
  if (schema === wanted) return true;
  if (Array.isArray(schema)) return schema.some((item) => reaches(item, wanted, set, seen));
  if (!isSchemaObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (Object.values(schema).some((value) => reaches(value, wanted, set, seen))) return true;
  return refersTo(schema, wanted, set, seen);
}

/** An anchor, or a reference that is resolved while validating, may lead anywhere. */
function refersTo(schema: SchemaObject, wanted: unknown, set: SchemaSet, seen: Set<SchemaObject>): boolean {
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) return true;
  if (typeof schema.$ref !== 'string') return false;
  const target = resolveRef(set, schema);
  return target === undefined || reaches(target, wanted, set, seen);
}
