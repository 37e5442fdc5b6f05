/**
 * Finds the end of a JSON value without checking it: it only counts brackets and skips strings. It can stop at the end of the
 * available bytes and continue when there are more, so that values of any size can be cut from a stream. Its result for a
 * malformed text is a guess; `scan` decides. And white space between tokens (RFC 8259, section 2). Indexes are those of bytes.
 */

export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;

/** Space, line feed, carriage return or tab. */
export function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
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

/** The line at index `at`, up to `to`, without white space around it. `isWhole`: a line feed ends it; `next` is after it. */
export function lineAt(bytes: Buffer, at: number, to: number) {
  const found = bytes.indexOf(LINE_FEED, at);
  const isWhole = found >= 0 && found < to;
  const lineEnd = isWhole ? found : to;
  const start = skipSpace(bytes, at, lineEnd);
  return { start, end: withoutSpace(bytes, start, lineEnd), next: isWhole ? found + 1 : to, isWhole };
}

/** Bytes that end a scalar: white space, `,` `:` `]` `}` `[` `{` `"` and the record separator of RFC 7464. */
const ENDS_SCALAR = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09, 0x2c, 0x3a, 0x5d, 0x7d, 0x5b, 0x7b, 0x22, 0x1e]) ENDS_SCALAR[byte] = 1;

/** The state of a walk through one value. */
export class ValueSkipper {
  #depth = 0;
  #inString = false;
  /** True if the value is a bare number or word, which ends only at the byte after it. */
  inScalar = false;
  /** The input was split between a backslash and the byte it escapes. */
  #skipNext = false;

  /** Starts again, at the first byte of a value. */
  reset(): void {
    this.#depth = 0;
    this.#inString = false;
    this.inScalar = false;
    this.#skipNext = false;
  }

  /**
   * Continues at index `at`. Returns the index after the value, or -1 if it does not end before `end`; then call again for the
   * bytes that follow. A scalar that reaches `end` returns -1: at the end of the input, the caller knows that it is complete.
   */
  run(bytes: Uint8Array, at: number, end: number): number {
    while (at < end) {
      if (this.#inString) {
        at = this.#string(bytes, at, end);
        if (this.#inString) return -1;
        if (this.#depth === 0) return at;
        continue;
      }
      const byte = bytes[at]!;
      if (this.inScalar) {
        if (ENDS_SCALAR[byte] === 1) return at;
        at++;
        continue;
      }
      at++;
      if (byte === 0x22) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) this.#depth++;
      else if (byte === 0x7d || byte === 0x5d) {
        if (--this.#depth <= 0) return at;
      } else if (this.#depth === 0) this.inScalar = true;
    }
    return -1;
  }

  /** Skips to after the closing quote. The second byte of an escape is skipped even if the input is split before it. */
  #string(bytes: Uint8Array, at: number, end: number): number {
    if (this.#skipNext && at < end) {
      this.#skipNext = false;
      at++;
    }
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === 0x22) {
        this.#inString = false;
        return at + 1;
      }
      if (byte === 0x5c) {
        if (at + 1 >= end) {
          this.#skipNext = true;
          return end;
        }
        at += 2;
      } else at++;
    }
    return end;
  }
}

/** The index after the value that begins at `at` in well-formed text, at most `end`. */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  do {
    const byte = bytes[at++];
    if (byte === QUOTE) {
      while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      at++;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    else if (depth === 0) while (at < end && ENDS_SCALAR[bytes[at]!] === 0) at++;
  } while (depth > 0 && at < end);
  return Math.min(at, end);
}

/** True if brackets are nested deeper than `levels` in the well-formed text in `bytes`, in the range of the span. */
export function nestsDeeper(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  levels: number,
): boolean {
  let depth = 0;
  for (let at = start; at < end; ) {
    const byte = bytes[at]!;
    if (byte === 0x22) at = skipValue(bytes, at, end);
    else {
      at++;
      if (byte === 0x7b || byte === 0x5b) depth++;
      else if (byte === 0x7d || byte === 0x5d) depth--;
      if (depth > levels) return true;
    }
  }
  return false;
}
