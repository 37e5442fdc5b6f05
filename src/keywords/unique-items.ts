/**
 * `uniqueItems`: no two items of an array are equal.
 */
import type { Family } from './keyword.ts';

export interface UniqueParams {
  /** Indexes of two equal items. */
  uniqueItems: { readonly first: number; readonly second: number };
}

/** @internal */
export const UNIQUE: Family<UniqueParams> = {
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
};
