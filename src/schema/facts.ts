/**
 * What a schema says by itself, before any value is read: which types, values and members its values can have, and
 * which other schemas it leads to; and by which members and values the kinds of an entry schema are told apart. Each
 * fact is found once for a node. What is not sure is left open: a value that contradicts a fact is invalid, but a value
 * that contradicts none need not be valid.
 *
 * The types of values are those that JSON Schema distinguishes, as small numbers: the steps of a node are kept by type.
 */
import { Decimal, isInteger } from '../json/decimal.ts';
import { memoizedWeakly } from '../json/on-demand.ts';
import { isJsonObject } from '../json/value.ts';
import { keywordsOfForm } from './dialect.ts';
import { exactValue } from './exact.ts';
import type { TypeName } from './names.ts';
import { isNode, type Schema, type SchemaMap, type SchemaNode } from './node.ts';
import type { Kind } from './set.ts';

const NULL = 0;
const BOOLEAN = 1;
const INTEGER = 2;
/** A number that is not an integer. */
const NUMBER = 3;
const STRING = 4;
export const ARRAY = 5;
export const OBJECT = 6;
export type ValueType = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export const VALUE_TYPES: readonly ValueType[] = [NULL, BOOLEAN, INTEGER, NUMBER, STRING, ARRAY, OBJECT];

/** An integer is a number without a fraction, however it is written. */
export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return isInteger(value) ? INTEGER : NUMBER;
    case 'boolean':
      return BOOLEAN;
    default:
      if (value === null) return NULL;
      if (Array.isArray(value)) return ARRAY;
      return value instanceof Decimal ? (isInteger(value) ? INTEGER : NUMBER) : OBJECT;
  }
}

const TYPES: Readonly<Record<TypeName, readonly ValueType[]>> = {
  null: [NULL],
  boolean: [BOOLEAN],
  integer: [INTEGER],
  number: [INTEGER, NUMBER],
  string: [STRING],
  array: [ARRAY],
  object: [OBJECT],
};

/** The types of the values that the keyword `type` allows by one name. */
export function valueTypes(name: TypeName): readonly ValueType[] {
  return TYPES[name];
}

/** True if the keyword `type` allows values of the type. */
export function allows(names: TypeName | readonly TypeName[] | undefined, type: ValueType): boolean {
  return names === undefined || [names].flat().some((name) => TYPES[name].includes(type));
}

