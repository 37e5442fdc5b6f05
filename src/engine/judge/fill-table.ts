/**
 * The insertions that fill in one payload, as numbers: 16 bytes each. As an object with its texts, one would take two
 * kilobytes, and a payload can have millions of them. Plain data, for threads.
 */
import type { InsertionList } from '../../json/insertions.ts';

/** Insertions in the order of their places, without overlap. */
export interface FillTable {
  readonly length: number;
  /** `AT`, `OBJECT`, `SHAPE` and `TEXT` of each insertion. It can be longer than all insertions. */
  readonly rows: Uint32Array;
  readonly shapes: readonly FillShape[];
  readonly texts: readonly string[];
}

/** The common part of the insertions in similar objects. */
export interface FillShape {
  /** Where the objects are: a JSON Pointer with `*` for any index, and for any name that is in no schema. */
  readonly pattern: string;
  /** What is added to each of them, in the order of the text. */
  readonly members: readonly FilledMember[];
}

/** A member that is filled in. */
export interface FilledMember {
  readonly name: string;
  /** The value as JSON text, with the notation of its schema. */
  readonly text: string;
}

export const FILL_WIDTH = 4;
/** Index at which the text is inserted, in the bytes that contain the payload. It is between the brackets of the object. */
export const AT = 0;
/** Index of the opening bracket of the object. */
export const OBJECT = 1;
/** Indexes into the lists. */
export const SHAPE = 2;
export const TEXT = 3;

export const NO_FILLS: FillTable = Object.freeze({
  length: 0,
  rows: new Uint32Array(0),
  shapes: [],
  texts: [],
});

/** The insertions as offsets and bytes; `base`: the offset of index 0. */
export function insertionsOf(table: FillTable, base = 0): InsertionList {
  const bytes = table.texts.map((text) => Buffer.from(text));
  const offsets: number[] = [];
  const texts: Uint8Array[] = [];
  for (let row = 0; row < table.length; row++) {
    offsets.push(base + fillAt(table, row, AT));
    texts.push(bytes[fillAt(table, row, TEXT)]!);
  }
  return { offsets, texts };
}

/** One number of an insertion. */
export function fillAt({ rows }: FillTable, row: number, column: 0 | 1 | 2 | 3): number {
  return rows[row * FILL_WIDTH + column]!;
}
