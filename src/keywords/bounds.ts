/**
 * How large a number is: `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
 */

import { foundText, numberText } from '../words/found.ts';
import type { Limit } from '../words/params.ts';
import { type Family, type Keyword, specification } from './keyword.ts';

export interface BoundParams {
  minimum: Limit;
  maximum: Limit;
  exclusiveMinimum: Limit;
  exclusiveMaximum: Limit;
}

const TOO_SMALL = 'The number is too small.';
const TOO_LARGE = 'The number is too large.';

/** @internal */
export const BOUNDS: Family<BoundParams> = {
  minimum: bound('minimum', 'at least', {
    meaning: TOO_SMALL,
    schema: '{"minimum": 0}',
    wrong: '-1',
    right: '0',
  }),
  maximum: bound('maximum', 'at most', {
    meaning: TOO_LARGE,
    schema: '{"maximum": 99}',
    wrong: '120',
    right: '99',
  }),
  exclusiveMinimum: bound('exclusiveMinimum', 'more than', {
    meaning: TOO_SMALL,
    schema: '{"exclusiveMinimum": 0}',
    wrong: '0',
    right: '0.5',
  }),
  exclusiveMaximum: bound('exclusiveMaximum', 'less than', {
    meaning: TOO_LARGE,
    schema: '{"exclusiveMaximum": 1}',
    wrong: '1',
    right: '0.5',
  }),
};

/** `than`: what the number must be, before the limit. */
function bound(
  name: keyof BoundParams,
  than: string,
  text: Readonly<Record<'meaning' | 'schema' | 'wrong' | 'right', string>>,
): Keyword<Limit> {
  return {
    sentence: ({ limit, written }, found) =>
      `expected ${than} ${numberText(limit, written)}, found ${foundText(found)}`,
    anchor: 'value',
    yieldsToType: true,
    ofSchema: (value) => ({ limit: value as number }), // checked when the schema was loaded
    text: { ...text, fix: `Write a number that is ${than} params.limit.` },
    link: specification('validation', name),
    hidesText: false,
  };
}
