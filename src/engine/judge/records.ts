/**
 * Violations as rows of five numbers, before they become findings, and those that are only counted: of one payload
 * some are listed, all are counted.
 */
import type { Span } from '../../json/vocabulary.ts';
import type { Hidden } from '../../types.ts';

const WIDTH = 5;

/** What the numbers of a row mean. Indexes are into the payload's bytes. */
export const SITE = 0;
/** Start and end of the value that the violation is about. They are equal if that value is not in the bytes. */
export const START = 1;
export const END = 2;
/**
 * By site: the span of a name, or the indexes of two items. If the value is not in the bytes: an index in a list, and
 * the end of the object that the error is about, if that object is in the bytes.
 */
export const A = 3;
export const B = 4;
export type Column = 0 | 1 | 2 | 3 | 4;

/** The value that a row is about, and its pointer (RFC 6901, from the payload's root). */
export interface RowFacts {
  readonly pointer: string;
  readonly value: unknown;
}

export interface RowList {
  readonly length: number;
  get(row: number, column: Column): number;
}

export class Records implements RowList {
  readonly #numbers: number[] = [];
  readonly #facts: (RowFacts | null)[] = [];

  get length(): number {
    return this.#facts.length;
  }

  add(site: number, { start, end }: Span, [a, b]: readonly [number, number], facts: RowFacts | null = null): void {
    this.#numbers.push(site, start, end, a, b);
    this.#facts.push(facts);
  }

  /** The value that a row is about, and its pointer; null if they are not stored. */
  factsOf(row: number): RowFacts | null {
    return this.#facts[row] ?? null;
  }

  get(row: number, column: Column): number {
    return this.#numbers[row * WIDTH + column]!;
  }
}

/** True for an error about a value that is not in the bytes. */
export function isInDefault(rows: RowList, row: number): boolean {
  return rows.get(row, END) === rows.get(row, START);
}

/** The numbers 0 to `count` - 1 in ascending order of their keys; equal keys keep their order. */
export function ascending(count: number, keyOf: (i: number) => number): readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  const keys = order.map(keyOf);
  return order.sort((i, j) => keys[i]! - keys[j]!);
}

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
