/**
 * Sets of code points, as the classes and escapes of regular expressions name them.
 * A set is a list of ranges, both ends included, in order, neither overlapping nor adjacent. Sets are never changed.
 */

export type CodePoints = readonly (readonly [first: number, last: number])[];

export const MAX_CODE_POINT = 0x10ffff;
export const MAX_CODE_UNIT = 0xffff;

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
export const SURROGATES: CodePoints = [[0xd800, 0xdfff]];

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

/** The code points of `set` from `first` to `last`. */
export function within(set: CodePoints, first: number, last: number): CodePoints {
  return set
    .filter((range) => range[0] <= last && range[1] >= first)
    .map((range) => [Math.max(range[0], first), Math.min(range[1], last)]);
}

/** Sizes of the blocks that are tested as a whole before their parts are. */
const BLOCKS = [256, 16, 1] as const;

const PROPERTIES = new Map<string, CodePoints>();

/**
 * The set of a class with properties, such as `\p{L}` or `[\p{L}_]`, in the version of Unicode of this Node. RegExp
 * itself tests whole blocks first, because most are completely inside or outside the set. It takes about 15 ms, once.
 */
export function propertySet(source: string): CodePoints {
  const known = PROPERTIES.get(source);
  if (known !== undefined) return known;
  const some = new RegExp(source, 'u');
  const every = new RegExp(`^${source}*$`, 'u');
  const ranges: [number, number][] = [];
  const ask = (first: number, level: 0 | 1 | 2): void => {
    const size = BLOCKS[level];
    // No block has a high surrogate before a low one, which would be a character.
    const text = String.fromCodePoint(...Array.from({ length: size }, (_, i) => first + i));
    if (!some.test(text)) return;
    if (every.test(text)) ranges.push([first, first + size - 1]);
    else if (level < 2)
      for (let at = 0; at < size; at += BLOCKS[level + 1]!) ask(first + at, level === 0 ? 1 : 2);
  };
  for (let first = 0; first <= MAX_CODE_POINT; first += BLOCKS[0]) ask(first, 0);
  const set = union(ranges);
  PROPERTIES.set(source, set);
  return set;
}
