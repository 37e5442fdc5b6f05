/**
 * `multipleOf`: numbers that are multiples of a divisor.
 */
import { isMultipleOf, type JsonNumber } from '../json/decimal.ts';
import { exactNumber, writtenAs } from '../schema/exact.ts';
import { foundText, numberText } from '../words/value-text.ts';
import type { Family } from './keyword.ts';

export interface MultipleParams {
  /** `written`: the divisor as the schema writes it, if a double prints it in another way. */
  multipleOf: { readonly divisor: number; readonly written?: string };
}

/** @internal */
export const MULTIPLES: Family<MultipleParams> = {
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
