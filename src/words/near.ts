/** Near misses: the word that was probably meant. */
import { distance } from 'fastest-levenshtein';
import { COMPARED_NAME } from '../limits.ts';
import { quote } from './escape.ts';

/**
 * The candidate nearest to `word`, if it is near enough: it differs in case only, or in at most a third of its letters
 * (at least one). Null if none is. A word that is itself a candidate has no near miss.
 */
export function nearMiss(word: string, candidates: Iterable<string>): string | null {
  if (word.length > COMPARED_NAME) return null;
  const lower = word.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word) return null;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const steps = stepsBetween(word, lower, candidate);
    // Words of which every letter differs are not near.
    if (steps < least && steps < candidate.length) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}

/** The end of a sentence about a word that is not one of the candidates; `otherwise`: if none is near. */
export function guessed(word: string, candidates: Iterable<string>, otherwise = ''): string {
  const near = nearMiss(word, candidates);
  return near === null ? otherwise : `; did you mean ${quote(near)}?`;
}

/** The Levenshtein distance of two words: how many letters must be added, removed or replaced. */
export const lettersApart: (word: string, other: string) => number = distance;

/**
 * How many letters differ. Two neighbours in the wrong order count as one, and case counts only if something else differs. A
 * keyword of JSON-LD (`@context`) is near to a plain name only if just the `@` is missing: `content` is not near to `@context`.
 */
function stepsBetween(word: string, lower: string, candidate: string): number {
  const other = candidate.toLowerCase();
  if (other === lower) return 0;
  if (word.startsWith('@') === candidate.startsWith('@'))
    return isSwapped(word, candidate) ? 1 : lettersApart(word, candidate);
  return other.replace(/^@/, '') === lower.replace(/^@/, '') ? 1 : Number.POSITIVE_INFINITY;
}

/** True if the words differ only in the order of two neighbouring letters. */
function isSwapped(word: string, other: string): boolean {
  // In a word of two letters, nothing would be left that is equal.
  if (word.length !== other.length || word.length < 3) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  return (
    at + 1 < word.length &&
    word[at] === other[at + 1] &&
    word[at + 1] === other[at] &&
    word.slice(at + 2) === other.slice(at + 2)
  );
}
