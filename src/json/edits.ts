/** Edits as data against the original bytes, in ascending order and without overlap, and the functions that apply them. */
import { firstFrom } from './lines.ts';
import { entryOf } from './on-demand.ts';
import { LINE_FEED } from './skip.ts';
import type { Span } from './vocabulary.ts';

/** A change of a source: a number of bytes is replaced by others. */
export interface ByteEdit {
  /** Byte offset in the source. */
  readonly offset: number;
  /** Number of bytes that go. */
  readonly length: number;
  /** What is inserted in their place. */
  readonly bytes: Uint8Array;
}

/** Any number of edits in little memory: equal texts are stored once. Plain data, for threads. */
export interface EditList {
  readonly offsets: readonly number[];
  /** One per offset, as the texts. */
  readonly lengths: readonly number[];
  /** Equal texts share memory. */
  readonly texts: readonly Uint8Array[];
}

export class EditLog implements EditList {
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  readonly texts: Uint8Array[] = [];
  readonly #known = new Map<string, Uint8Array>();

  /** The caller may reuse the bytes afterwards. */
  add({ offset, length, bytes }: ByteEdit): void {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    this.offsets.push(offset);
    this.lengths.push(length);
    this.texts.push(entryOf(this.#known, key, () => new Uint8Array(bytes)));
  }
}

/** The edits of a list one by one. */
export function* editsIn({ offsets, lengths, texts }: EditList): Generator<ByteEdit> {
  for (const [i, offset] of offsets.entries()) yield { offset, length: lengths[i]!, bytes: texts[i]! };
}

/** Both lists in one. At one offset, what is inserted comes before what is removed. */
export function mergedEdits(insertions: EditList, deletions: EditList): EditList {
  if (insertions.offsets.length === 0) return deletions;
  const merged = { offsets: [] as number[], lengths: [] as number[], texts: [] as Uint8Array[] };
  const take = ({ offsets, lengths, texts }: EditList, i: number): void => {
    merged.offsets.push(offsets[i]!);
    merged.lengths.push(lengths[i]!);
    merged.texts.push(texts[i]!);
  };
  let at = 0;
  for (let i = 0; i < deletions.offsets.length; i++) {
    while (at < insertions.offsets.length && insertions.offsets[at]! <= deletions.offsets[i]!) take(insertions, at++);
    take(deletions, i);
  }
  while (at < insertions.offsets.length) take(insertions, at++);
  return merged;
}

/** `bytes[start, end)` with the edits, in memory from `room`; `bytes[i]` is at `base + i`. Without any, memory is shared. */
export function applyEdits(
  bytes: Uint8Array,
  { start, end }: Span,
  base: number,
  { offsets, lengths, texts }: EditList,
  room: (size: number) => Uint8Array = Buffer.allocUnsafe,
): Uint8Array {
  if (offsets.length === 0) return bytes.subarray(start, end);
  let grown = 0;
  for (const [i, text] of texts.entries()) grown += text.length - lengths[i]!;
  const out = room(end - start + grown);
  let at = 0;
  let from = start;
  for (const [i, text] of texts.entries()) {
    const to = offsets[i]! - base;
    out.set(bytes.subarray(from, to), at);
    at += to - from;
    out.set(text, at);
    at += text.length;
    from = to + lengths[i]!;
  }
  out.set(bytes.subarray(from, end), at);
  return out;
}

/**
 * Insertions into a payload, in the order of their places, without overlap. Rows of 16 bytes: as an object with its texts, one
 * would take two kilobytes, and a payload can have millions of them.
 */
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

export const NO_FILLS: FillTable = Object.freeze({ length: 0, rows: new Uint32Array(0), shapes: [], texts: [] });

/** The insertions as offsets and bytes; `base`: the offset of index 0. */
export function insertionsOf(table: FillTable, base = 0): EditList {
  const bytes = table.texts.map((text) => Buffer.from(text));
  const offsets: number[] = [];
  const texts: Uint8Array[] = [];
  for (let row = 0; row < table.length; row++) {
    offsets.push(base + fillAt(table, row, AT));
    texts.push(bytes[fillAt(table, row, TEXT)]!);
  }
  return { offsets, lengths: offsets.map(() => 0), texts };
}

export function fillAt({ rows }: FillTable, row: number, column: 0 | 1 | 2 | 3): number {
  return rows[row * FILL_WIDTH + column]!;
}

/** What was taken out of a value. */
export interface Pruned {
  /** By object: the names of members that it had. */
  readonly names: ReadonlyMap<object, ReadonlySet<string>>;
  /** Those objects, and the objects and arrays around them. */
  readonly around: ReadonlySet<object>;
  /** The value is valid without them. */
  readonly isValid: boolean;
}

/** Members that are removed from a payload, in the order of the text. What is inside of one is not listed. */
export interface Removals {
  readonly length: number;
  /**
   * `NAME`, `VALUE`, `FROM` and `TO` of each: indexes of its name and its value, and of the bytes that go with it. These
   * are next to each other, or apart, but never overlap; they are empty for a member that goes with an earlier one's.
   */
  readonly rows: readonly number[];
  /** How many there are by pointer, with `*` for any index, and for any name above the member that is in no schema. */
  readonly patterns: ReadonlyMap<string, number>;
}

export const REMOVAL_WIDTH = 4;
export const NAME = 0;
export const VALUE = 1;
export const FROM = 2;
export const TO = 3;

export const NO_REMOVALS: Removals = Object.freeze({ length: 0, rows: [], patterns: new Map() });

/** The bytes to remove, each range once; `base`: the offset of index 0. */
export function deletionsOf({ rows }: Removals, base = 0): EditList {
  const offsets: number[] = [];
  const lengths: number[] = [];
  for (let at = 0; at < rows.length; at += REMOVAL_WIDTH) {
    const [from, to] = [rows[at + FROM]!, rows[at + TO]!];
    if (from === to) continue;
    const last = offsets.length - 1;
    if (last >= 0 && offsets[last]! + lengths[last]! === base + from) lengths[last]! += to - from;
    else {
      offsets.push(base + from);
      lengths.push(to - from);
    }
  }
  return { offsets, lengths, texts: offsets.map(() => NO_BYTES) };
}

const NO_BYTES = new Uint8Array();

/** A payload as it is without what is removed from it. */
export interface PrunedText {
  /** The payload, after what is before it on its line. */
  readonly bytes: Buffer;
  readonly span: Span;
  /** The index in the original bytes of what is at an index here; of a place between two bytes, the first one. */
  readonly original: (at: number) => number;
}

/** `bytes[span)` without what `removals` takes out. */
export function withoutRemoved(bytes: Buffer, { start, end }: Span, removals: Removals): PrunedText {
  const deletions = deletionsOf(removals);
  const from = bytes.lastIndexOf(LINE_FEED, start) + 1;
  const text = applyEdits(bytes, { start: from, end }, 0, deletions);
  const { offsets, lengths } = deletions;
  /** By deletion: its index in the text that is left, and the number of bytes that are gone up to it. */
  const places: number[] = [];
  const gone = [0];
  for (const [i, offset] of offsets.entries()) {
    places.push(offset - from - gone[i]!);
    gone.push(gone[i]! + lengths[i]!);
  }
  const original = (at: number): number => from + at + gone[firstFrom(places, at)]!;
  const left = Buffer.from(text.buffer, text.byteOffset, text.length);
  return { bytes: left, span: { start: start - from, end: text.length }, original };
}

/** Insertions into a text, at the places of the text that it was made from. */
export function insertedBefore(fills: FillTable, original: PrunedText['original']): FillTable {
  const rows = fills.rows.slice(0, fills.length * FILL_WIDTH);
  for (let row = 0; row < rows.length; row += FILL_WIDTH) {
    rows[row + AT] = original(rows[row + AT]!);
    rows[row + OBJECT] = original(rows[row + OBJECT]! + 1) - 1; // a bracket, not a place before it
  }
  return { ...fills, rows };
}
