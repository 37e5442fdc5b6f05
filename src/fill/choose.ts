/**
 * Applies `--only` and `--except` to the defaults of the schemas. A default that is wanted at no place is removed from
 * the schemas for filling. One that is wanted at some places only, as with a shared `$ref`, is filled in and then
 * removed where it is not wanted.
 */
import { UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import { isSchemaObject, type LegacySet, type SchemaObject } from '../schema/legacy.ts';
import { legacyOf, type SchemaSet } from '../schema/load.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import type { DefaultMap } from './default-map.ts';
import { memberNames, namesByPlace } from './member-texts.ts';
import { defaultPatterns, reachOf } from './reach.ts';
import { isWanted, type Path, type Wish } from './wishes.ts';

/** The wishes, and how they are fulfilled. Plain data, for threads. */
export interface Choice {
  readonly wishes: readonly Wish[];
  /** Defaults that are wanted at some places only, by the member's name. */
  readonly sometimes: readonly { readonly name: string; readonly value: unknown }[];
  /** True if every default is wanted at all places, or at none. */
  readonly exact: boolean;
}

/** The schemas of `set` whose defaults are wanted nowhere. */
export function unwanted(set: LegacySet, wishes: readonly Wish[]): Set<SchemaObject> {
  if (wishes.length === 0) return new Set();
  const { wanted } = reachOf(set, wishes);
  return new Set([...wanted].filter(([, when]) => when === 'never').map(([schema]) => schema));
}

/** Throws UsageError for a wish that matches no default of `set`. */
export function mustMatch(set: LegacySet, wishes: readonly Wish[]): void {
  if (wishes.length === 0) return;
  const { matched, isWhole } = reachOf(set, wishes);
  const names = new Set(namesOfDefaults(set).values());
  for (const wish of wishes) {
    // The target of some references is not known, so the name is enough.
    if (matched.has(wish) || (!isWhole && names.has(wish.tokens.at(-1)!))) continue;
    throw new UsageError(
      `${wish.flag} ${visible(wish.text)} matches no member that has a default; ${hint(set, wish)}`,
    );
  }
}

/** Most patterns in a message. */
const LISTED = 8;

function hint(set: LegacySet, { text, anywhere }: Wish): string {
  const patterns = defaultPatterns(set);
  if (patterns.length === 0) return 'the schemas have none';
  const words = anywhere ? patterns.flatMap(parsePointer) : patterns.flatMap(withParents);
  const near = nearMiss(text, words);
  if (near !== null) return `did you mean ${quote(near)}?`;
  const more = patterns.length > LISTED ? ' …' : '';
  return `there are ${patterns.slice(0, LISTED).map(visible).join(', ')}${more}`;
}

/** `/a/b` gives `/a/b` and `/a`. */
function withParents(pattern: string): string[] {
  const ends = [...pattern.matchAll(/\/[^/]*/g)].map(({ index, 0: token }) => index + token.length);
  return ends.map((end) => pattern.slice(0, end)).reverse();
}

function namesOfDefaults(set: LegacySet): Map<SchemaObject, string> {
  return new Map([...memberNames(set)].filter(([schema]) => schema.default !== undefined));
}

/** How `wishes` are fulfilled while filling; `defaults`: those that are wanted somewhere. */
export function choiceOf(given: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): Choice {
  const set = legacyOf(given);
  const { wanted } = reachOf(set, wishes);
  const when = new Map([...wanted].map(([schema, its]) => [set.locations.get(schema), its]));
  const names = namesByPlace(set);
  const sometimes = [...defaults].flatMap(([place, text]) => {
    const name = names.get(place);
    if (name === undefined || when.get(place) !== 'sometimes') return [];
    return [{ name, value: JSON.parse(text) as unknown }];
  });
  return { wishes, sometimes, exact: sometimes.length === 0 };
}

/** `set` for filling: schemas in `dropped` have no default. The same set if `dropped` is empty. */
export function withoutDefaults(set: LegacySet, dropped: ReadonlySet<object>): LegacySet {
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

/** Removes from `after` what is not in `before` and not wanted. */
export function takeBack(before: unknown, after: unknown, choice: Choice, path: Path = []): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) takeBack(item, after[i], choice, [...path, null]);
  } else if (isSchemaObject(before) && isSchemaObject(after)) {
    for (const name of Object.keys(after)) {
      const inner = [...path, name];
      if (Object.hasOwn(before, name)) takeBack(before[name], after[name], choice, inner);
      else if (!isWanted(choice.wishes, inner))
        delete (after as Record<string, unknown>)[name]; // the value belongs to the filler
      else takeBackInside(after[name], choice, inner);
    }
  }
}

/**
 * The same in a value that was filled in as a whole: the content of its own default stays, except for members that look
 * like a default wanted elsewhere.
 */
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
