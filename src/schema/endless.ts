/**
 * Finds schemas that refer to themselves for the same value, such as `{"$ref": "#"}`: they can never be applied. A
 * schema that refers to itself for a member or an element is recursive, which is allowed. If only some payloads reach
 * such a reference, it is allowed too, and those payloads are `nested-too-deep`. Finds schemas that apply others to the same value more often
 * than any program can, too.
 */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type LegacySet, type Schema, type SchemaObject } from './legacy.ts';
import { resolve, resolveRef } from './refs.ts';
import { subschemasOf } from './subschemas.ts';

/** Keywords whose subschemas are always applied to the value itself. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if'];
/** Keywords that hold schemas for others to refer to. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** References whose target is known only when a payload is checked. */
const DYNAMIC = ['$dynamicRef', '$recursiveRef'];

/** Longest chain of schemas for the same value: Ajv compiles each inside the one before. */
const MAX_HOPS = 500;

/** Most schemas that are applied to one value, each as often as references lead to it. */
const MOST_APPLIED = 1_000_000;

/**
 * Throws SchemaError if every payload of a kind of `set`, or of its test, leads a schema back to itself for the same
 * value; or if a schema that may be applied is nothing but a reference to itself.
 */
export function refuseEndless(set: LegacySet): void {
  const done = new Set<SchemaObject>();
  for (const { schema, test } of set.kinds) {
    const roots = [schema, test?.schema].filter(isSchemaObject);
    for (const root of roots) visit(root, { set, done, isRoot: true }, new Set());
  }
  const counts = new Map<SchemaObject, number>();
  for (const schema of usedSchemas(set)) {
    refuseLoop(schema, set);
    refuseLost(schema, set);
    visit(schema, { set, done, isRoot: false }, new Set());
    if (countApplied(schema, set, counts) > MOST_APPLIED) throw tooMany(schema, set, counts);
  }
}

/** The schemas that `schema` applies to a value, itself included. `counts`: those that are known; 0 for schemas on the way here. */
function countApplied(schema: SchemaObject, set: LegacySet, counts: Map<SchemaObject, number>): number {
  const known = counts.get(schema);
  if (known !== undefined) return known;
  counts.set(schema, 0);
  let count = 1;
  for (const next of appliedInPlace(schema, set)) count += countApplied(next, set, counts);
  counts.set(schema, count);
  return count;
}

/** Names the innermost schema that is applied too often: the others only refer to it. */
function tooMany(
  schema: SchemaObject,
  set: LegacySet,
  counts: ReadonlyMap<SchemaObject, number>,
): SchemaError {
  const inner = appliedInPlace(schema, set).find((next) => (counts.get(next) ?? 0) > MOST_APPLIED);
  if (inner !== undefined) return tooMany(inner, set, counts);
  const place = set.locations.get(schema) ?? set.entry.name;
  const problem = `references lead to more than ${MOST_APPLIED} subschemas for the same value`;
  return new SchemaError(`${place}: ${problem}; refer to each schema once`);
}

/** Ajv cannot compile references that lead only to one another. */
function refuseLoop(schema: SchemaObject, set: LegacySet): void {
  if (schema.$ref === undefined) return;
  const open = new Set<SchemaObject>();
  for (let next: Schema | undefined = schema; isSchemaObject(next); next = resolveRef(set, next)) {
    if (open.has(next)) throw endless(next, set);
    if (open.size > MAX_HOPS) return;
    open.add(next);
  }
}

/** Ajv takes a `$dynamicRef` to a name that its document does not have for one to the whole document. */
function refuseLost(schema: SchemaObject, set: LegacySet): void {
  const { $dynamicRef } = schema;
  if (set.dialect !== '2020-12' || typeof $dynamicRef !== 'string' || !/^#[^/]/.test($dynamicRef)) return;
  if (resolve(set, schema, $dynamicRef) !== undefined) return;
  const place = set.locations.get(schema) ?? set.entry.name;
  throw new SchemaError(
    `${place}/$dynamicRef: the $dynamicRef ${JSON.stringify($dynamicRef)} leads to nothing`,
  );
}

function endless(schema: SchemaObject, set: LegacySet): SchemaError {
  return new SchemaError(`${set.locations.get(schema) ?? set.entry.name}: refers to itself without end`);
}

/** All subschemas that a kind of `set`, or its test, may apply. */
function usedSchemas(set: LegacySet): Iterable<SchemaObject> {
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
      return set.locations.keys() as Iterable<SchemaObject>; // all of them schemas
    add(schema.$ref === undefined ? undefined : resolveRef(set, schema));
    for (const [[keyword], inner] of subschemasOf(schema)) if (!DEFINITIONS.has(String(keyword))) add(inner);
  }
  return used;
}

interface Walk {
  readonly set: LegacySet;
  /** Schemas without such a reference. */
  readonly done: Set<SchemaObject>;
  /** Every payload reaches this schema. */
  readonly isRoot: boolean;
}

/** `open`: the schemas on the way here, all for the same value. */
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

function appliedInPlace(schema: SchemaObject, set: LegacySet): SchemaObject[] {
  if (schema.$ref !== undefined && set.dialect === 'draft-07')
    return [resolveRef(set, schema)].filter(isSchemaObject);
  const next: SchemaObject[] = [];
  for (const keyword of IN_PLACE) {
    const value = schema[keyword];
    for (const one of Array.isArray(value) ? value : [value]) if (isSchemaObject(one)) next.push(one);
  }
  const target = resolveRef(set, schema);
  if (isSchemaObject(target)) next.push(target);
  return next;
}
