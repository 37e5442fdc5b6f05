/**
 * Whether applying a schema can take more of the stack for deeper payloads.
 */
import { isSchemaObject, type LegacySet, type SchemaObject } from './legacy.ts';
import { resolveRef } from './refs.ts';
import { subschemasOf } from './subschemas.ts';

/** References whose target is not known. */
const DYNAMIC = ['$dynamicRef', '$recursiveRef'];

/** True if a schema of `set` leads back to itself, or compares items of any depth. Also true if that is not known. */
export function isRecursive(set: LegacySet): boolean {
  const done = new Set<SchemaObject>();
  const open = new Set<SchemaObject>();
  const visit = (schema: SchemaObject): boolean => {
    if (open.has(schema)) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const next = nextOf(schema, set);
    const answer = next === null || next.some(visit);
    open.delete(schema);
    done.add(schema);
    return answer;
  };
  const roots = set.kinds.flatMap(({ schema, test }) => [schema, test?.schema]);
  return roots.filter(isSchemaObject).some(visit);
}

/**
 * The schemas that `schema` applies to the value or to what is in it; null if they are not known or if it compares
 * items.
 */
function nextOf(schema: SchemaObject, set: LegacySet): SchemaObject[] | null {
  if (schema.uniqueItems === true || DYNAMIC.some((keyword) => schema[keyword] !== undefined)) return null;
  const next: unknown[] = [];
  if (schema.$ref !== undefined) {
    const target = resolveRef(set, schema);
    if (target === undefined) return null;
    next.push(target);
  }
  for (const [[keyword], inner] of subschemasOf(schema)) {
    if (keyword !== '$defs' && keyword !== 'definitions') next.push(inner);
  }
  return next.filter(isSchemaObject);
}
