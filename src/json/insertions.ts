/** Insertions as data against the original bytes, in ascending order, and the function that applies them. */
import type { Span } from './vocabulary.ts';

/** An insertion into a source. */
export interface ByteEdit {
  /** Byte offset in the source. */
  readonly offset: number;
  /** What is inserted. */
  readonly bytes: Uint8Array;
}

/** Any number of insertions in little memory: equal texts are stored once. Plain data, for threads. */
export interface InsertionList {
  readonly offsets: readonly number[];
  /** One per offset. Equal texts share memory. */
  readonly texts: readonly Uint8Array[];
}

export class InsertionLog implements InsertionList {
  readonly offsets: number[] = [];
  readonly texts: Uint8Array[] = [];
  readonly #known = new Map<string, Uint8Array>();

  /** The caller may reuse the bytes afterwards. */
  add({ offset, bytes }: ByteEdit): void {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    let text = this.#known.get(key);
    if (text === undefined) {
      text = new Uint8Array(bytes);
      this.#known.set(key, text);
    }
    this.offsets.push(offset);
    this.texts.push(text);
  }
}

/** `bytes[start, end)` with ascending insertions; `bytes[i]` is at `base + i`. Without any, memory is shared. */
export function applyEdits(
  bytes: Uint8Array,
  { start, end }: Span,
  base: number,
  { offsets, texts }: InsertionList,
): Uint8Array {
  if (offsets.length === 0) return bytes.subarray(start, end);
  const grown = texts.reduce((sum, text) => sum + text.length, 0);
  const out = Buffer.allocUnsafe(end - start + grown);
  let at = 0;
  let from = start;
  for (const [i, text] of texts.entries()) {
    const to = offsets[i]! - base;
    out.set(bytes.subarray(from, to), at);
    at += to - from;
    out.set(text, at);
    at += text.length;
    from = to;
  }
  out.set(bytes.subarray(from, end), at);
  return out;
}
