/**
 * The places in payloads at which defaults are filled in, computed without a payload: every path from the kinds'
 * schemas through the keywords that Ajv fills in through. Recursive schemas have infinitely many paths, so paths are
 * distinguished only by the state of the wishes.
 */
import { escapeToken } from '../json/pointer.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import { toRegExp } from '../schema/regexp.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { DefaultMap } from './wanted-defaults.ts';
import { decide, type Wish } from './wishes.ts';

export interface Reach {
  /** By place of a schema with a default: at which of its places in payloads it is wanted. */
  readonly wanted: ReadonlyMap<string, 'always' | 'never' | 'sometimes'>;
  /** The wishes that match a default. */
  readonly matched: ReadonlySet<Wish>;
}

/** One level further into a payload: a member by its name, any other member, or an element. */
type Token = { readonly name: string } | { readonly allows: (name: string) => boolean } | 'index';

interface Step {
  /** Null: the schema applies to the same value. */
  readonly token: Token | null;
  readonly schema: Schema | undefined;
}

/** How many tokens of each wish have matched on a path, or one of these. */
type State = readonly number[];
const HELD = -1;
const DEAD = -2;

/** `defaults`: all defaults of the schemas. */
export function reachOf(set: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): Reach {
  const seen = new Map<SchemaNode, Set<string>>();
  const wanted = new Map<string, 'always' | 'never' | 'sometimes'>();
  const matched = new Set<Wish>();
  const meet = (place: string, state: State): void => {
    const now = decide(wishes, (_, i) => state[i] === HELD) ? 'always' : 'never';
    for (const [i, wish] of wishes.entries()) if (state[i] === HELD) matched.add(wish);
    const before = wanted.get(place) ?? now;
    wanted.set(place, before === now ? now : 'sometimes');
  };
  const open: [Schema | undefined, State][] = set.kinds.map(({ schema }) => [schema, wishes.map(() => 0)]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, state] = next;
    if (!isNode(schema) || isKnown(seen, schema, state)) continue;
    for (const step of stepsFrom(schema)) {
      for (const state2 of statesAfter(step.token, state, wishes)) {
        open.push([step.schema, state2]);
        const place = fillable(step, defaults);
        if (place !== null) meet(place, state2);
      }
    }
  }
  return { wanted, matched };
}

/** The place of the schema of a member with a default: only those are filled in. */
function fillable({ token, schema }: Step, defaults: DefaultMap): string | null {
  const isMember = token !== null && token !== 'index' && 'name' in token;
  return isMember && isNode(schema) && defaults.has(schema.origin.place) ? schema.origin.place : null;
}

/** Adds the state; true if it was known. */
function isKnown(seen: Map<SchemaNode, Set<string>>, schema: SchemaNode, state: State): boolean {
  const states = seen.get(schema) ?? new Set();
  seen.set(schema, states);
  const key = state.join();
  if (states.has(key)) return true;
  states.add(key);
  return false;
}

/** The states after a token: several if it can be one of many names that the wishes distinguish. */
function statesAfter(token: Token | null, state: State, wishes: readonly Wish[]): State[] {
  if (token === null) return [state];
  if (token === 'index') return [after(null, state, wishes)];
  if ('name' in token) return [after(token.name, state, wishes)];
  const names = new Set<string>();
  for (const [i, { tokens, anywhere }] of wishes.entries()) {
    const name = anywhere ? tokens[0] : tokens[state[i]!];
    if (name !== undefined && token.allows(name)) names.add(name);
  }
  return [...[...names].map((name) => after(name, state, wishes)), after(undefined, state, wishes)];
}

/** The state after one name. `name`: null is an index; undefined is any name that is in no wish. */
function after(name: string | null | undefined, state: State, wishes: readonly Wish[]): State {
  return wishes.map(({ tokens, anywhere }, i) => {
    const at = state[i]!;
    if (at < 0) return at;
    if (anywhere) return tokens[0] === name ? HELD : at;
    if (tokens[at] !== '*' && tokens[at] !== name) return DEAD;
    return at + 1 === tokens.length ? HELD : at + 1;
  });
}

/** The schemas that this one leads to. Inside keywords that are not here, such as `anyOf`, nothing is filled in. */
export function* stepsFrom(node: SchemaNode): Generator<Step> {
  const { $ref = [], allOf = [], then: yes, else: no, dependentSchemas = {}, properties = {} } = node;
  for (const schema of [...$ref, yes, no, ...allOf, ...Object.values(dependentSchemas)])
    yield { token: null, schema };
  for (const [name, schema] of Object.entries(properties)) yield { token: { name }, schema };
  for (const [pattern, schema] of Object.entries(node.patternProperties ?? {}))
    yield { token: { allows: (name) => toRegExp(pattern).test(name) }, schema };
  const isOther = (name: string): boolean => !Object.hasOwn(properties, name);
  yield { token: { allows: isOther }, schema: node.additionalProperties };
  yield { token: { allows: () => true }, schema: node.unevaluatedProperties };
  for (const schema of [node.items, node.unevaluatedItems, ...(node.prefixItems ?? [])])
    yield { token: 'index', schema };
}

/** Most patterns that are collected. */
const MOST_PATTERNS = 1000;

/**
 * The places where defaults are filled in, as reports write them, in the order of the schemas. Of recursive schemas
 * only the first level, and not all if there are very many.
 */
export function defaultPatterns(set: SchemaSet, defaults: DefaultMap): string[] {
  const patterns = new Set<string>();
  const visit = (schema: Schema | undefined, path: string, open: readonly Schema[]): void => {
    if (!isNode(schema) || open.includes(schema) || patterns.size >= MOST_PATTERNS) return;
    for (const step of stepsFrom(schema)) {
      const inner = path + tokenText(step.token);
      if (fillable(step, defaults) !== null) patterns.add(inner);
      visit(step.schema, inner, [...open, schema]);
    }
  };
  for (const { schema } of set.kinds) visit(schema, '', []);
  return [...patterns];
}

function tokenText(token: Token | null): string {
  if (token === null) return '';
  return token !== 'index' && 'name' in token ? `/${escapeToken(token.name)}` : '/*';
}
