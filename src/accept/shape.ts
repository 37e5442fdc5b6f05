/**
 * What a schema says about the values that match it, without reading one: their types, and whether two schemas can
 * match the same value. What is not sure is left open.
 */
import { jsonEqual } from '../json/equal.ts';
import { isSchemaObject, type Schema, type SchemaObject } from '../schema/load.ts';

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
/** All types, the more frequent ones first. */
export const TYPES: readonly JsonType[] = ['string', 'object', 'number', 'boolean', 'array', 'null'];

export interface References {
  /** The schema that the `$ref` of `schema` leads to; undefined if it cannot be followed. */
  follow(schema: SchemaObject): Schema | undefined;
  /** The same for `$dynamicRef`, if its target does not depend on the way to it. */
  followDynamic(schema: SchemaObject): Schema | undefined;
  /** Keywords beside `$ref` are ignored, as in draft-07. */
  readonly areAlone: boolean;
}

/** More levels of references and branches are not looked at. */
const MOST_LEVELS = 12;

/** The types in the keyword `type`; all if it is missing. */
export function namedTypes({ type }: SchemaObject): readonly JsonType[] {
  if (type === undefined) return TYPES;
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return TYPES.filter((one) => named.includes(one) || (one === 'number' && named.includes('integer')));
}

/** The values that `enum` and `const` allow; null if the schema has neither. */
export function valuesOf(schema: SchemaObject): readonly unknown[] | null {
  const listed = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.some((value) => jsonEqual(value, schema.const)) ? [schema.const] : [];
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType; // a JSON value
}

/** Keeps what `find` finds about a schema: two alternatives are compared for each pair of them. */
function kept<T>(
  find: (schema: Schema, references: References) => T,
): (schema: Schema, references: References) => T {
  const known = new WeakMap<References, Map<Schema, T>>();
  return (schema, references) => {
    let found = known.get(references);
    if (found === undefined) {
      found = new Map();
      known.set(references, found);
    }
    let one = found.get(schema);
    if (one === undefined) {
      one = find(schema, references);
      found.set(schema, one);
    }
    return one;
  };
}

/** The types that a value of the schema can have, at most. */
export const typesOf = kept<readonly JsonType[]>((schema, references) => typesAt(schema, references, 0));

function typesAt(schema: Schema, references: References, level: number): readonly JsonType[] {
  if (typeof schema === 'boolean') return schema ? TYPES : [];
  if (isAlone(schema, references)) return typesOfTarget(schema, references, level);
  let types = namedTypes(schema);
  const values = valuesOf(schema);
  if (values !== null) types = types.filter((type) => values.some((value) => typeOf(value) === type));
  if (level > MOST_LEVELS) return types;
  for (const part of conjuncts(schema, references)) {
    const others = typesAt(part, references, level + 1);
    types = types.filter((type) => others.includes(type));
  }
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(list)) continue;
    const some = new Set(list.flatMap((one: Schema) => typesAt(one, references, level + 1)));
    types = types.filter((type) => some.has(type));
  }
  return types;
}

/** True if nothing but `$ref` counts in the schema. */
function isAlone({ $ref }: SchemaObject, { areAlone }: References): boolean {
  return $ref !== undefined && areAlone;
}

function typesOfTarget(schema: SchemaObject, references: References, level: number): readonly JsonType[] {
  const target = references.follow(schema);
  return target === undefined || level > MOST_LEVELS ? TYPES : typesAt(target, references, level + 1);
}

/** Schemas that a value must match as well. */
function* conjuncts(schema: SchemaObject, references: References): Generator<Schema> {
  if (schema.$ref !== undefined) {
    const target = references.follow(schema);
    if (target !== undefined && target !== schema) yield target;
  }
  if (Array.isArray(schema.allOf) && !isAlone(schema, references)) yield* schema.allOf as Schema[];
}

/** What a schema says about the members of an object. */
interface MemberFacts {
  readonly required: Set<string>;
  /** Member name to the strings, numbers and literals that it can be; an empty list: the member is forbidden. */
  readonly values: Map<string, readonly unknown[]>;
  /** The only names that are allowed; null if others are. */
  names: ReadonlySet<string> | null;
}

const memberFacts = kept((schema, references): MemberFacts => {
  const facts: MemberFacts = { required: new Set(), values: new Map(), names: null };
  collect(schema, references, facts, 0);
  return facts;
});

function collect(schema: Schema, references: References, facts: MemberFacts, level: number): void {
  if (!isSchemaObject(schema) || level > MOST_LEVELS) return;
  const { required, properties, additionalProperties, patternProperties } = isAlone(schema, references)
    ? ({} as SchemaObject)
    : schema;
  if (Array.isArray(required)) for (const name of required) facts.required.add(String(name));
  const members = isSchemaObject(properties) ? properties : {};
  for (const [name, member] of Object.entries(members)) {
    const values = scalarsOf(member as Schema, references, 0);
    const known = facts.values.get(name);
    if (values !== null && known === undefined) facts.values.set(name, values);
  }
  if (additionalProperties === false && patternProperties === undefined)
    facts.names ??= new Set(Object.keys(members));
  for (const part of conjuncts(schema, references)) collect(part, references, facts, level + 1);
}

/** The only values that match; null if there are others, or objects and arrays. */
function scalarsOf(schema: Schema, references: References, level: number): readonly unknown[] | null {
  if (schema === false) return [];
  if (schema === true || level > MOST_LEVELS) return null;
  const values = isAlone(schema, references) ? null : valuesOf(schema);
  if (values !== null) return values.some(isContainer) ? null : values;
  for (const part of conjuncts(schema, references)) {
    const others = scalarsOf(part, references, level + 1);
    if (others !== null) return others;
  }
  return null;
}

/** True if no value can match both. */
export function areDisjoint(a: Schema, b: Schema, references: References): boolean {
  const inB = typesOf(b, references);
  const shared = typesOf(a, references).filter((type) => inB.includes(type));
  if (shared.length === 0) return true;
  const valuesOfA = scalarsOf(a, references, 0);
  const valuesOfB = scalarsOf(b, references, 0);
  if (valuesOfA !== null && valuesOfB !== null) return !valuesOfA.some((value) => valuesOfB.includes(value));
  if (shared.length > 1 || shared[0] !== 'object') return false;
  const [factsA, factsB] = [memberFacts(a, references), memberFacts(b, references)];
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
