/**
 * Applies `--only` and `--except` to the defaults of the schemas. A default that is wanted at no place is
 * left out. One that is wanted at some places only, as with a shared `$ref`, is filled in and then
 * removed where it is not wanted.
 */

import { UsageError } from '../errors.ts';
import { exactValue } from '../json/decimal.ts';
import { parsePointer } from '../json/pointer.ts';
import { isJsonObject, writtenText } from '../json/value.ts';
import type { SchemaSet } from '../schema/set.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { memberNames } from './member-texts.ts';
import { defaultPatterns, reachOf } from './reach.ts';
import type { DefaultMap } from './wanted-defaults.ts';
import { type Choice, isWanted, type Path, type Wish } from './wishes.ts';

/** Those of `defaults` that are wanted somewhere. */
export function wantedOf(set: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): DefaultMap {
  if (wishes.length === 0) return defaults;
  const { wanted } = reachOf(set, wishes, defaults);
  return new Map([...defaults].filter(([place]) => (wanted.get(place) ?? 'never') !== 'never'));
}

/** Throws UsageError for a wish that matches none of `defaults`. */
export function mustMatch(set: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): void {
  if (wishes.length === 0) return;
  const { matched } = reachOf(set, wishes, defaults);
  const lost = wishes.find((wish) => !matched.has(wish));
  if (lost === undefined) return;
  const patterns = defaultPatterns(set, defaults);
  throw new UsageError(
    `${lost.flag} ${visible(lost.text)} matches no member that has a default; ${hint(patterns, lost)}`,
  );
}

/** Most patterns in a message. */
const LISTED = 8;

function hint(patterns: readonly string[], { text, anywhere }: Wish): string {
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

/** How to apply `wishes` while filling; `defaults`: those that are wanted somewhere. */
export function choiceOf(set: SchemaSet, wishes: readonly Wish[], defaults: DefaultMap): Choice {
  const { wanted } = reachOf(set, wishes, defaults);
  const names = memberNames(set.nodes);
  const sometimes = [...defaults].flatMap(([place, text]) => {
    const name = names.get(place);
    if (name === undefined || wanted.get(place) !== 'sometimes') return [];
    return [{ name, text: writtenText(exactValue(text)) }];
  });
  return { wishes, sometimes, exact: sometimes.length === 0 };
}

/** Removes from `after` what is not in `before` and not wanted. */
export function takeBack(before: unknown, after: unknown, choice: Choice, path: Path = []): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) takeBack(item, after[i], choice, [...path, null]);
  } else if (isJsonObject(before) && isJsonObject(after)) {
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
 * The same in a value that was filled in as a whole. Its own content stays, except for members that look like a default
 * which is wanted only elsewhere.
 */
function takeBackInside(value: unknown, choice: Choice, path: Path): void {
  if (Array.isArray(value)) for (const item of value) takeBackInside(item, choice, [...path, null]);
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...path, name];
    const text = writtenText(member);
    const mayGo = choice.sometimes.some((one) => one.name === name && one.text === text);
    if (mayGo && !isWanted(choice.wishes, inner))
      delete (value as Record<string, unknown>)[name]; // as above
    else takeBackInside(member, choice, inner);
  }
}
