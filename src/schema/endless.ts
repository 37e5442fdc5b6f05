/**
 * Finds a schema that can never be applied, because it refers to itself for the same value: `{"$ref": "#"}`. One that does so
 * for a member or an element is recursive, which is fine.
 */

import { SchemaError } from './error.ts';
import { isSchemaObject, type SchemaObject, type SchemaSet } from './load.ts';
import { resolveRef } from './refs.ts';

/** Keywords whose subschemas are always applied to the value itself. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** Throws SchemaError for a schema of `set` that leads back to itself without going deeper into the payload. */
export function refuseEndless(set: SchemaSet): void {
  const done = new Set<SchemaObject>();
  for (const schema of set.locations.keys()) if (isSchemaObject(schema)) visit(schema, set, new Set(), done);
}

/** `open`: the schemas that led here, all for the same value. */
function visit(schema: SchemaObject, set: SchemaSet, open: Set<SchemaObject>, done: Set<SchemaObject>): void {
  if (open.has(schema)) {
    throw new SchemaError(`${set.locations.get(schema) ?? set.door.name}: refers to itself without end`);
  }
  if (done.has(schema)) return;
  open.add(schema);
  for (const next of appliedInPlace(schema, set)) visit(next, set, open, done);
  open.delete(schema);
  done.add(schema);
}

function appliedInPlace(schema: SchemaObject, set: SchemaSet): SchemaObject[] {
  const next = IN_PLACE.flatMap((keyword) => schema[keyword]);
  if (schema.$ref !== undefined) next.push(resolveRef(set, schema));
  return next.filter(isSchemaObject);
}
