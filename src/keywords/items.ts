/**
 * Keywords about the items of an array: `items` and `additionalItems` as `false`; `contains` with `minContains` and
 * `maxContains`, which all give violations of `contains`; and `uniqueItems`.
 */
import type { Limit } from '../words/rule.ts';
import { count } from '../words/value-text.ts';
import type { Family } from './keyword.ts';
import { atMostItems } from './lengths.ts';

export interface ItemParams {
  items: Limit;
  additionalItems: Limit;
}

/** What `explain` says about both. */
const NO_OTHER_ITEM_TEXT = {
  meaning: 'The array has more items than the schema knows.',
  fix: 'Remove those after the first params.limit.',
  wrong: '["x", "y"]',
  right: '["x"]',
};

/** @internal */
export const ITEMS: Family<ItemParams> = {
  items: { sentence: atMostItems, text: { ...NO_OTHER_ITEM_TEXT, schema: '{"prefixItems": [true], "items": false}' } },
  additionalItems: {
    sentence: atMostItems,
    text: { ...NO_OTHER_ITEM_TEXT, schema: '{"items": [true], "additionalItems": false}' },
  },
};

interface Contains {
  readonly minContains: number;
  readonly maxContains?: number;
  /** How many items match; absent: more than `maxContains`. */
  readonly found?: number;
  /** What such items are, in words; absent: too many words are needed. */
  readonly wanted?: string;
}

export interface WholeArrayParams {
  /** Indexes of two equal items. */
  uniqueItems: { readonly first: number; readonly second: number };
  contains: Contains;
}

/** @internal */
export const WHOLE_ARRAY: Family<WholeArrayParams> = {
  uniqueItems: {
    sentence: ({ first, second }) => `items ${first} and ${second} are equal`,
    comparesItems: ({ uniqueItems }) => uniqueItems === true,
    ofPayload: (_, { items: [first, second] }) => ({ first, second }),
    text: {
      meaning: 'Two items of the array are equal.',
      fix: 'Remove one; the message says which two.',
      schema: '{"uniqueItems": true}',
      wrong: '[1, 1.0]',
      right: '[1, 2]',
    },
  },
  contains: {
    sentence: containsText,
    text: {
      meaning: 'Too few or too many items match the schema under "contains".',
      fix: 'Add or remove such items.',
      schema: '{"contains": {"const": "x"}}',
      wrong: '["y"]',
      right: '["x", "y"]',
    },
  },
};

function containsText({ minContains, maxContains, found, wanted }: Contains): string {
  const items = wanted === undefined ? 'to match the schema under "contains"' : `to be ${wanted}`;
  const counted = found === undefined ? 'more' : found === 0 ? 'none' : found;
  return `expected ${numberOf(minContains, maxContains)} ${items}, found ${counted}`;
}

function numberOf(least: number, most: number | undefined): string {
  if (most === undefined) return `at least ${count(least, 'item')}`;
  if (least === most) return `exactly ${count(most, 'item')}`;
  return least === 0 ? `at most ${count(most, 'item')}` : `${least} to ${count(most, 'item')}`;
}
