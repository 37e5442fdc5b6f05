/**
 * Short texts and patterns, matched in little time without automata, which take longer to make than one text to match:
 * by RegExp if no text can make it slow, else step by step.
 */

import { visitor } from '../automaton/visit.ts';
import { regExpFault, toRegExp } from '../schema/regexp.ts';

/** Longer texts are left to automata. */
const LONGEST = 2000;
/** Longer texts and patterns are not left to RegExp. */
const MOST_CHARACTERS = 100;
/** Backreferences and lookarounds. */
const HARD = /\\[1-9k]|\(\?[^:]/;
/** A group that is repeated. */
const REPEATED_GROUP = /\)[*+?{]/;
/** Two quantifiers take cubic time at most, since a match may begin anywhere. */
const MOST_QUANTIFIERS = 2;
const MOST_ALTERNATIVES = 8;

type Matches = (text: string) => boolean | null;

const KNOWN = new Map<string, Matches>();

/** Whether `text` matches the pattern of a schema, see `toRegExp`; null if that could take long. */
export function matchesSimple(pattern: string, text: string): boolean | null {
  if (text.length > LONGEST) return null;
  let matches = KNOWN.get(pattern);
  if (matches === undefined) {
    matches = matcherFor(pattern);
    KNOWN.set(pattern, matches);
  }
  return matches(text);
}

function matcherFor(pattern: string): Matches {
  if (regExpFault(pattern) !== null) return () => null;
  const regExp = toRegExp(pattern);
  let visits: Matches | null | undefined;
  const isForRegExp = isSimple(pattern);
  return (text) => {
    if (isForRegExp && text.length <= MOST_CHARACTERS) return regExp.test(text);
    if (visits === undefined) visits = visitor(regExp);
    return visits === null ? null : visits(text);
  };
}

/** Whether a name in the schema matches a pattern of it, however long that takes. */
export function matchesName(pattern: string, name: string): boolean {
  return toRegExp(pattern).test(name);
}

function isSimple(pattern: string): boolean {
  // A choice without any repetition, however long.
  if (!/[*+?{]|\\[1-9k]/.test(pattern)) return count(pattern, /\(/g) <= 1;
  if (pattern.length > MOST_CHARACTERS || HARD.test(pattern) || REPEATED_GROUP.test(pattern)) return false;
  return count(pattern, /[*+?{]/g) <= MOST_QUANTIFIERS && count(pattern, /\|/g) <= MOST_ALTERNATIVES;
}

function count(pattern: string, what: RegExp): number {
  return pattern.match(what)?.length ?? 0;
}
