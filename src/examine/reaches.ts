/**
 * Whether a subschema is part of another one, or the target of its references.
 */
import { isSchemaObject, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import { resolveRef } from '../schema/refs.ts';

/** True if `schema` (or a list of schemas) is `wanted`, holds it, or refers to what does. */
export function reaches(
  schema: unknown,
  wanted: unknown,
  set: SchemaSet,
  seen: Set<SchemaObject> = new Set(),
): boolean {
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
