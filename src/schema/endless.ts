/**
 * Finds schemas that can never be applied, because they refer to themselves for the same value: `{"$ref": "#"}`. One that does so for a
 * member or an element is recursive, which is fine. One that only some payloads reach is harmless until a payload reaches it: that payload is
 * `nested-too-deep`.
 */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type Schema, type SchemaObject, type SchemaSet } from './load.ts';
import { resolveRef } from './refs.ts';
import { subschemasOf } from './subschemas.ts';

/** Keywords whose subschemas are always applied to the value itself. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if'];
/** Keywords that hold schemas for others to refer to. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** References that lead to what is known only when a payload is checked. */
const DYNAMIC = ['$dynamicRef', '$recursiveRef'];

/** Schemas that lead to one another for the same value, at most: Ajv compiles each of them inside the one before. */
const MAX_HOPS = 500;

/**
 * Throws SchemaError if every payload of a kind of `set`, or of its test, would lead a schema back to itself without going deeper; or if a schema
 * that may be applied is nothing but a reference to itself.
 */
export function refuseEndless(set: SchemaSet): void {
  const done = new Set<SchemaObject>();
  for (const { schema, test } of set.kinds) {
    const roots = [schema, test?.schema].filter(isSchemaObject);
    for (const root of roots) visit(root, { set, done, isRoot: true }, new Set());
  }
  for (const schema of usedSchemas(set)) {
    refuseLoop(schema, set);
    visit(schema, { set, done, isRoot: false }, new Set());
  }
}

/** Ajv cannot compile references that lead only to one another. */
function refuseLoop(schema: SchemaObject, set: SchemaSet): void {
  const open = new Set<SchemaObject>();
  for (let next: Schema | undefined = schema; isSchemaObject(next); next = resolveRef(set, next)) {
    if (open.has(next)) throw endless(next, set);
    if (open.size > MAX_HOPS) return;
    open.add(next);
  }
}

function endless(schema: SchemaObject, set: SchemaSet): SchemaError {
  return new SchemaError(`${set.locations.get(schema) ?? set.entry.name}: refers to itself without end`);
}

/** All subschemas that a kind of `set`, or its test, may apply to something. */
function usedSchemas(set: SchemaSet): Iterable<SchemaObject> {
  const used = new Set<SchemaObject>();
  const add = (schema: unknown): void => {
    if (isSchemaObject(schema)) used.add(schema);
  };
  for (const { schema, test } of set.kinds) {
    add(schema);
    add(test?.schema);
  }
  for (const schema of used) {
    if (DYNAMIC.some((keyword) => schema[keyword] !== undefined))
      return set.locations.keys() as Iterable<SchemaObject>; // schemas all
    add(schema.$ref === undefined ? undefined : resolveRef(set, schema));
    for (const [[keyword], inner] of subschemasOf(schema)) if (!DEFINITIONS.has(String(keyword))) add(inner);
  }
  return used;
}

interface Walk {
  readonly set: SchemaSet;
  /** Schemas that are known to be fine. */
  readonly done: Set<SchemaObject>;
  /** Every payload leads here. */
  readonly isRoot: boolean;
}

/** `open`: the schemas that led here, all for the same value. */
function visit(schema: SchemaObject, walk: Walk, open: Set<SchemaObject>): void {
  const { set, done, isRoot } = walk;
  const place = set.locations.get(schema) ?? set.entry.name;
  if (open.has(schema)) {
    if (isRoot) throw endless(schema, set);
    return;
  }
  if (done.has(schema)) return;
  if (open.size > MAX_HOPS)
    throw new SchemaError(`${place}: more than ${MAX_HOPS} references follow one another`);
  open.add(schema);
  for (const next of appliedInPlace(schema, set)) visit(next, walk, open);
  open.delete(schema);
  done.add(schema);
}

function appliedInPlace(schema: SchemaObject, set: SchemaSet): SchemaObject[] {
  if (schema.$ref !== undefined && set.dialect === 'draft-07')
    return [resolveRef(set, schema)].filter(isSchemaObject);
  const next = IN_PLACE.flatMap((keyword) => schema[keyword]);
  if (schema.$ref !== undefined) next.push(resolveRef(set, schema));
  return next.filter(isSchemaObject);
}
