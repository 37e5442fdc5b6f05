/**
 * The keywords about items without a schema: `items` and `additionalItems` as `false`.
 */
import type { Limit } from '../words/param-shapes.ts';
import type { Family } from './keyword.ts';
import { atMost } from './lengths.ts';

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
  items: {
    sentence: atMost('item'),
    text: { ...NO_OTHER_ITEM_TEXT, schema: '{"prefixItems": [true], "items": false}' },
  },
  additionalItems: {
    sentence: atMost('item'),
    text: { ...NO_OTHER_ITEM_TEXT, schema: '{"items": [true], "additionalItems": false}' },
  },
};