const TYPE_NAMES: readonly TypeName[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The names of types, each once. */
export function typesNamed(types: readonly ValueType[]): readonly TypeName[] {
  const nameOf = (type: ValueType): TypeName =>
    type === INTEGER && types.includes(NUMBER) ? 'number' : TYPE_NAMES[type]!;
  return [...new Set(types.map(nameOf))];
}

/** Maximum number of references that are followed one after another. */
const HOPS = 8;

/** A value that is found in sets and maps. */
export type Scalar = string | number | boolean | null;

/** What a schema, with those that its references and `allOf` lead to, says about values. */
export interface Facts {
  readonly types: ReadonlySet<ValueType>;
  /** The values that `const` or `enum` allow, as `keyOf` gives them, if they are scalars; null: any. */
  readonly values: ReadonlySet<Scalar> | null;
  readonly required: ReadonlySet<string>;
  /** By name of a member, its `values`. */
  readonly members: ReadonlyMap<string, ReadonlySet<Scalar>>;
  /** Names of members that the schema describes or requires. */
  readonly names: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
  /** The only names that are allowed; null: any. */
  readonly onlyNames: ReadonlySet<string> | null;
}

const factsOfNode = memoizedWeakly((node: SchemaNode) => collected(node));
const ANYTHING = collected(true);
const NOTHING = { ...ANYTHING, types: new Set<ValueType>() };

export function factsOf(schema: Schema): Facts {
  return isNode(schema) ? factsOfNode(schema) : schema ? ANYTHING : NOTHING;
}

function collected(schema: Schema): Facts {
  const parts = [...partsOf(schema)];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const members = new Map<string, ReadonlySet<Scalar>>();
  const described = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  for (const [name, member] of described) {
    const values = keysOf(member);
    if (values !== null && !members.has(name)) members.set(name, values);
  }
  const closed = parts.find(
    ({ additionalProperties, patternProperties }) => additionalProperties === false && patternProperties === undefined,
  );
  return {
    types: new Set(VALUE_TYPES.filter((type) => parts.every((part) => allows(part.type, type)))),
    values: keysOf(schema),
    required,
    members,
    names: new Set([...described.map(([name]) => name), ...required]),
    forbidden: new Set(described.filter(([, member]) => member === false).map(([name]) => name)),
    onlyNames: closed === undefined ? null : new Set(Object.keys(closed.properties ?? {})),
  };
}

/** The schemas that a value must match to match `schema`: itself, and those that its references and `allOf` lead to. */
export function* partsOf(schema: Schema, hops = HOPS): Generator<SchemaNode> {
  if (!isNode(schema)) return;
  yield schema;
  if (hops > 0) for (const inner of linksOf(schema, ALWAYS)) yield* partsOf(inner, hops - 1);
}

const ALWAYS = ['$ref', 'allOf'] as const;

/** The key by which a value is looked up; undefined for objects and arrays. */
export function keyOf(value: unknown): Scalar | undefined {
  if (value instanceof Decimal) return value.key; // a text may have the same key: then the fact only leaves more open
  return typeof value !== 'object' || value === null ? (value as Scalar) : undefined; // a value of JSON
}

/** The values in `const` or `enum` of the node, as `Decimal`s if a double cannot hold them; null: it has neither. */
export function valuesOf(node: SchemaNode): readonly unknown[] | null {
  if ('const' in node) return [exactValue(node, 'const')];
  return node.enum === undefined ? null : (exactValue(node, 'enum') as readonly unknown[]); // a list in the file
}

/** The values that `const` or `enum` of a schema allow, if they are scalars; null: any. */
export function scalarsOf(schema: Schema): readonly unknown[] | null {
  for (const part of partsOf(schema)) {
    const values = valuesOf(part);
    if (values?.every((value) => keyOf(value) !== undefined)) return values;
  }
  return null;
}

function keysOf(schema: Schema): ReadonlySet<Scalar> | null {
  const values = scalarsOf(schema);
  return values === null ? null : new Set(values.map((value) => keyOf(value)!)); // all of them have one
}

const possibleTypesOfNode = memoizedWeakly((node: SchemaNode) => typesAt(node, HOPS));

/** The types that a value can have, by `type`, `const`, `enum`, and by the schemas and alternatives for the same value. */
export function possibleTypes(schema: Schema): readonly ValueType[] {
  return isNode(schema) ? possibleTypesOfNode(schema) : typesAt(schema, 0);
}

function typesAt(schema: Schema, hops: number): readonly ValueType[] {
  if (!isNode(schema)) return schema ? VALUE_TYPES : [];
  const own = valuesOf(schema)?.map(typeOf);
  const types = VALUE_TYPES.filter((type) => allows(schema.type, type) && own?.includes(type) !== false);
  if (hops === 0) return types;
  const { $ref = [], allOf = [], anyOf, oneOf } = schema;
  const choices = [...[...$ref, ...allOf].map((one) => [one]), anyOf, oneOf].filter((choice) => choice !== undefined);
  const possible = choices.map((choice) => new Set(choice.flatMap((one) => typesAt(one, hops - 1))));
  return types.filter((type) => possible.every((some) => some.has(type)));
}

/** True if no value can match both. */
export function areDisjoint(a: Schema, b: Schema): boolean {
  const inB = possibleTypes(b);
  const shared = possibleTypes(a).filter((type) => inB.includes(type));
  if (shared.length === 0) return true;
  const [factsA, factsB] = [factsOf(a), factsOf(b)];
  if (factsA.values !== null && factsB.values !== null) return !haveCommon(factsA.values, factsB.values);
  if (shared.length > 1 || shared[0] !== OBJECT) return false;
  return excludes(factsA, factsB) || excludes(factsB, factsA);
}

/** True if a member that `a` requires cannot be in an object that matches `b`. */
function excludes(a: Facts, b: Facts): boolean {
  return [...a.required].some((name) => {
    if (b.forbidden.has(name) || b.onlyNames?.has(name) === false) return true;
    const [valuesOfA, valuesOfB] = [a.members.get(name), b.members.get(name)];
    return valuesOfA !== undefined && valuesOfB !== undefined && !haveCommon(valuesOfA, valuesOfB);
  });
}

function haveCommon(a: ReadonlySet<Scalar>, b: ReadonlySet<Scalar>): boolean {
  return [...a].some((value) => b.has(value));
}

const SINGLE: ReadonlySet<string> = new Set(keywordsOfForm('schema'));
type LeadingKeyword = (typeof LEADING)[number];
const LEADING = keywordsOfForm('schemas', 'schemas by name', 'schemas by pattern', 'schema');

/** The nodes that a node applies by some keywords, in the order of these; by default, by all. */
export function linksOf(node: SchemaNode, keywords: readonly LeadingKeyword[] = LEADING): SchemaNode[] {
  return keywords.flatMap((keyword) => {
    const value = node[keyword];
    if (value === undefined) return [];
    const schemas = SINGLE.has(keyword) ? [value as Schema] : Object.values(value as SchemaMap); // by its form
    return schemas.filter(isNode);
  });
}

/**
 * The first of `nodes`, or of those that `nextOf` leads to, that leads back to itself; null: there is none. `leave` is
 * told of each node, after those that it leads to, with the number of nodes in the longest chain from it.
 */
export function loopIn(
  nodes: readonly SchemaNode[],
  nextOf: (node: SchemaNode) => SchemaNode[],
  leave: (node: SchemaNode, longest: number) => void = () => {},
): SchemaNode | null {
  /** By node: the longest chain from it; 0 while that is not known. */
  const lengths = new Map<SchemaNode, number>();
  // With a list of its own, because a chain may be longer than the stack.
  const path: { readonly node: SchemaNode; readonly next: SchemaNode[]; longest: number }[] = [];
  const enter = (node: SchemaNode): void => {
    lengths.set(node, 0);
    path.push({ node, next: nextOf(node), longest: 1 });
  };
  for (const root of nodes) {
    if (!lengths.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        leave(top.node, top.longest);
        lengths.set(top.node, top.longest);
        path.pop();
        const outer = path.at(-1);
        if (outer !== undefined) outer.longest = Math.max(outer.longest, top.longest + 1);
        continue;
      }
      const known = lengths.get(next);
      if (known === 0) return next;
      if (known === undefined) enter(next);
      else top.longest = Math.max(top.longest, known + 1);
    }
  }
  return null;
}

