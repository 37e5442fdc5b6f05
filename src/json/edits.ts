/**
 * Edits are data against the original bytes: sorted, never overlapping, and one function applies them.
 */

/** Text that is put in at an offset; nothing is taken away. */
export interface Insertion {
  /** Byte offset in the source. */
  readonly offset: number;
  readonly bytes: Uint8Array;
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
