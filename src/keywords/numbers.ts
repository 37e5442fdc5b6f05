/** Bounds of numbers, and `multipleOf`. Numbers are compared exactly, as they are written. */
import { compareNumbers, Decimal, isMultipleOf, type JsonNumber } from '../json/decimal.ts';
import { exactNumber, writtenAs } from '../schema/exact.ts';
import type { Limit } from '../words/rule.ts';
import { foundText, numberText } from '../words/value-text.ts';
import type { Family, Keyword } from './keyword.ts';

interface Bounds {
  minimum: Limit;
  maximum: Limit;
  exclusiveMinimum: Limit;
  exclusiveMaximum: Limit;
}

export interface NumberParams extends Bounds {
  /** `written`: the divisor as the schema writes it, if a double prints it in another way. */
  multipleOf: { readonly divisor: number; readonly written?: string };
}

const TOO_SMALL = 'The number is too small.';
const TOO_LARGE = 'The number is too large.';

/** @internal */
export const NUMBERS: Family<NumberParams> = {
  minimum: bound('minimum', 'at least', (a, b) => a >= b, {
    meaning: TOO_SMALL,
    schema: '{"minimum": 0}',
    wrong: '-1',
    right: '0',
  }),
  maximum: bound('maximum', 'at most', (a, b) => a <= b, {
    meaning: TOO_LARGE,
    schema: '{"maximum": 99}',
    wrong: '120',
    right: '99',
  }),
  exclusiveMinimum: bound('exclusiveMinimum', 'more than', (a, b) => a > b, {
    meaning: TOO_SMALL,
    schema: '{"exclusiveMinimum": 0}',
    wrong: '0',
    right: '0.5',
  }),
  exclusiveMaximum: bound('exclusiveMaximum', 'less than', (a, b) => a < b, {
    meaning: TOO_LARGE,
    schema: '{"exclusiveMaximum": 1}',
    wrong: '1',
    right: '0.5',
  }),
  multipleOf: {
    sentence: ({ divisor, written }, found) =>
      `expected a multiple of ${numberText(divisor, written)}, found ${foundText(found)}`,
    yieldsToType: true,
    ofSchema: (node) => ({ divisor: node.multipleOf!, ...writtenAs(node, 'multipleOf') }),
    judge({ node }) {
      const divisor = exactNumber(node, 'multipleOf');
      return (value) => isMultipleOf(value as JsonNumber, divisor); // asked about numbers
    },
    text: {
      meaning: 'The number is not a multiple of the divisor.',
      fix: 'Write a multiple of params.divisor.',
      schema: '{"multipleOf": 0.01}',
      wrong: '1.005',
      right: '1.01',
    },
  },
};

/** `than`: words before the limit; `holds`: whether a number is within it. */
function bound(
  name: keyof Bounds,
  than: string,
  holds: (double: number, limit: number) => boolean,
  text: Readonly<Record<'meaning' | 'schema' | 'wrong' | 'right', string>>,
): Keyword<Limit> {
  return {
    sentence: ({ limit, written }, found) =>
      `expected ${than} ${numberText(limit, written)}, found ${foundText(found)}`,
    yieldsToType: true,
    ofSchema: (node) => ({ limit: node[name]!, ...writtenAs(node, name) }),
    judge({ node }) {
      const limit = exactNumber(node, name);
      const order = (value: unknown) => compareNumbers(value as JsonNumber, limit); // asked about numbers
      if (typeof limit !== 'number') return (value) => holds(order(value), 0);
      return (value) => (typeof value === 'number' ? holds(value, limit) : holds(order(value), 0));
    },
    measure: (value) => (value instanceof Decimal ? value.double : (value as number)), // asked about numbers
    text: { ...text, fix: `Write a number that is ${than} params.limit.` },
  };
}
