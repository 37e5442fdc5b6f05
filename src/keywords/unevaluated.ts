/**
 * `unevaluatedProperties` and `unevaluatedItems`: members and items that no other part of a schema evaluates.
 */
import type { Limit } from '../words/param-shapes.ts';
import { NO_OTHER_ITEM, NO_OTHER_ITEM_TEXT } from './items.ts';
import { type Family, specification } from './keyword.ts';
import { atMost } from './lengths.ts';
import { type Additional, absentName, NO_OTHER_MEMBER, notAllowed } from './members.ts';

export interface UnevaluatedMemberParams {
  unevaluatedProperties: Additional & {
    /** A part of the schema that does not apply to the object names the member; absent: none does. */
    readonly inactive?: true;
  };
}

export interface UnevaluatedItemParams {
  unevaluatedItems: Limit;
}

/** @internal */
export const UNEVALUATED_MEMBERS: Family<UnevaluatedMemberParams> = {
  unevaluatedProperties: {
    ...NO_OTHER_MEMBER,
    sentence: ({ inactive }, found) =>
      inactive === true
        ? `${notAllowed(found)}: the part of the schema that knows it does not apply`
        : `${notAllowed(found)}: no part of the schema that applies knows it`,
    ofPayload: (params, { name }) => ({ ...params, additional: name() }),
    suggest: absentName,
    text: {
      meaning: 'The object has a member that no part of the schema knows; the position is its name.',
      fix: 'Remove the member, or correct its name.',
      schema: '{"allOf": [{"properties": {"name": true}}], "unevaluatedProperties": false}',
      wrong: '{"nmae": "x"}',
      right: '{"name": "x"}',
    },
    link: specification('core', 'unevaluatedProperties'),
  },
};

/** @internal */
export const UNEVALUATED_ITEMS: Family<UnevaluatedItemParams> = {
  unevaluatedItems: {
    ...NO_OTHER_ITEM,
    sentence: (params, found) =>
      `${atMost('item')(params, found)}: no part of the schema that applies knows the others`,
    text: { ...NO_OTHER_ITEM_TEXT, schema: '{"prefixItems": [true], "unevaluatedItems": false}' },
    link: specification('core', 'unevaluatedItems'),
  },
};
