/**
 * The places in payloads at which defaults are filled in, computed without a payload: every path from the kinds'
 * schemas through the keywords that Ajv fills in through. Recursive schemas have infinitely many paths, so paths are
 * distinguished only by the state of the wishes.
 */
import { escapeToken } from '../json/pointer.ts';
import { isSchemaObject, type LegacySet, type SchemaObject } from '../schema/legacy.ts';
import { resolveRef } from '../schema/refs.ts';
import { decide, type Wish } from './wishes.ts';

export interface Reach {
  /** By schema with a default: at which of its places it is wanted. */
  readonly wanted: ReadonlyMap<SchemaObject, 'always' | 'never' | 'sometimes'>;
  /** The wishes that match a default. */
  readonly matched: ReadonlySet<Wish>;
  /** False if there are references that cannot be followed: then all defaults count as wanted sometimes. */
  readonly isWhole: boolean;
}

/** One level further into a payload: a member by its name, any other member, or an element. */
type Token = { readonly name: string } | { readonly allows: (name: string) => boolean } | 'index';

interface Step {
  /** Null: the schema applies to the same value. */
  readonly token: Token | null;
  readonly schema: unknown;
}

/** How many tokens of each wish have matched on a path, or one of these. */
type State = readonly number[];
const HELD = -1;
const DEAD = -2;

export function reachOf(set: LegacySet, wishes: readonly Wish[]): Reach {
  const seen = new Map<SchemaObject, Set<string>>();
  const wanted = new Map<SchemaObject, 'always' | 'never' | 'sometimes'>();
  const matched = new Set<Wish>();
  const meet = (schema: SchemaObject, state: State): void => {
    const now = decide(wishes, (_, i) => state[i] === HELD) ? 'always' : 'never';
    for (const [i, wish] of wishes.entries()) if (state[i] === HELD) matched.add(wish);
    const before = wanted.get(schema) ?? now;
    wanted.set(schema, before === now ? now : 'sometimes');
  };
  const open: [unknown, State][] = set.kinds.map(({ schema }) => [schema, wishes.map(() => 0)]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, state] = next;
    if (!isSchemaObject(schema) || isKnown(seen, schema, state)) continue;
    for (const step of stepsFrom(schema, set)) {
      for (const state2 of statesAfter(step.token, state, wishes)) {
        open.push([step.schema, state2]);
        const member = fillable(step);
        if (member !== null) meet(member, state2);
      }
    }
  }
  const isWhole = [...seen.keys()].every((schema) => isFollowed(schema, set));
  if (!isWhole) {
    for (const schema of set.locations.keys())
      if (isSchemaObject(schema) && schema.default !== undefined) wanted.set(schema, 'sometimes');
  }
  return { wanted, matched, isWhole };
}

/** The schema of a member with a default: only those are filled in. */
function fillable({ token, schema }: Step): SchemaObject | null {
  const isMember = token !== null && token !== 'index' && 'name' in token;
  return isMember && isSchemaObject(schema) && schema.default !== undefined ? schema : null;
}

/** Adds the state; true if it was known. */
function isKnown(seen: Map<SchemaObject, Set<string>>, schema: SchemaObject, state: State): boolean {
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

/** `name`: null is an index; undefined is any name that is in no wish. */
function after(name: string | null | undefined, state: State, wishes: readonly Wish[]): State {
  return wishes.map(({ tokens, anywhere }, i) => {
    const at = state[i]!;
    if (at < 0) return at;
    if (anywhere) return tokens[0] === name ? HELD : at;
    if (tokens[at] !== '*' && tokens[at] !== name) return DEAD;
    return at + 1 === tokens.length ? HELD : at + 1;
  });
}

/** The keywords with schemas for the same value. Inside others, such as `anyOf`, nothing is filled in. */
const SAME_VALUE = ['then', 'else'];
const ELEMENTS = ['items', 'additionalItems', 'unevaluatedItems'];

/** The schemas that this schema leads to. */
function* stepsFrom(schema: SchemaObject, set: LegacySet): Generator<Step> {
  if (typeof schema.$ref === 'string') yield { token: null, schema: resolveRef(set, schema) };
  for (const keyword of SAME_VALUE) yield { token: null, schema: schema[keyword] };
  for (const inner of listOf(schema.allOf)) yield { token: null, schema: inner };
  for (const keyword of ['dependentSchemas', 'dependencies'])
    for (const [, inner] of entriesOf(schema[keyword])) yield { token: null, schema: inner };
  const known = entriesOf(schema.properties);
  for (const [name, inner] of known) yield { token: { name }, schema: inner };
  for (const [pattern, inner] of entriesOf(schema.patternProperties))
    yield { token: { allows: (name) => matches(pattern, name) }, schema: inner };
  const names = new Set(known.map(([name]) => name));
  yield { token: { allows: (name) => !names.has(name) }, schema: schema.additionalProperties };
  yield { token: { allows: () => true }, schema: schema.unevaluatedProperties };
  for (const keyword of ELEMENTS) yield { token: 'index', schema: schema[keyword] };
  for (const keyword of ['items', 'prefixItems'])
    for (const inner of listOf(schema[keyword])) yield { token: 'index', schema: inner };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isSchemaObject(value) ? Object.entries(value) : [];
}

/** Also true for an invalid regular expression. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

/** False for a dynamic reference, or one that leads to an anchor. */
function isFollowed(schema: SchemaObject, set: LegacySet): boolean {
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) return false;
  return schema.$ref === undefined || resolveRef(set, schema) !== undefined;
}

/** Most patterns that are collected. */
const MOST_PATTERNS = 1000;

/**
 * The places where defaults are filled in, as reports write them, in the order of the schemas. Of recursive schemas
 * only the first level, and not all if there are very many.
 */
export function defaultPatterns(set: LegacySet): string[] {
  const patterns = new Set<string>();
  const visit = (schema: unknown, path: string, open: readonly unknown[]): void => {
    if (!isSchemaObject(schema) || open.includes(schema) || patterns.size >= MOST_PATTERNS) return;
    for (const step of stepsFrom(schema, set)) {
      const inner = path + tokenText(step.token);
      if (fillable(step) !== null) patterns.add(inner);
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