/** The keywords that apply, or could apply, other schemas to the value itself. */
export const IN_PLACE = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'dependentSchemas',
  'if',
  'then',
  'else',
] as const satisfies readonly LeadingKeyword[];

/** Names of `properties` in all schemas that apply, or could apply, to the same object. */
export const namesInPlace = memoizedWeakly((root: SchemaNode): ReadonlySet<string> => {
  const nodes = new Set([root]);
  for (const node of nodes) for (const inner of linksOf(node, IN_PLACE)) nodes.add(inner);
  return new Set([...nodes].flatMap(({ properties = {} }) => Object.keys(properties)));
});

/** The kinds that can be detected. */
export function detectedKinds(kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter(({ test }) => test !== false);
}

/**
 * The members that the tests look at, with the values that decide a kind; an empty list: the member only has to be
 * present. `valuesOf`: how the values of a node are read; by default, numbers as doubles.
 */
export function lookedAt(
  kinds: readonly Kind[],
  valuesOf: ValuesOf = doublesOf,
): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  for (const kind of kinds) {
    for (const [name, values] of membersOf(kind.test ?? true, valuesOf)) {
      members.set(name, [...(members.get(name) ?? []), ...values]);
    }
  }
  return members;
}

/** The members with values. In a payload of no kind, such a member has none of these values. */
export const decidingMembers = memoizedWeakly((kinds: readonly Kind[]): readonly string[] =>
  [...lookedAt(kinds)].filter(([, values]) => values.length > 0).map(([name]) => name),
);

export function decidingValues(kind: Kind): unknown[] {
  return [...lookedAt([kind]).values()].flat();
}

type ValuesOf = (node: SchemaNode) => readonly unknown[] | null;

const doublesOf: ValuesOf = (node) => node.enum ?? ('const' in node ? [node.const] : null);

/** The members that a test requires or gives values for. */
function membersOf(test: Schema, valuesOf: ValuesOf): Map<string, readonly unknown[]> {
  const members = new Map<string, readonly unknown[]>();
  if (!isNode(test)) return members;
  for (const [name, schema] of Object.entries(test.properties ?? {}))
    if (isNode(schema)) members.set(name, valuesOf(schema) ?? []);
  for (const name of test.required ?? []) if (!members.has(name)) members.set(name, []);
  return members;
}

/** How people tell an alternative of `oneOf` or `anyOf` from the others: by its title, and by a member that is its tag. */
export interface AlternativeName {
  /** Its own, or that of the schema it refers to; absent: it has none. */
  readonly title?: string;
  /** A member for which the alternative allows one text only, and that text; absent: there is none. */
  readonly tag?: { readonly name: string; readonly value: string };
}

/** `value`: one that has the member with that text; absent: any. Title and tag may be behind references. */
export function alternativeName(alternative: Schema, value?: unknown): AlternativeName {
  const title = titleOf(alternative);
  const isTag = (name: string, text: string): boolean =>
    value === undefined || (isJsonObject(value) && Object.hasOwn(value, name) && value[name] === text);
  const members = [...partsOf(alternative)].flatMap(({ properties = {} }) => Object.entries(properties));
  for (const [name, member] of members) {
    const [only, ...others] = scalarsOf(member) ?? [];
    if (typeof only === 'string' && others.length === 0 && isTag(name, only))
      return { ...title, tag: { name, value: only } };
  }
  return title;
}

function titleOf(schema: Schema): Pick<AlternativeName, 'title'> {
  const seen = new Set<Schema>();
  let one: Schema | undefined = schema;
  for (; isNode(one) && !seen.has(one); one = one.$ref?.[0]) {
    if (one.title !== undefined) return { title: one.title };
    seen.add(one);
  }
  return {};
}
