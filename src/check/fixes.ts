/**
 * Assigns the insertions of `fill` to the violations of a payload, as their fixes. Each insertion is the fix of one
 * violation, and no two are at the same place: all of them together, in any order, make the payload what `fill` writes.
 */

import { AT, type FillTable, fillAt, OBJECT, TEXT } from '../examine/fill-table.ts';
import { ascending } from '../examine/records.ts';
import type { Edit, Finding } from '../types.ts';

const NONE: readonly Edit[] = [];

export class Fixes {
  readonly #fills: FillTable;
  /** Row numbers, sorted by the place of the object. */
  readonly #byObject: readonly number[];
  /** By row: 1 if a violation is about the object of the row and its fix has not been returned yet. */
  readonly #isWaiting: Uint8Array;
  /** Rows of objects without a fixable violation: their insertions are returned with the payload's first fix. */
  #others: readonly number[] = [];

  /** `fills`: what `fill` inserts in the payload that has these findings. */
  constructor(findings: readonly Finding[], fills: FillTable) {
    this.#fills = fills;
    this.#byObject = ascending(fills.length, (row) => fillAt(fills, row, OBJECT));
    this.#isWaiting = new Uint8Array(fills.length);
    if (fills.length === 0) return;
    for (const { fixable, span } of findings) {
      const row = fixable ? this.#rowOf(span.start) : -1;
      if (row >= 0) this.#isWaiting[row] = 1;
    }
    const others: number[] = [];
    for (const [row, isWaiting] of this.#isWaiting.entries()) if (isWaiting === 0) others.push(row);
    this.#others = others;
  }

  /** The edits that fix a finding. Call it once for each finding, in order. */
  of({ fixable, span }: Finding): readonly Edit[] {
    if (!fixable) return NONE;
    const own = this.#rowOf(span.start);
    const others = this.#others;
    this.#others = [];
    if (own < 0 || this.#isWaiting[own] === 0) return others.map((row) => this.#editOf(row));
    this.#isWaiting[own] = 0;
    if (others.length === 0) return [this.#editOf(own)];
    return [...others, own].sort((a, b) => a - b).map((row) => this.#editOf(row));
  }

  #editOf(row: number): Edit {
    const { texts } = this.#fills;
    return { at: fillAt(this.#fills, row, AT), text: texts[fillAt(this.#fills, row, TEXT)]! };
  }

  /** The row for the object that begins at `start`, or -1. */
  #rowOf(start: number): number {
    let from = 0;
    let to = this.#byObject.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const row = this.#byObject[middle]!;
      const object = fillAt(this.#fills, row, OBJECT);
      if (object === start) return row;
      if (object < start) from = middle + 1;
      else to = middle;
    }
    return -1;
  }
}
