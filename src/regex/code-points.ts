/**
 * Sets of code points, as the classes and escapes of regular expressions name them, and their UTF-8 bytes.
 * A set is a list of ranges, both ends included, in order, neither overlapping nor adjacent. Sets are never changed.
 */
import { memoized } from '../json/on-demand.ts';

export type CodePoints = readonly (readonly [first: number, last: number])[];

export const MAX_CODE_POINT = 0x10ffff;

/** From one character to another. */
export const range = (first: string, last = first): CodePoints[number] => [first.codePointAt(0)!, last.codePointAt(0)!];

export const DIGITS: CodePoints = [range('0', '9')];
/** `\w`, without the flag `i`. */
export const WORD: CodePoints = [range('0', '9'), range('A', 'Z'), range('_'), range('a', 'z')];
/** `\s`: ECMA-262, WhiteSpace and LineTerminator. */
export const SPACE: CodePoints = [
  ...[range('\t', '\r'), range(' '), range('\xa0'), range('\u1680'), range('\u2000', '\u200a')],
  ...[range('\u2028', '\u2029'), range('\u202f'), range('\u205f'), range('\u3000'), range('\ufeff')],
];
/** What `.` does not match. */
export const LINE_TERMINATORS: CodePoints = [range('\n'), range('\r'), range('\u2028', '\u2029')];

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

/** The set of all code points that are not in `ranges`, which may be in any order and overlap. */
export function complement(ranges: CodePoints): CodePoints {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of union(ranges)) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= MAX_CODE_POINT) rest.push([next, MAX_CODE_POINT]);
  return rest;
}

function within(set: CodePoints, first: number, last: number): CodePoints {
  return set
    .filter(([from, to]) => from <= last && to >= first)
    .map(([from, to]) => [Math.max(from, first), Math.min(to, last)]);
}

/**
 * The set of a class with properties, such as `\p{L}` or `[\p{L}_]`, in the version of Unicode of this Node. RegExp
 * itself tests whole blocks first, because most are completely inside or outside the set. It takes about 15 ms, once.
 */
export const propertySet = memoized((source: string) => setOf(source, 'u'));
/** The same, in either case. */
export const foldedSet = memoized((source: string) => setOf(source, 'iu'));
/** The same, as RegExp folds without the flag `u`: fewer characters are cases of one another. */
const plainFoldedSet = memoized((source: string) => setOf(source, 'i'));

/** With the other cases of its characters. `isUnicode`: as RegExp folds with the flag `u`. */
export function folded(set: CodePoints, isUnicode: boolean): CodePoints {
  // Quickly said of most characters of ASCII.
  if (set.every(([first, last]) => last < 0x41 || (first > 0x5a && last < 0x61) || (first > 0x7a && last < 0x80)))
    return set;
  const hex = (point: number): string => point.toString(16).padStart(4, '0');
  const classOf = (ranges: CodePoints, escaped: (point: number) => string): string =>
    `[${ranges.map((points) => points.map(escaped).join('-')).join('')}]`;
  if (isUnicode) return foldedSet(classOf(set, (point) => `\\u{${hex(point)}}`));
  const plain = plainFoldedSet(classOf(within(set, 0, 0xffff), (point) => `\\u${hex(point)}`));
  return [...plain, ...within(set, 0x10000, MAX_CODE_POINT)];
}

/** Throws SyntaxError. */
function setOf(source: string, flags: string): CodePoints {
  const some = new RegExp(source, flags);
  const every = new RegExp(`^${source}*$`, flags);
  const ranges: [number, number][] = [];
  // Blocks are tested as a whole before their parts are.
  const ask = (first: number, size: number): void => {
    // No block has a high surrogate before a low one, which would be a character.
    const text = String.fromCodePoint(...Array.from({ length: size }, (_, i) => first + i));
    if (!some.test(text)) return;
    if (every.test(text)) ranges.push([first, first + size - 1]);
    else if (size > 1) for (let i = 0; i < 16; i++) ask(first + (i * size) / 16, size / 16);
  };
  for (let first = 0; first <= MAX_CODE_POINT; first += 256) ask(first, 256);
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
    const cut = (first & mask) !== 0 ? (first | mask) + 1 : (last & mask) !== mask ? last & ~mask : null;
    if (cut === null) continue;
    split(first, cut - 1, continuations, sequences);
    split(cut, last, continuations, sequences);
    return;
  }
  const [from, to] = [encode(first, continuations), encode(last, continuations)];
  sequences.push(from.map((byte, i) => [byte, to[i]!]));
}

function encode(codePoint: number, continuations: number): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < continuations; i++) bytes.unshift(0x80 | ((codePoint >> (6 * i)) & 0x3f));
  return [LENGTHS[continuations]!.lead | (codePoint >> (6 * continuations)), ...bytes];
}
