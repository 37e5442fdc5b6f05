/**
 * Well-formed JSON texts without the white space between their tokens, or laid out with two spaces. Every other byte
 * stays: numbers, escapes, the order of members.
 */
import type { Span } from './vocabulary.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Bytes that end a number, true, false or null. */
const ENDS_SCALAR = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09, COMMA, COLON, 0x5d, 0x7d, 0x5b, 0x7b, QUOTE]) ENDS_SCALAR[byte] = 1;

/**
 * Writes the text in `span` to `out` from `to` on, without the white space between its tokens, and returns the index
 * after it. A hot loop, so the function is long.
 */
export function minify(bytes: Uint8Array, span: Span, out: Uint8Array, to: number): number {
  const { end } = span;
  let at = span.start;
  while (at < end) {
    const byte = bytes[at++]!;
    // Outside of strings, only white space has such a low code.
    if (byte <= SPACE) continue;
    out[to++] = byte;
    if (byte !== QUOTE) continue;
    for (;;) {
      const inner = bytes[at++]!;
      out[to++] = inner;
      if (inner === QUOTE) break;
      if (inner === BACKSLASH) out[to++] = bytes[at++]!;
    }
  }
  return to;
}

/** Bytes of a text that is laid out come in pieces of about this size. */
const PIECE = 1 << 20;

/** A buffer for laid-out text that grows on demand. */
class Growing {
  #bytes = Buffer.allocUnsafe(1 << 12);
  #size = 0;

  get isLarge(): boolean {
    return this.#size >= PIECE;
  }

  push(byte: number): void {
    if (this.#size === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#size++] = byte;
  }

  /** A line feed, and two spaces for each level. */
  line(level: number): void {
    const count = 1 + 2 * level;
    if (this.#size + count > this.#bytes.length) this.#grow(count);
    this.#bytes[this.#size] = LINE_FEED;
    this.#bytes.fill(SPACE, this.#size + 1, this.#size + count);
    this.#size += count;
  }

  copy(bytes: Uint8Array, from: number, to: number): void {
    const count = to - from;
    if (this.#size + count > this.#bytes.length) this.#grow(count);
    this.#bytes.set(bytes.subarray(from, to), this.#size);
    this.#size += count;
  }

  take(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  #grow(count: number): void {
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#size + count));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}

/**
 * The texts in `bytes[at, end)` as elements of an array, laid out as `JSON.stringify` does with two spaces: each with a
 * comma, a line feed and its indentation before it. Gives the bytes in pieces.
 */
export function* layOut(bytes: Uint8Array, at: number, end: number): Generator<Buffer> {
  let out = new Growing();
  let depth = 0;
  while (at < end) {
    if (out.isLarge) {
      yield out.take();
      out = new Growing();
    }
    const byte = bytes[at]!;
    if (byte <= SPACE || (depth === 0 && byte === COMMA)) {
      at++;
      continue;
    }
    if (depth === 0) {
      out.push(COMMA);
      out.line(1);
    }
    const folded = byte | 0x20;
    if (folded === 0x7b) {
      out.push(byte);
      at = spaceAfter(bytes, at + 1, end);
      if (bytes[at] === byte + 2) out.push(bytes[at++]!);
      else out.line(++depth + 1);
    } else if (folded === 0x7d) {
      out.line(depth--);
      out.push(byte);
      at++;
    } else if (byte === COMMA) {
      out.push(byte);
      out.line(depth + 1);
      at++;
    } else if (byte === COLON) {
      out.push(byte);
      out.push(SPACE);
      at++;
    } else {
      const after = byte === QUOTE ? stringEnd(bytes, at) : scalarEnd(bytes, at, end);
      out.copy(bytes, at, after);
      at = after;
    }
  }
  yield out.take();
}

function spaceAfter(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at]! <= SPACE) at++;
  return at;
}

function stringEnd(bytes: Uint8Array, at: number): number {
  for (at++; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

function scalarEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && ENDS_SCALAR[bytes[at]!] === 0) at++;
  return at;
}
