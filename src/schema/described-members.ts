/**
 * Members as the schemas describe them. For people: those at a path, or all of a kind; what only some alternatives describe
 * (`oneOf`, `anyOf`, `then`, `else`, `dependentSchemas`) is a member for each of them, which says where. For checks, a
 * `Shape`: what all of them say.
 */
import { memoized, once } from '../json/on-demand.ts';
import { escapeToken } from '../json/pointer.ts';
import { DESCRIBED_LEVELS, DESCRIBED_MEMBERS } from '../limits.ts';
import { type AlternativeName, alternativeName, IN_PLACE, linksOf } from './facts.ts';
import { isNode, madeSchema, placeIn, type Schema, type SchemaNode } from './node.ts';
import { linearMatcher } from './regexp.ts';
import type { Kind } from './set.ts';

/** A member (or an element, or the payload itself) as one schema describes it. */
export interface Member {
  /** Names, with `*` for items and for names that are not listed, and a pattern for those that match it. */
  readonly tokens: readonly string[];
  /** As a person would write it: `coverage/subLocation`; empty for the payload itself. */
  readonly path: string;
  readonly schema: SchemaNode;
  /** The node and the targets of its references, from which `schema` is made. */
  readonly stated: readonly SchemaNode[];
  readonly required: boolean;
  /** The alternatives that have to match, the outermost first; empty: it is always described so. */
  readonly within: readonly Alternative[];
  /** Whether a name or an index of a payload is this one. */
  readonly fits: (token: string) => boolean;
}

export interface Alternative extends AlternativeName {
  /** File and pointer. */
  readonly schema: string;
}

/** Maximum number of schemas for one value. */
const MOST_FOR_ONE = 1000;

/** The members of `kind` that `tokens` lead to, by each schema that describes them; none: no schema does. */
export function membersAt(kind: Kind, tokens: readonly string[]): Member[] {
  return tokens.reduce((members, token) => stepTo(members, token), rootOf(kind));
}

/** The same, if indexes of elements may be left out: `lines/count` is `lines/<any index>/count`. */
export function membersAlong(kind: Kind, tokens: readonly string[]): Member[] {
  return tokens.reduce((members, token) => {
    let from = members;
    for (let level = 0; level < DESCRIBED_LEVELS && from.length > 0; level++) {
      const found = stepTo(from, token);
      if (found.length > 0) return found;
      from = stepTo(from, ANY);
    }
    return [];
  }, rootOf(kind));
}

function stepTo(members: readonly Member[], token: string): Member[] {
  const found = members.flatMap((member) => childrenOf(member).filter(({ fits }) => fits(token)));
  return found.slice(0, MOST_FOR_ONE);
}

/** Every member of `kind`, parents before children, in the schema's order; the payload itself first. */
export function allMembers(kind: Kind): Member[] {
  const roots = rootOf(kind);
  const inside = new Map<Member, readonly Member[]>();
  // Level by level, so that a schema that refers to itself in many places takes none of the others' places.
  const queue = [...roots];
  for (const member of queue) {
    if (queue.length > DESCRIBED_MEMBERS || member.tokens.length === DESCRIBED_LEVELS) break;
    const children = childrenOf(member);
    inside.set(member, children);
    for (const child of children) queue.push(child);
  }
  const withInner = (member: Member): Member[] => [member, ...(inside.get(member) ?? []).flatMap(withInner)];
  return roots.flatMap(withInner);
}

function rootOf({ schema }: Kind): Member[] {
  if (!isNode(schema)) return [];
  return [{ tokens: [], path: '', ...described(schema), required: true, within: [], fits: () => false }];
}

/** What is directly inside `member`: its members, and its elements. */
export function childrenOf({ tokens, stated, within: around }: Member): Member[] {
  const [first] = stated;
  if (first === undefined) return [];
  const parts = partsOf(first, around);
  return parts.flatMap((part) => {
    const applying = parts.filter(({ within }) => within.every((one, i) => one === part.within[i]));
    const required = new Set(applying.flatMap(({ node }) => node.required ?? []));
    return stepsInto(part.node).map(({ name, schema, fits }): Member => {
      const inner = [...tokens, name];
      const path = inner.map(escapeToken).join('/');
      return { tokens: inner, path, ...described(schema), required: required.has(name), within: part.within, fits };
    });
  });
}

/** A schema for the value of another one, and the alternatives that have to match for it. */
interface AppliedPart {
  readonly node: SchemaNode;
  readonly within: readonly Alternative[];
}

function partsOf(root: SchemaNode, around: readonly Alternative[]): readonly AppliedPart[] {
  const parts: AppliedPart[] = [];
  const visit = (node: SchemaNode, within: readonly Alternative[], outer: ReadonlySet<SchemaNode>): void => {
    if (outer.has(node) || parts.length === MOST_FOR_ONE) return;
    parts.push({ node, within });
    const inner = new Set(outer).add(node);
    for (const next of linksOf(node, ['$ref', 'allOf'])) visit(next, within, inner);
    for (const { schema, alternative } of alternativesOf(node)) visit(schema, [...within, alternative], inner);
  };
  visit(root, around, new Set());
  return parts;
}

