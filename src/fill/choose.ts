/**
 * `--only` and `--except` among the defaults of the schemas. A default that is wanted at no place is taken out of the schemas for filling;
 * one that is wanted at some places only, as with a shared `$ref`, is filled in and then taken back where it is not wanted.
 */
import { UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import { isSchemaObject, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import type { DefaultMap } from './default-map.ts';
import { memberNames } from './member-texts.ts';
import { defaultPatterns, reachOf } from './reach.ts';
import { isWanted, type Path, type Wish } from './wishes.ts';

/** What was asked for, and what there is to do about it. Plain data, for threads. */
export interface Choice {
  readonly wishes: readonly Wish[];
  /** Defaults, by the member's name, that are wanted at some places only. */
  readonly sometimes: readonly { readonly name: string; readonly value: unknown }[];
  /** Every default is wanted at all places, or at none. */
  readonly exact: boolean;
}

/** The schemas of `set` whose defaults are wanted nowhere. */
export function unwanted(set: SchemaSet, wishes: readonly Wish[]): Set<SchemaObject> {
  if (wishes.length === 0) return new Set();
  const { wanted } = reachOf(set, wishes);
  return new Set([...wanted].filter(([, when]) => when === 'never').map(([schema]) => schema));
}

/** Throws UsageError for a wish that is about no default of `set`. */
export function mustMatch(set: SchemaSet, wishes: readonly Wish[]): void {
  if (wishes.length === 0) return;
  const { matched, isWhole } = reachOf(set, wishes);
  const names = new Set(namesOfDefaults(set).values());
  for (const wish of wishes) {
    // Where some references lead is not known, so the name must do.
    if (matched.has(wish) || (!isWhole && names.has(wish.tokens.at(-1)!))) continue;
    throw new UsageError(
      `${wish.flag} ${visible(wish.text)} matches no member that has a default; ${hint(set, wish)}`,
    );
  }
}

/** Patterns that a message lists, at most. */
const LISTED = 8;

function hint(set: SchemaSet, { text, anywhere }: Wish): string {
  const patterns = defaultPatterns(set);
  if (patterns.length === 0) return 'the schemas have none';
  const words = anywhere ? patterns.flatMap(parsePointer) : patterns.flatMap(withParents);
  const near = nearMiss(text, words);
  if (near !== null) return `did you mean ${quote(near)}?`;
  const more = patterns.length > LISTED ? ' …' : '';
  return `there are ${patterns.slice(0, LISTED).map(visible).join(', ')}${more}`;
}

/** `/a/b` and `/a`. */
function withParents(pattern: string): string[] {
  const ends = [...pattern.matchAll(/\/[^/]*/g)].map(({ index, 0: token }) => index + token.length);
  return ends.map((end) => pattern.slice(0, end)).reverse();
}

function namesOfDefaults(set: SchemaSet): Map<SchemaObject, string> {
  return new Map([...memberNames(set)].filter(([schema]) => schema.default !== undefined));
}

/** What is to be done about `wishes` while payloads are filled in; `defaults`: those that are wanted somewhere. */
export function choiceOf(set: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): Choice {
  const { wanted } = reachOf(set, wishes);
  const names = memberNames(set);
  const sometimes = [...defaults].flatMap(([schema, text]) => {
    const name = names.get(schema);
    if (name === undefined || wanted.get(schema) !== 'sometimes') return [];
    return [{ name, value: JSON.parse(text) as unknown }];
  });
  return { wishes, sometimes, exact: sometimes.length === 0 };
}

/** `set` for filling: the schemas in `dropped` have no default. The same set if there are none. */
export function withoutDefaults(set: SchemaSet, dropped: ReadonlySet<object>): SchemaSet {
  if (dropped.size === 0) return set;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isSchemaObject(value)) return value;
    const entries = Object.entries(value).filter(([keyword]) => keyword !== 'default' || !dropped.has(value));
    return Object.fromEntries(entries.map(([keyword, inner]) => [keyword, copy(inner)]));
  };
  // A copy of a schema is a schema.
  const documents = set.documents.map((one) => ({ ...one, schema: copy(one.schema) as typeof one.schema }));
  return { ...set, documents };
}

/** Takes back what of `after` is not in `before` and not wanted. */
export function takeBack(before: unknown, after: unknown, choice: Choice, path: Path = []): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) takeBack(item, after[i], choice, [...path, null]);
  } else if (isSchemaObject(before) && isSchemaObject(after)) {
    for (const name of Object.keys(after)) {
      const inner = [...path, name];
      if (Object.hasOwn(before, name)) takeBack(before[name], after[name], choice, inner);
      else if (!isWanted(choice.wishes, inner))
        delete (after as Record<string, unknown>)[name]; // the value is the filler's own
      else takeBackInside(after[name], choice, inner);
    }
  }
}

/** The same in a value that was filled in as a whole: what its own default states stays, but for what looks like one that is wanted elsewhere. */
function takeBackInside(value: unknown, choice: Choice, path: Path): void {
  if (Array.isArray(value)) for (const item of value) takeBackInside(item, choice, [...path, null]);
  if (!isSchemaObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...path, name];
    const text = JSON.stringify(member);
    const mayGo = choice.sometimes.some((one) => one.name === name && JSON.stringify(one.value) === text);
    if (mayGo && !isWanted(choice.wishes, inner))
      delete (value as Record<string, unknown>)[name]; // as above
    else takeBackInside(member, choice, inner);
  }
}
