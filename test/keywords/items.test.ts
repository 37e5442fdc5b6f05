/** Items of arrays: how many must match `contains`, in words, and which two are equal. */
import { describe, expect, it } from 'vitest';
import { ITEMS, WHOLE_ARRAY } from '../../src/keywords/items.ts';
import type { Found } from '../../src/words/value-text.ts';

const found: Found = { type: 'array', text: null, measured: (measure) => measure([1, 2, 3]) };
const { contains, uniqueItems } = WHOLE_ARRAY;

describe('contains', () => {
  it.each([
    [{ minContains: 1, found: 0 }, 'expected at least 1 item to match the schema under "contains", found none'],
    [{ minContains: 2, found: 1, wanted: 'a string' }, 'expected at least 2 items to be a string, found 1'],
    [{ minContains: 2, maxContains: 2, found: 1, wanted: '"a"' }, 'expected exactly 2 items to be "a", found 1'],
    [{ minContains: 0, maxContains: 1, wanted: '"a"' }, 'expected at most 1 item to be "a", found more'],
    [{ minContains: 1, maxContains: 3, wanted: '"a"' }, 'expected 1 to 3 items to be "a", found more'],
  ])('%j', (params, sentence) => {
    expect(contains.sentence(params, found)).toBe(sentence);
  });
});

describe('equal items', () => {
  it('are looked for if the schema says so', () => {
    expect(
      [true, false, undefined].map((one) => uniqueItems.comparesItems!(one === undefined ? {} : { uniqueItems: one })),
    ).toEqual([true, false, false]);
  });

  it('are named by their indexes', () => {
    const params = uniqueItems.ofPayload!({ first: 0, second: 0 }, { type: 'array', name: '', items: [1, 4] });
    expect(params).toEqual({ first: 1, second: 4 });
    expect(uniqueItems.sentence(params, found)).toBe('items 1 and 4 are equal');
  });
});

it('items that the schema does not know are counted', () => {
  expect(ITEMS.items.sentence({ limit: 1 }, found)).toBe('expected at most 1 item, found 3');
  expect(ITEMS.additionalItems.sentence({ limit: 2 }, found)).toBe('expected at most 2 items, found 3');
});
