/**
 * Near misses: the word that was probably meant.
 */
import { distance } from 'fastest-levenshtein';

/** Longer words are not compared: nobody mistypes them, and the comparison is quadratic. */
const MAX_LENGTH = 64;

/**
 * The candidate nearest to `word`, where it is near enough: the same but for case, or at most a third of its
 * letters (and at least one) to change. Null where none is. A word that is itself a candidate has no near miss.
 */
export function nearMiss(word: string, candidates: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  const lower = word.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word) return null;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const steps = stepsBetween(word, lower, candidate);
    // A word of two letters has nothing in common with one it shares no letter with.
    if (steps < least && steps < candidate.length) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}

/**
 * Letters to change, two neighbours in the wrong order as one, capitals not counted where nothing else differs. Between a keyword of JSON-LD (`@context`) and a
 * plain name only the `@` can be amiss: `content` is no slip for `@context`.
 */
function stepsBetween(word: string, lower: string, candidate: string): number {
  const other = candidate.toLowerCase();
  if (other === lower) return 0;
  if (word.startsWith('@') === candidate.startsWith('@'))
    return isSwapped(word, candidate) ? 1 : distance(word, candidate);
  return other.replace(/^@/, '') === lower.replace(/^@/, '') ? 1 : Number.POSITIVE_INFINITY;
}

/** Two neighbouring letters of the words have changed places, and nothing else differs. */
function isSwapped(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  let at = 0;
  // Of two letters, nothing else would be the same.
  if (word.length < 3) return false;
  while (at < word.length && word[at] === other[at]) at++;
  return (
    at + 1 < word.length &&
    word[at] === other[at + 1] &&
    word[at + 1] === other[at] &&
    word.slice(at + 2) === other.slice(at + 2)
  );
}
