/**
 * How large a number is: `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
 */

import { compareNumbers, Decimal, type JsonNumber } from '../json/decimal.ts';
import { exactNumber, writtenAs } from '../schema/exact.ts';
import type { Limit } from '../words/param-shapes.ts';
import { foundText, numberText } from '../words/value-text.ts';
import type { Family, Keyword } from './keyword.ts';

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
  minimum: bound('minimum', 'at least', (order) => order >= 0, {
    meaning: TOO_SMALL,
    schema: '{"minimum": 0}',
    wrong: '-1',
    right: '0',
  }),
  maximum: bound('maximum', 'at most', (order) => order <= 0, {
    meaning: TOO_LARGE,
    schema: '{"maximum": 99}',
    wrong: '120',
    right: '99',
  }),
  exclusiveMinimum: bound('exclusiveMinimum', 'more than', (order) => order > 0, {
    meaning: TOO_SMALL,
    schema: '{"exclusiveMinimum": 0}',
    wrong: '0',
    right: '0.5',
  }),
  exclusiveMaximum: bound('exclusiveMaximum', 'less than', (order) => order < 0, {
    meaning: TOO_LARGE,
    schema: '{"exclusiveMaximum": 1}',
    wrong: '1',
    right: '0.5',
  }),
};

/**
 * `than`: the words before the limit; `holds`: whether a number is within the limit, by the result of `compareNumbers`.
 */
function bound(
  name: keyof BoundParams,
  than: string,
  holds: (order: number) => boolean,
  text: Readonly<Record<'meaning' | 'schema' | 'wrong' | 'right', string>>,
): Keyword<Limit> {
  return {
    sentence: ({ limit, written }, found) =>
      `expected ${than} ${numberText(limit, written)}, found ${foundText(found)}`,
    yieldsToType: true,
    ofSchema: (node) => ({ limit: node[name]!, ...writtenAs(node, name) }),
    judge({ node }) {
      const limit = exactNumber(node, name);
      return (value) => holds(compareNumbers(value as JsonNumber, limit)); // asked about numbers
    },
    measure: (value) => (value instanceof Decimal ? value.double : (value as number)), // asked about numbers
    text: { ...text, fix: `Write a number that is ${than} params.limit.` },
  };
}
