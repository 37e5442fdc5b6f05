/**
 * Findings and counts for a run: kept as a list, or made on demand.
 */
import type { Finding, Hidden } from '../types.ts';

/** Findings in the order of their places; spans are indexes into the bytes examined. An array is one. */
export interface Findings extends Iterable<Finding> {
  readonly length: number;
  /** Those with indexes in [from, to); fast if calls are in ascending order. */
  slice(from: number, to?: number): readonly Finding[];
  /** Where the last one begins, if that is known without going through all of them. */
  readonly lastStart?: number;
  /** The counts from index `from` on, if they are known without making the findings. */
  readonly countedFrom?: (from: number) => HiddenCounts;
}

/** Violations that are only counted, one by one. An array is such a list. */
export interface HiddenList extends Iterable<Hidden> {
  readonly length: number;
  /** How many there are of each, if that is known. */
  readonly counts?: HiddenCounts;
}

/**
 * Number of findings that are made at once, if there are many. A few thousand would survive the first garbage
 * collection, and the heap would grow.
 */
export const SLICE = 1000;

/** More findings than this are made in slices. */
export const MANY = 10_000;

/** Where the last of `findings` begins; they must not be empty. */
export function lastStart(findings: Findings): number {
  if (findings.lastStart !== undefined) return findings.lastStart;
  let last = 0;
  for (const { span } of findings) last = Math.max(last, span.start);
  return last;
}

/** How many there are of each. */
export type HiddenCounts = readonly (readonly [hidden: Hidden, count: number])[];

/** One by one. */
export function hiddenList(counts: HiddenCounts): HiddenList {
  return {
    counts,
    length: counts.reduce((sum, [, count]) => sum + count, 0),
    *[Symbol.iterator]() {
      for (const [hidden, count] of counts) for (let i = 0; i < count; i++) yield hidden;
    },
  };
}
