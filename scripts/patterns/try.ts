/**
 * Many regular expressions against RegExp: for the script beside this file, and for the tests.
 */
import fc from 'fast-check';
import { regExpFault } from '../../src/schema/regexp.ts';
import { pattern, text } from './arbitrary.ts';
import { type Compile, type Counts, compare, newTally } from './compare.ts';

export type { Counts };

const TEXTS = 8;

/** An expression, and texts that are tried with it. */
export type Trial = readonly [source: string, texts: readonly string[]];

/** Random expressions with their texts; the same for the same `seed`. */
export function randomTrials(count: number, seed: number): Trial[] {
  const trial = fc.tuple(pattern, fc.array(text, { minLength: TEXTS, maxLength: TEXTS }));
  return fc.sample(trial, { numRuns: count, seed });
}

/** Compares `count` random expressions. */
export function tryRandom(count: number, seed: number): Counts {
  const tally = newTally();
  for (const [i, [one, texts]] of randomTrials(count, seed).entries()) {
    compare(one, texts, tally, { seed: seed + i });
  }
  return tally;
}

/** The first of `trials` that shows that `compile` is wrong; null if none does. */
export function firstWrong(trials: readonly Trial[], compile: Compile): string | null {
  for (const [i, [one, texts]] of trials.entries()) {
    const tally = newTally();
    compare(one, texts, tally, { seed: i, compile });
    if (tally.wrong.length > 0) return tally.wrong[0]!;
  }
  return null;
}

/** Compares given expressions, if they are valid. */
export function tryPatterns(sources: readonly string[], seed: number): Counts {
  const tally = newTally();
  const texts = fc.sample(text, { numRuns: 40, seed });
  for (const [i, source] of sources.entries()) {
    if (regExpFault(source) === null) compare(source, texts, tally, { seed: seed + i });
  }
  return tally;
}
