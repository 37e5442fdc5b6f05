/**
 * Schemas that decide about others: `not`, `if`, and the schema `false`.
 */

import type { NoParams } from '../words/param-shapes.ts';
import { foundText, inWords, schemaText } from '../words/value-text.ts';
import type { Family } from './keyword.ts';

export interface ConditionParams {
  not: {
    /** What the schema rules out, in words; absent: too many words are needed. */
    readonly excluded?: string;
    /** The members that must not all be present, if the schema rules out nothing else; absent: it does. */
    readonly members?: readonly string[];
  };
  false: NoParams;
  if: NoParams;
}

/** What a schema without assertions allows, in words. @internal */
export const ANY_VALUE = 'any value';
const NO_VALUE = 'no value is allowed here';

/** @internal */
export const CONDITIONS: Family<ConditionParams> = {
  not: {
    sentence: ({ excluded, members }, found) =>
      members !== undefined
        ? refusedMembers(members)
        : excluded === ANY_VALUE
          ? NO_VALUE
          : excluded === undefined
            ? `${foundText(found)} matches the schema under "not"`
            : `expected anything but ${excluded}, found ${foundText(found)}`,
    judgesAll: true,
    text: {
      meaning: 'The value matches the schema under "not", which rules it out.',
      fix: 'Change the value.',
      schema: '{"not": {"const": 0}}',
      wrong: '0',
      right: '1',
    },
  },
  false: {
    sentence: () => NO_VALUE,
    text: {
      meaning: 'The schema allows no value here.',
      fix: 'Remove the value.',
      schema: '{"properties": {"old": false}}',
      wrong: '{"old": 1}',
      right: '{}',
    },
    link: null,
  },
  if: {
    sentence: () => 'the schema\'s "if" does not hold',
    text: null,
    link: null,
  },
};

function refusedMembers(members: readonly string[]): string {
  const names = inWords(members.map(schemaText));
  return members.length > 1
    ? `the members ${names} must not be there together`
    : `the member ${names} must not be there`;
}
