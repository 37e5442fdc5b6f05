/**
 * `contains`, with `minContains` and `maxContains`: how many items match a schema. All three give violations of `contains`.
 */
import { count } from '../words/found.ts';
import { type Family, specification } from './keyword.ts';

interface Contains {
  readonly minContains: number;
  readonly maxContains?: number;
}

export interface ContainsParams {
  contains: Contains;
}

/** @internal */
export const CONTAINS: Family<ContainsParams> = {
  contains: {
    sentence: containsText,
    anchor: 'value',
    text: {
      meaning: 'Too few or too many items match the schema under "contains".',
      fix: 'Add or remove such items.',
      schema: '{"contains": {"const": "x"}}',
      wrong: '["y"]',
      right: '["x", "y"]',
    },
    link: specification('core', 'contains'),
    hidesText: false,
  },
};

function containsText({ minContains, maxContains }: Contains): string {
  if (maxContains === undefined)
    return `expected at least ${count(minContains, 'item')} to match the schema under "contains"`;
  return `expected ${minContains} to ${count(maxContains, 'item')} to match the schema under "contains"`;
}
