/**
 * A growing list of rows of five 32-bit numbers, outside of the JavaScript heap: 20 bytes, where an object would take
 * hundreds. A payload can have tens of millions of violations.
 */
import type { Span } from '../json/vocabulary.ts';

/**
 * Size of the list at the beginning, and of a chunk, in rows. Few payloads have more violations than the list holds.
 */
const FIRST = 16;
const CHUNK = 1 << 15;
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

/** Rows that can be read. */
export interface RowList {
  readonly length: number;
  get(row: number, column: Column): number;
}

export class Records implements RowList {
  /** The first rows, as a plain list: most payloads have a few, and memory outside of the heap is slow to allocate. */
  readonly #first: number[] = [];
  /** The values of the first rows, if they are known: then they need no look-up. */
  readonly #facts: (RowFacts | null)[] = [];
  #chunks: Uint32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Removes all rows from `length` on. */
  truncate(length: number): void {
    if (length < this.#length) this.#length = length;
  }

  add(
    site: number,
    { start, end }: Span,
    [a, b]: readonly [number, number],
    facts: RowFacts | null = null,
  ): void {
    this.#grow();
    const row = this.#length++;
    if (row < FIRST) this.#facts[row] = facts;
    this.set(row, SITE, site);
    this.set(row, START, start);
    this.set(row, END, end);
    this.set(row, A, a);
    this.set(row, B, b);
  }

  /** The value that a row is about, and its pointer; null if they are not stored. */
  factsOf(row: number): RowFacts | null {
    return this.#facts[row] ?? null;
  }

  get(row: number, column: Column): number {
    if (row < FIRST) return this.#first[row * WIDTH + column]!;
    const at = row - FIRST;
    return this.#chunks[Math.floor(at / CHUNK)]![(at % CHUNK) * WIDTH + column]!;
  }

  set(row: number, column: Column, value: number): void {
    if (row < FIRST) this.#first[row * WIDTH + column] = value;
    else {
      const at = row - FIRST;
      this.#chunks[Math.floor(at / CHUNK)]![(at % CHUNK) * WIDTH + column] = value;
    }
  }

  /** Makes row `to` equal to row `from` of `other`; `to` may be the row after the last. */
  copy(to: number, other: Records, from: number): void {
    if (to === this.#length) {
      this.#grow();
      this.#length++;
    }
    if (to < FIRST) this.#facts[to] = other.factsOf(from);
    for (const column of COLUMNS) this.set(to, column, other.get(from, column));
  }

  /** Adds all rows of `other`. */
  append(other: Records): void {
    for (let row = 0, { length } = other; row < length; row++) this.copy(this.#length, other, row);
  }

  #grow(): void {
    const at = this.#length - FIRST;
    if (at >= 0 && at % CHUNK === 0 && at / CHUNK === this.#chunks.length)
      this.#chunks.push(new Uint32Array(CHUNK * WIDTH));
  }
}

const COLUMNS: readonly Column[] = [SITE, START, END, A, B];

/** True for an error about a value that is not in the bytes. */
export function isElsewhere(rows: RowList, row: number): boolean {
  return rows.get(row, END) === rows.get(row, START);
}
