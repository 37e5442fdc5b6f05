/** Edits as data against the original bytes, in ascending order and without overlap, and the function that applies them. */
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
    let text = this.#known.get(key);
    if (text === undefined) {
      text = new Uint8Array(bytes);
      this.#known.set(key, text);
    }
    this.offsets.push(offset);
    this.lengths.push(length);
    this.texts.push(text);
  }
}

/** The edits of a list one by one. */
export function* editsIn({ offsets, lengths, texts }: EditList): Generator<ByteEdit> {
  for (const [i, offset] of offsets.entries()) yield { offset, length: lengths[i]!, bytes: texts[i]! };
}

/** Both lists in one. At one offset, what is inserted comes before what is removed. */
export function mergedEdits(insertions: EditList, deletions: EditList): EditList {
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

/** `bytes[start, end)` with the edits; `bytes[i]` is at `base + i`. Without any, memory is shared. */
export function applyEdits(
  bytes: Uint8Array,
  { start, end }: Span,
  base: number,
  { offsets, lengths, texts }: EditList,
): Uint8Array {
  if (offsets.length === 0) return bytes.subarray(start, end);
  let grown = 0;
  for (const [i, text] of texts.entries()) grown += text.length - lengths[i]!;
  const out = Buffer.allocUnsafe(end - start + grown);
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
