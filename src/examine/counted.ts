/**
 * Violations that are only counted. A payload can have millions of violations: some are listed, all are counted.
 */
import type { Hidden } from '../types.ts';

/** Most violations of one payload that are listed. */
export const MOST_LISTED = 100_000;

/** How many there are of each. */
export type HiddenCounts = readonly (readonly [hidden: Hidden, count: number])[];

/** Counts by rule, and by whether they are fixable. */
export class HiddenCounter {
  readonly #counts = new Map<string, [hidden: Hidden, count: number]>();

  add({ rule, fixable }: Hidden, count = 1): void {
    const key = `${rule} ${fixable}`;
    const counted = this.#counts.get(key);
    if (counted !== undefined) counted[1] += count;
    else if (count > 0) this.#counts.set(key, [{ rule, fixable }, count]);
  }

  /** In an order that does not depend on that in which they were added. */
  get counts(): HiddenCounts {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
  }
}

export function totalOf(counts: HiddenCounts): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}
