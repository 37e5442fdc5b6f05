/**
 * Patterns that RegExp matches in little time, whatever the text: without the automata of other patterns, which take longer to make than one
 * text to match.
 */

import { regExpFault, toRegExp } from '../schema/regexp.ts';

/** Longer texts and patterns are left to automata. */
const MOST_CHARACTERS = 100;
/** Backreferences and lookarounds. */
const HARD = /\\[1-9k]|\(\?[^:]/;
/** A group that is repeated. */
const REPEATED_GROUP = /\)[*+?{]/;
/** Two quantifiers take cubic time at most, since a match may begin anywhere. */
const MOST_QUANTIFIERS = 2;
const MOST_ALTERNATIVES = 8;

const KNOWN = new Map<string, RegExp | null>();

/** Whether `text` matches the pattern of a schema, see `toRegExp`; null if that could take long. */
export function matchesSimple(pattern: string, text: string): boolean | null {
  if (text.length > MOST_CHARACTERS) return null;
  let regExp = KNOWN.get(pattern);
  if (regExp === undefined) {
    regExp = isSimple(pattern) && regExpFault(pattern) === null ? toRegExp(pattern) : null;
    KNOWN.set(pattern, regExp);
  }
  return regExp?.test(text) ?? null;
}

/** Whether a name in the schema matches a pattern of it, however long that takes. */
export function matchesName(pattern: string, name: string): boolean {
  return toRegExp(pattern).test(name);
}

function isSimple(pattern: string): boolean {
  if (pattern.length > MOST_CHARACTERS || HARD.test(pattern) || REPEATED_GROUP.test(pattern)) return false;
  return count(pattern, /[*+?{]/g) <= MOST_QUANTIFIERS && count(pattern, /\|/g) <= MOST_ALTERNATIVES;
}

function count(pattern: string, what: RegExp): number {
  return pattern.match(what)?.length ?? 0;
}
