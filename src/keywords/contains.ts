/**
 * `contains`, with `minContains` and `maxContains`: how many items match a schema. All three give violations of `contains`.
 */
import { count } from '../words/value-text.ts';
import type { Family } from './keyword.ts';

interface Contains {
  readonly minContains: number;
  readonly maxContains?: number;
  /** How many items match; absent: more than `maxContains`. */
  readonly found?: number;
  /** What such items are, in words; absent: too many words are needed. */
  readonly wanted?: string;
}

export interface ContainsParams {
  contains: Contains;
}

/** @internal */
export const CONTAINS: Family<ContainsParams> = {
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
