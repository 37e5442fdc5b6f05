/** Lengths: code points, which are counted only where it matters; items and members; and the sentences, which count exactly. */
import { describe, expect, it } from 'vitest';
import type { Family } from '../../src/keywords/keyword.ts';
import { ARRAY_LENGTHS, OBJECT_LENGTHS, STRING_LENGTHS } from '../../src/keywords/lengths.ts';
import { madeSchema } from '../../src/schema/node.ts';

const ALL: Family<Record<string, { readonly limit: number }>> = {
  ...STRING_LENGTHS,
  ...ARRAY_LENGTHS,
  ...OBJECT_LENGTHS,
};

function holds(keyword: string, limit: number, value: unknown): boolean {
  const node = madeSchema({ [keyword]: limit });
  return ALL[keyword]!.judge!({ node, pattern: () => () => true, format: () => null })!(value);
}

const PAIRS = '👍👍'; // two code points, four code units

describe('the limit', () => {
  it.each([
    ['minLength', 2, ['ab', PAIRS], ['a', '👍', '']],
    ['maxLength', 2, ['', 'ab', PAIRS, 'a👍'], ['abc', '👍👍👍', 'ab👍', 'abcde']],
    ['maxLength', 3, ['👍👍👍', 'a👍b'], ['👍👍👍👍', 'abcd']],
    ['minLength', 3, ['👍👍👍', 'a👍b'], [PAIRS, 'a👍']],
    ['minLength', 0, [''], []],
    ['minItems', 1, [[1], [[], []]], [[]]],
    ['maxItems', 1, [[], [1]], [[1, 2]]],
    ['minProperties', 1, [{ a: 1 }], [{}]],
    ['maxProperties', 1, [{}, { a: 1 }], [{ a: 1, b: 2 }]],
  ])('%s %i', (keyword, limit, right, wrong) => {
    expect(right.filter((value) => !holds(keyword, limit, value))).toEqual([]);
    expect(wrong.filter((value) => holds(keyword, limit, value))).toEqual([]);
  });
});

describe('the measure', () => {
  const measure = STRING_LENGTHS.minLength.measure!;

  it('is exact outside of what is asked, and saves the count inside', () => {
    expect(measure('👍'.repeat(50), Number.POSITIVE_INFINITY, 0)).toBe(50);
    expect(measure('👍'.repeat(50), 10, 1000)).toBe(10);
    // It may be below the least: fewer than twice as many units.
    expect(measure('👍'.repeat(5), 6, 1000)).toBe(5);
    // It may be above the most.
    expect(measure('a'.repeat(50), 10, 40)).toBe(50);
  });
});

it('the sentence counts what is there', () => {
  const found = (value: unknown) =>
    ({ type: 'string', text: null, measured: (measure: (it: unknown) => number) => measure(value) }) as const;
  expect(STRING_LENGTHS.maxLength.sentence({ limit: 1 }, found(PAIRS))).toBe('expected at most 1 character, found 2');
  expect(ARRAY_LENGTHS.minItems.sentence({ limit: 2 }, found([1]))).toBe('expected at least 2 items, found 1');
  expect(OBJECT_LENGTHS.maxProperties.sentence({ limit: 0 }, found({ a: 1 }))).toBe(
    'expected at most 0 members, found 1',
  );
});
