/** JSON Schema draft-06: https://json-schema.org/draft-06/schema */
import { type Draft, keywords, without } from './draft.ts';
import { DRAFT_04 } from './draft-04.ts';

export const DRAFT_06: Draft = {
  ...DRAFT_04,
  name: '6',
  title: 'draft-06',
  uri: 'http://json-schema.org/draft-06/schema',
  id: '$id',
  hasBooleanBounds: false,
  keywords: {
    ...without(DRAFT_04.keywords, 'id'),
    ...keywords('identity', null, { identifier: '$id' }),
    ...keywords('applicator', 'applicator', {
      schema: 'contains propertyNames additionalProperties additionalItems',
    }),
    ...keywords('assertion', 'validation', {
      any: 'const',
      values: 'enum',
      number: 'exclusiveMaximum exclusiveMinimum',
      names: 'required',
    }),
    ...keywords('annotation', null, { values: 'examples' }),
  },
};
