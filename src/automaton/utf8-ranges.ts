/**
 * Ranges of code points to ranges of UTF-8 bytes. Lone surrogates, which JSON strings can have, are three bytes
 * (WTF-8).
 *
 * The bytes to match are well-formed. So a range may include bytes that never occur, such as overlong forms, if that
 * makes it simpler: "all from U+0800 to U+FFFF" is one range for each of three bytes.
 */
import type { CodePoints } from './code-points.ts';

/** One range per byte of a character: 1 to 4 of them. */
export type ByteRanges = readonly (readonly [first: number, last: number])[];

/** For 1 to 4 bytes: the code points of that length, and the bits of the first byte that give the length. */
const LENGTHS = [
  { first: 0, last: 0x7f, lead: 0 },
  { first: 0x80, last: 0x7ff, lead: 0xc0 },
  { first: 0x800, last: 0xffff, lead: 0xe0 },
  { first: 0x10000, last: 0x10ffff, lead: 0xf0 },
] as const;

/** The largest code point that four bytes could encode. */
const LAST_OF_FOUR = 0x1fffff;

/** Sequences that together match the characters of `set`, and no other character. */
export function byteRanges(set: CodePoints): ByteRanges[] {
  const sequences: ByteRanges[] = [];
  for (const [first, last] of set) {
    for (const [i, length] of LENGTHS.entries()) {
      if (first > length.last || last < length.first) continue;
      // Code points below the first of this length, and above the last of all, never occur in this length.
      const from = first <= length.first ? 0 : first;
      const to = last >= length.last ? (i === 3 ? LAST_OF_FOUR : length.last) : last;
      split(from, to, i, sequences);
    }
  }
  return sequences;
}

/** Splits `[first, last]` until each byte after the first one that differs has its full range. */
function split(first: number, last: number, continuations: number, sequences: ByteRanges[]): void {
  for (let i = 1; i <= continuations; i++) {
    const mask = (1 << (6 * i)) - 1;
    if ((first & ~mask) === (last & ~mask)) continue;
    if ((first & mask) !== 0) {
      split(first, first | mask, continuations, sequences);
      split((first | mask) + 1, last, continuations, sequences);
      return;
    }
    if ((last & mask) !== mask) {
      split(first, (last & ~mask) - 1, continuations, sequences);
      split(last & ~mask, last, continuations, sequences);
      return;
    }
  }
  const [from, to] = [encode(first, continuations), encode(last, continuations)];
  sequences.push(from.map((byte, i) => [byte, to[i]!]));
}

function encode(codePoint: number, continuations: number): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < continuations; i++) bytes.unshift(0x80 | ((codePoint >> (6 * i)) & 0x3f));
  return [LENGTHS[continuations]!.lead | (codePoint >> (6 * continuations)), ...bytes];
}
