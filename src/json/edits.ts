/**
 * Edits are data against the original bytes: sorted, never overlapping, and one function applies them.
 */

/** Text that is put in at an offset; nothing is taken away. */
export interface Insertion {
  /** Byte offset in the source. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Any number of insertions, in little memory: equal texts are kept once. Plain data, for threads. */
export interface InsertionList {
  readonly offsets: readonly number[];
  /** As many as there are offsets, many of them the same memory. */
  readonly texts: readonly Uint8Array[];
}

export class InsertionLog implements InsertionList {
  readonly offsets: number[] = [];
  readonly texts: Uint8Array[] = [];
  readonly #known = new Map<string, Uint8Array>();

  /** The bytes may be used again afterwards. */
  add({ offset, bytes }: Insertion): void {
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
 * The bytes of `bytes[start, end)` with `insertions` (ascending, within that range; `bytes[i]` is at source offset `base + i`) put in.
 * The same memory where there is none.
 */
export function applyInsertions(
  bytes: Uint8Array,
  base: number,
  start: number,
  end: number,
  insertions: readonly Insertion[],
): Uint8Array {
  if (insertions.length === 0) return bytes.subarray(start, end);
  const added = insertions.reduce((sum, insertion) => sum + insertion.bytes.length, 0);
  const out = Buffer.allocUnsafe(end - start + added);
  let at = 0;
  let from = start;
  for (const { offset, bytes: text } of insertions) {
    const to = offset - base;
    out.set(bytes.subarray(from, to), at);
    at += to - from;
    out.set(text, at);
    at += text.length;
    from = to;
  }
  out.set(bytes.subarray(from, end), at);
  return out;
}
