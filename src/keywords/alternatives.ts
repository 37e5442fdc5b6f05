/**
 * `anyOf` and `oneOf`: alternatives, of which a value must match one.
 */

import { foundText } from '../words/found.ts';
import type { Nothing } from '../words/params.ts';
import { type Family, specification } from './keyword.ts';

export interface AlternativeParams {
  anyOf: Nothing;
  /** Indexes of the alternatives that match; null: none. */
  oneOf: { readonly passing: readonly number[] | null };
}

/** @internal */
export const ALTERNATIVES: Family<AlternativeParams> = {
  anyOf: {
    sentence: (_, found) => `${foundText(found)} matches none of the alternatives`,
    anchor: 'value',
    judgesAll: true,
    text: {
      meaning: 'The value matches none of the alternatives.',
      fix: 'Make it match one of them.',
      schema: '{"anyOf": [{"const": 1}, {"const": 2}]}',
      wrong: '3',
      right: '2',
    },
    link: specification('core', 'anyOf'),
    hidesText: false,
  },
  oneOf: {
    sentence: ({ passing }, found) =>
      `${foundText(found)} matches ${passing === null ? 'none' : 'more than one'} of the alternatives`,
    anchor: 'value',
    judgesAll: true,
    text: {
      meaning: 'The value matches none of the alternatives, or more than one.',
      fix: 'Make it match exactly one.',
      schema: '{"oneOf": [{"minimum": 0}, {"maximum": 10}]}',
      wrong: '5',
      right: '11',
    },
    link: specification('core', 'oneOf'),
    hidesText: false,
  },
};
