/**
 * `type`: the JSON type of a value.
 */
import type { JsonType } from '../json/vocabulary.ts';
import { foundText, withArticle } from '../words/value-text.ts';
import type { Family } from './keyword.ts';

export interface TypeParams {
  type: { readonly expected: string | readonly string[]; readonly found: JsonType };
}

/** @internal */
export const TYPE: Family<TypeParams> = {
  type: {
    sentence: ({ expected }, found) => `expected ${typeNames(expected)}, found ${foundText(found)}`,
    ofSchema: ({ type }) => ({ expected: type! }),
    ofPayload: ({ expected }, { type }) => ({ expected, found: type }),
    text: {
      meaning: 'The value has another JSON type than the schema requires. An integer may be written 5.0.',
      fix: 'Write a value of the type that was expected; its other rules are checked once the type is right.',
      schema: '{"type": "string"}',
      wrong: '1',
      right: '"1"',
    },
  },
};

/** `a string or null` @internal */
export function typeNames(expected: string | readonly string[]): string {
  const names = typeof expected === 'string' ? [expected] : expected;
  return names.map(withArticle).join(' or ');
}
