/**
 * `unevaluatedProperties` and `unevaluatedItems`: members and items that no other part of a schema evaluates.
 */
import type { Family } from './keyword.ts';
import { type Additional, absentName, NO_OTHER_MEMBER, notAllowed } from './members.ts';

export interface UnevaluatedMemberParams {
  unevaluatedProperties: Additional & {
    /** A part of the schema that does not apply to the object names the member; absent: none does. */
    readonly inactive?: true;
  };
}

export interface UnevaluatedItemParams {
  unevaluatedItems: {
    /** How many items the schema knows. */
    readonly limit: number;
    /** Index of the item that it does not know. */
    readonly index: number;
  };
}

/** @internal */
export const UNEVALUATED_MEMBERS: Family<UnevaluatedMemberParams> = {
  unevaluatedProperties: {
    ...NO_OTHER_MEMBER,
    sentence: ({ inactive }, found) =>
      inactive === true
        ? `${notAllowed(found)}: the part of the schema that knows it does not apply`
        : `${notAllowed(found)}: no schema that applies here allows it`,
    ofPayload: (params, { name }) => ({ ...params, additional: name() }),
    suggest: absentName,
    text: {
      meaning: 'The object has a member that no part of the schema knows; the position is its name.',
      fix: 'Remove the member, or correct its name.',
      schema: '{"allOf": [{"properties": {"name": true}}], "unevaluatedProperties": false}',
      wrong: '{"nmae": "x"}',
      right: '{"name": "x"}',
    },
  },
};

/** @internal */
export const UNEVALUATED_ITEMS: Family<UnevaluatedItemParams> = {
  unevaluatedItems: {
    sentence: ({ index }) => `the item at index ${index} is not allowed: no schema that applies here allows it`,
    ofPayload: (_, { items: [index, limit] }) => ({ limit, index }),
    text: {
      meaning: 'The array has an item that no part of the schema knows; the position is the item.',
      fix: 'Remove the item.',
      schema: '{"prefixItems": [true], "unevaluatedItems": false}',
      wrong: '["x", "y"]',
      right: '["x"]',
    },
  },
};
