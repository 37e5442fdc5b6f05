/**
 * Leaves out what went wrong inside the alternatives of `anyOf` and `oneOf`, the names of `propertyNames`, and the `if` that
 * only says that its `then` failed: of each such keyword one error stays, that of the keyword itself.
 *
 * Ajv gives the errors of the alternatives right before the error of the keyword. They are told from earlier errors of the
 * same value by the subschema they come from: it is one that the alternatives reach.
 */

import type { ErrorObject } from '../schema/compile.ts';
import { isSchemaObject } from '../schema/load.ts';

/** The errors of `errors` that stand for themselves, in their order. */
export function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'propertyNames') {
      while (kept.length > 0 && isInside(kept[kept.length - 1]!, error)) kept.pop();
    }
    kept.push(error);
  }
  return kept;
}

/** True for an error that an alternative of `outer`'s keyword gave. */
function isInside(error: ErrorObject, outer: ErrorObject): boolean {
  const below = error.instancePath.startsWith(outer.instancePath);
  if (!below || error.parentSchema === outer.parentSchema) return false;
  if (outer.keyword === 'propertyNames') return error.propertyName !== undefined;
  // Reached directly, the path of the schema says so; through a $ref, Ajv begins the path anew.
  return error.schemaPath.startsWith(outer.schemaPath) || !isSibling(error, outer);
}

/** True where the error comes from a keyword that stands beside `outer`'s, or below one that does. */
function isSibling(error: ErrorObject, outer: ErrorObject): boolean {
  const parent = outer.parentSchema;
  if (parent === undefined) return true;
  const besides = Object.entries(parent).filter(([keyword]) => keyword !== outer.keyword);
  return besides.some(([, value]) => contains(value, error.parentSchema));
}

/** True where `schema` is `wanted` or holds it. Schemas read from files have no cycles. */
function contains(schema: unknown, wanted: unknown): boolean {
  if (schema === wanted) return true;
  if (Array.isArray(schema)) return schema.some((item) => contains(item, wanted));
  return isSchemaObject(schema) && Object.values(schema).some((value) => contains(value, wanted));
}
