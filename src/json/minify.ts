/** Well-formed JSON texts without white space between tokens, or laid out with two spaces. Other bytes stay. */
import { BACKSLASH, COLON, COMMA, isSpace, QUOTE, skipSpace, skipValue } from './skip.ts';
import type { Span } from './vocabulary.ts';

const SPACE = 0x20;

/** Writes the text in `span` to `out` from `to` on, without white space. Returns the index after it. A hot loop. */
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

/**
 * The texts in `bytes[at, end)` as elements of an array, laid out as `JSON.stringify` does with two spaces: each with a
 * comma, a line feed and its indentation before it. Gives the bytes in pieces.
 */
export function* layOut(bytes: Buffer, at: number, end: number): Generator<Buffer> {
  // One character for each byte.
  let out = '';
  let depth = 0;
  while (at < end) {
    if (out.length >= PIECE) {
      yield Buffer.from(out, 'latin1');
      out = '';
    }
    const byte = bytes[at]!;
    if (isSpace(byte) || (depth === 0 && byte === COMMA)) {
      at++;
      continue;
    }
    if (depth === 0) out += `,${line(1)}`;
    const from = at++;
    switch (byte) {
      case COMMA:
        out += `,${line(depth + 1)}`;
        break;
      case COLON:
        out += ': ';
        break;
      case 0x7b:
      case 0x5b:
        at = skipSpace(bytes, at, end);
        out += String.fromCharCode(byte);
        // An empty one stays on its line.
        if (bytes[at] === byte + 2) out += String.fromCharCode(bytes[at++]!);
        else out += line(++depth + 1);
        break;
      case 0x7d:
      case 0x5d:
        out += line(depth--) + String.fromCharCode(byte);
        break;
      default:
        at = skipValue(bytes, from, end);
        out += bytes.toString('latin1', from, at);
    }
  }
  yield Buffer.from(out, 'latin1');
}

function line(level: number): string {
  return `\n${'  '.repeat(level)}`;
}
