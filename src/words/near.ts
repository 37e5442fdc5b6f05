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
    const steps = candidate.toLowerCase() === lower ? 0 : distance(word, candidate);
    // A word of two letters has nothing in common with one it shares no letter with.
    if (steps < least && steps < candidate.length) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}
