/**
 * What a schema says about the values that match it, without reading one: their types, and whether two schemas can
 * match the same value. What is not sure is left open.
 */

import { isContainer, jsonEqual } from '../json/value.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
/** All types, the more frequent ones first. */
export const TYPES: readonly JsonType[] = ['string', 'object', 'number', 'boolean', 'array', 'null'];

/** More levels of references and branches are not looked at. */
const MOST_LEVELS = 12;

/** The types in the keyword `type`; all if it is missing. */
export function namedTypes({ type }: SchemaNode): readonly JsonType[] {
  if (type === undefined) return TYPES;
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return TYPES.filter((one) => named.includes(one) || (one === 'number' && named.includes('integer')));
}

/** The values that `enum` and `const` allow; null if the schema has neither. */
export function valuesOf(schema: SchemaNode): readonly unknown[] | null {
  const listed = schema.enum ?? null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.some((value) => jsonEqual(value, schema.const)) ? [schema.const] : [];
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType; // a JSON value
}

/** Keeps what `find` finds about a schema: two alternatives are compared for each pair of them. */
function kept<T>(find: (schema: Schema) => T): (schema: Schema) => T {
  const known = new WeakMap<SchemaNode, T>();
  return (schema) => {
    if (!isNode(schema)) return find(schema);
    let one = known.get(schema);
    if (one === undefined) {
      one = find(schema);
      known.set(schema, one);
    }
    return one;
  };
}

/** The types that a value of the schema can have, at most. */
export const typesOf = kept<readonly JsonType[]>((schema) => typesAt(schema, 0));

function typesAt(schema: Schema, level: number): readonly JsonType[] {
  if (typeof schema === 'boolean') return schema ? TYPES : [];
  let types = namedTypes(schema);
  const values = valuesOf(schema);
  if (values !== null) types = types.filter((type) => values.some((value) => typeOf(value) === type));
  if (level > MOST_LEVELS) return types;
  for (const part of conjuncts(schema)) {
    const others = typesAt(part, level + 1);
    types = types.filter((type) => others.includes(type));
  }
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (list === undefined) continue;
    const some = new Set(list.flatMap((one) => typesAt(one, level + 1)));
    types = types.filter((type) => some.has(type));
  }
  return types;
}

/** Schemas that a value must match as well. */
function* conjuncts({ $ref = [], allOf = [] }: SchemaNode): Generator<Schema> {
  yield* $ref;
  yield* allOf;
}

/** What a schema says about the members of an object. */
interface MemberFacts {
  readonly required: Set<string>;
  /** Member name to the strings, numbers and literals that it can be; an empty list: the member is forbidden. */
  readonly values: Map<string, readonly unknown[]>;
  /** The only names that are allowed; null if others are. */
  names: ReadonlySet<string> | null;
}

const memberFacts = kept((schema): MemberFacts => {
  const facts: MemberFacts = { required: new Set(), values: new Map(), names: null };
  collect(schema, facts, 0);
  return facts;
});

function collect(schema: Schema, facts: MemberFacts, level: number): void {
  if (!isNode(schema) || level > MOST_LEVELS) return;
  const { required, properties, additionalProperties, patternProperties } = schema;
  for (const name of required ?? []) facts.required.add(name);
  const members = properties ?? {};
  for (const [name, member] of Object.entries(members)) {
    const values = scalarsOf(member, 0);
    const known = facts.values.get(name);
    if (values !== null && known === undefined) facts.values.set(name, values);
  }
  if (additionalProperties === false && patternProperties === undefined)
    facts.names ??= new Set(Object.keys(members));
  for (const part of conjuncts(schema)) collect(part, facts, level + 1);
}

/** The only values that match; null if there are others, or objects and arrays. */
function scalarsOf(schema: Schema, level: number): readonly unknown[] | null {
  if (schema === false) return [];
  if (schema === true || level > MOST_LEVELS) return null;
  const values = valuesOf(schema);
  if (values !== null) return values.some(isContainer) ? null : values;
  for (const part of conjuncts(schema)) {
    const others = scalarsOf(part, level + 1);
    if (others !== null) return others;
  }
  return null;
}

/** True if no value can match both. */
export function areDisjoint(a: Schema, b: Schema): boolean {
  const inB = typesOf(b);
  const shared = typesOf(a).filter((type) => inB.includes(type));
  if (shared.length === 0) return true;
  const valuesOfA = scalarsOf(a, 0);
  const valuesOfB = scalarsOf(b, 0);
  if (valuesOfA !== null && valuesOfB !== null) return !valuesOfA.some((value) => valuesOfB.includes(value));
  if (shared.length > 1 || shared[0] !== 'object') return false;
  const [factsA, factsB] = [memberFacts(a), memberFacts(b)];
  return excludes(factsA, factsB) || excludes(factsB, factsA);
}

/** True if a member that `a` requires cannot be in an object that matches `b`. */
function excludes(a: MemberFacts, b: MemberFacts): boolean {
  for (const name of a.required) {
    if (b.names !== null && !b.names.has(name)) return true;
    const valuesOfB = b.values.get(name);
    if (valuesOfB === undefined) continue;
    if (valuesOfB.length === 0) return true;
    const valuesOfA = a.values.get(name);
    if (valuesOfA !== undefined && !valuesOfA.some((value) => valuesOfB.includes(value))) return true;
  }
  return false;
}
