/**
 * White space between the tokens of a JSON text: RFC 8259, section 2. Indexes into bytes.
 */

/** Space, line feed, carriage return or tab. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The first index from `at` that is not white space, or `end`. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isSpace(bytes[at]!)) at++;
  return at;
}

/** The end of `bytes[from, to)` without the white space at its end. */
export function withoutSpace(bytes: Uint8Array, from: number, to: number): number {
  while (to > from && isSpace(bytes[to - 1]!)) to--;
  return to;
}