function* alternativesOf(
  node: SchemaNode,
): Generator<{ readonly schema: SchemaNode; readonly alternative: Alternative }> {
  const { anyOf = [], oneOf = [], dependentSchemas = {} } = node;
  const choices = [
    ...oneOf.map((schema, i) => ['oneOf', [i], schema, schema] as const),
    ...anyOf.map((schema, i) => ['anyOf', [i], schema, schema] as const),
    ['then', [], node.then, node.if] as const,
    ['else', [], node.else, undefined] as const,
    ...Object.entries(dependentSchemas).map(([name, schema]) => ['dependentSchemas', [name], schema, schema] as const),
  ];
  for (const [keyword, tokens, schema, naming] of choices)
    if (isNode(schema))
      yield { schema, alternative: { schema: placeIn(node, keyword, tokens), ...alternativeName(naming ?? true) } };
}

/** Stands for any item, and for any name that is not listed. */
const ANY = '*';

const matcherOf = memoized(linearMatcher);

type Inner = Pick<Member, 'fits'> & { readonly name: string; readonly schema: Schema };

/** What a node itself says about members and elements. */
function stepsInto(node: SchemaNode): Inner[] {
  const { properties = {}, patternProperties = {}, prefixItems = [] } = node;
  const isListed = (token: string): boolean =>
    Object.hasOwn(properties, token) || Object.keys(patternProperties).some((pattern) => matcherOf(pattern)(token));
  const isItem = (token: string): boolean => /^\d+$/.test(token) && Number(token) >= prefixItems.length;
  const others = [node.additionalProperties, node.unevaluatedProperties].filter(isNode);
  const items = [node.items, node.unevaluatedItems].filter(isNode);
  return [
    ...Object.entries(properties).map(([name, schema]) => ({ name, schema, fits: is(name) })),
    ...Object.entries(patternProperties).map(([name, schema]) => ({ name, schema, fits: matcherOf(name) })),
    ...others.map((schema) => ({ name: ANY, schema, fits: (token: string) => !isListed(token) })),
    ...prefixItems.map((schema, i) => ({ name: String(i), schema, fits: is(String(i)) })),
    ...items.map((schema) => ({ name: ANY, schema, fits: (token: string) => token === ANY || isItem(token) })),
  ];
}

function is(name: string): (token: string) => boolean {
  return (token) => token === name;
}

/** The schemas that a node itself has for a member or an element of its value. */
export function schemasFor(node: SchemaNode, token: string): Schema[] {
  return stepsInto(node)
    .filter(({ fits }) => fits(token))
    .map(({ schema }) => schema);
}

/** What a schema states about a value, with what its `$ref` leads to. `true` and `false` state nothing. */
function described(first: Schema): Pick<Member, 'schema' | 'stated'> {
  if (!isNode(first)) return { schema: madeSchema({}), stated: [] };
  const stated = [first];
  let schema = first;
  for (let next = first.$ref?.[0]; isNode(next) && stated.length < DESCRIBED_LEVELS; next = next.$ref?.[0]) {
    const { $ref: _, id: __, origin: ___, ...beside } = schema;
    stated.push(next);
    // A `$ref` without other keywords gives the target itself, whose place is known.
    schema = Object.keys(beside).length === 0 ? next : { ...next, ...beside };
  }
  return { schema, stated };
}

/**
 * What the schemas of a value say about its members and numbers: by this, numbers become those of CEL, and names in
 * expressions are checked before the first payload. What only some alternatives say is included.
 */
export class Shape {
  /** Its numbers are integers. */
  readonly isInteger: boolean;
  /** The names of the members that the schemas describe. */
  readonly names: ReadonlySet<string>;
  /** There are no other members than those. */
  readonly isClosed: boolean;
  readonly #nodes: readonly SchemaNode[];

  private constructor(nodes: readonly SchemaNode[]) {
    const types = nodes.flatMap(({ type }) => type ?? []);
    this.isInteger = types.includes('integer') && !types.includes('number');
    this.names = new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)));
    this.isClosed =
      nodes.every(({ patternProperties }) => patternProperties === undefined) &&
      nodes.some((node) => node.additionalProperties === false || node.unevaluatedProperties === false);
    this.#nodes = nodes;
  }

  /** Null: the schemas say nothing. */
  static of(schemas: readonly (Schema | undefined)[]): Shape | null {
    const nodes = new Set(schemas.filter(isNode));
    for (const node of nodes) for (const next of linksOf(node, IN_PLACE)) nodes.add(next);
    return nodes.size === 0 ? null : new Shape([...nodes]);
  }

  readonly member = memoized((name: string) => Shape.of(this.#nodes.flatMap((node) => schemasFor(node, name))));

  /** What all items have in common. */
  readonly item = once(() => Shape.of(this.#nodes.flatMap(({ prefixItems = [], items }) => [...prefixItems, items])));

  /** Of the values that a pattern leads to. */
  at(pattern: readonly string[]): Shape | null {
    const step = (shape: Shape | null, token: string) => (token === '*' ? shape?.item() : shape?.member(token)) ?? null;
    return pattern.reduce(step, this as Shape | null);
  }
}
