/**
 * `unevaluatedProperties` and `unevaluatedItems`: members and items that no part of a schema has looked at.
 */
import type { Limit } from '../words/params.ts';
import { NO_OTHER_ITEM, NO_OTHER_ITEM_TEXT } from './items.ts';
import { type Family, specification } from './keyword.ts';
import { type Additional, NO_OTHER_MEMBER } from './members.ts';

export interface UnevaluatedMemberParams {
  unevaluatedProperties: Additional;
}

export interface UnevaluatedItemParams {
  unevaluatedItems: Limit;
}

/** @internal */
export const UNEVALUATED_MEMBERS: Family<UnevaluatedMemberParams> = {
  unevaluatedProperties: {
    ...NO_OTHER_MEMBER,
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
    text: { ...NO_OTHER_ITEM_TEXT, schema: '{"prefixItems": [true], "unevaluatedItems": false}' },
    link: specification('core', 'unevaluatedItems'),
  },
};
