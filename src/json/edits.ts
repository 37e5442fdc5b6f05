/**
 * Edits as data against the original bytes, in ascending order and without overlap, and the function that applies them.
 */

/** A change of a source: it inserts, replaces or deletes. */
export interface ByteEdit {
  /** Byte offset in the source. */
  readonly offset: number;
  /** Bytes from `offset` on that are replaced; absent: none. */
  readonly removed?: number;
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

  /** The caller may reuse the bytes afterwards. Throws a RangeError for an edit that removes bytes. */
  add({ offset, removed = 0, bytes }: ByteEdit): void {
    if (removed > 0) throw new RangeError('a list of insertions has no place for what removes bytes');
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

/**
 * The bytes of `bytes[start, end)` with `edits` applied (ascending, without overlap, within that range; `bytes[i]` is
 * at source offset `base + i`). Without edits, the result shares memory with `bytes`.
 */
export function applyEdits(
  bytes: Uint8Array,
  base: number,
  start: number,
  end: number,
  edits: readonly ByteEdit[],
): Uint8Array {
  if (edits.length === 0) return bytes.subarray(start, end);
  const grown = edits.reduce((sum, { bytes: text, removed = 0 }) => sum + text.length - removed, 0);
  const out = Buffer.allocUnsafe(end - start + grown);
  let at = 0;
  let from = start;
  for (const { offset, removed = 0, bytes: text } of edits) {
    const to = offset - base;
    out.set(bytes.subarray(from, to), at);
    at += to - from;
    out.set(text, at);
    at += text.length;
    from = to + removed;
  }
  out.set(bytes.subarray(from, end), at);
  return out;
}
