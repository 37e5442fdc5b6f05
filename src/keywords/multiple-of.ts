/**
 * `multipleOf`: numbers in steps.
 */
import { foundText, schemaText } from '../words/found.ts';
import { type Family, specification } from './keyword.ts';

export interface MultipleParams {
  multipleOf: { readonly divisor: number };
}

/** @internal */
export const MULTIPLES: Family<MultipleParams> = {
  multipleOf: {
    sentence: ({ divisor }, found) =>
      `expected a multiple of ${schemaText(divisor)}, found ${foundText(found)}`,
    anchor: 'value',
    yieldsToType: true,
    ofSchema: (value) => ({ divisor: value as number }), // checked when the schema was loaded
    text: {
      meaning: 'The number is not a multiple of the divisor.',
      fix: 'Write a multiple of params.divisor.',
      schema: '{"multipleOf": 0.01}',
      wrong: '1.005',
      right: '1.01',
    },
    link: specification('validation', 'multipleOf'),
    hidesText: false,
  },
};
