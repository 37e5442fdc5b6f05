/**
 * Sets of code points, as the classes and escapes of regular expressions name them, and their UTF-8 bytes.
 * A set is a list of ranges, both ends included, in order, neither overlapping nor adjacent. Sets are never changed.
 */
import { memoized } from '../json/on-demand.ts';

export type CodePoints = readonly (readonly [first: number, last: number])[];

export const MAX_CODE_POINT = 0x10ffff;

export const DIGITS: CodePoints = [[0x30, 0x39]];
/** `\w`, without the flag `i`. */
export const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** `\s`: ECMA-262, WhiteSpace and LineTerminator. */
export const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
/** What `.` does not match. */
export const LINE_TERMINATORS: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** The set of all code points in `ranges`, which may be in any order and overlap. */
export function union(ranges: CodePoints): CodePoints {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** All from 0 to `max` that are not in `set`. */
export function complement(set: CodePoints, max: number): CodePoints {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= max) rest.push([next, max]);
  return rest;
}

export function within(set: CodePoints, first: number, last: number): CodePoints {
  return set
    .filter((range) => range[0] <= last && range[1] >= first)
    .map((range) => [Math.max(range[0], first), Math.min(range[1], last)]);
}

/** Sizes of the blocks that are tested as a whole before their parts are. */
const BLOCKS = [256, 16, 1] as const;

/**
 * The set of a class with properties, such as `\p{L}` or `[\p{L}_]`, in the version of Unicode of this Node. RegExp
 * itself tests whole blocks first, because most are completely inside or outside the set. It takes about 15 ms, once.
 */
export const propertySet = memoized((source: string) => setOf(source, 'u'));
/** The same, in either case. */
export const foldedSet = memoized((source: string) => setOf(source, 'iu'));
/** The same, as RegExp folds without the flag `u`. */
export const plainFoldedSet = memoized((source: string) => setOf(source, 'i'));

/** Throws SyntaxError. */
function setOf(source: string, flags: string): CodePoints {
  const some = new RegExp(source, flags);
  const every = new RegExp(`^${source}*$`, flags);
  const ranges: [number, number][] = [];
  const ask = (first: number, level: 0 | 1 | 2): void => {
    const size = BLOCKS[level];
    // No block has a high surrogate before a low one, which would be a character.
    const text = String.fromCodePoint(...Array.from({ length: size }, (_, i) => first + i));
    if (!some.test(text)) return;
    if (every.test(text)) ranges.push([first, first + size - 1]);
    else if (level < 2) for (let at = 0; at < size; at += BLOCKS[level + 1]!) ask(first + at, level === 0 ? 1 : 2);
  };
  for (let first = 0; first <= MAX_CODE_POINT; first += BLOCKS[0]) ask(first, 0);
  return union(ranges);
}

/**
 * One range per byte of a character: 1 to 4 of them. Lone surrogates, which JSON strings can have, are three bytes (WTF-8).
 *
 * The bytes to match are well-formed. So a range may include bytes that never occur, such as overlong forms, if that makes
 * it simpler: "all from U+0800 to U+FFFF" is one range for each of three bytes.
 */
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
