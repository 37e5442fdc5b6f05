/**
 * Short texts and patterns, matched in little time without automata, which take longer to make than one text to match:
 * by RegExp if no text can make it slow, else step by step.
 */

import { visitor } from '../automaton/visit.ts';
import { toRegExp } from '../schema/regexp.ts';
import { waysToMatch } from './backtracking.ts';

/** Longer texts are left to automata. */
const LONGEST = 2000;
/** RegExp matches a text if there are at most that many ways to try, which take milliseconds. */
const MOST_WAYS = 100_000;

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
  const regExp = toRegExp(pattern);
  let visits: Matches | null | undefined;
  const waysFor = waysToMatch(regExp.source);
  return (text) => {
    if (waysFor(text.length) <= MOST_WAYS) return regExp.test(text);
    if (visits === undefined) visits = visitor(regExp);
    return visits === null ? null : visits(text);
  };
}
