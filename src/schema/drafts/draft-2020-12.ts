/** JSON Schema 2020-12: https://json-schema.org/draft/2020-12/schema. The resolved schema has its keywords. */
import { type Draft, keywords, without } from './draft.ts';
import { DRAFT_2019_09 } from './draft-2019-09.ts';

export const DRAFT_2020_12: Draft = {
  ...DRAFT_2019_09,
  name: '2020-12',
  title: '2020-12',
  uri: 'https://json-schema.org/draft/2020-12/schema',
  countsContained: true,
  keywords: {
    ...without(DRAFT_2019_09.keywords, '$recursiveRef $recursiveAnchor additionalItems'),
    ...keywords('identity', null, { anchor: '$dynamicAnchor' }),
    ...keywords('reference', null, { reference: '$dynamicRef' }),
    ...keywords('applicator', 'applicator', { schema: 'items', schemas: 'prefixItems' }),
    ...keywords('applicator', 'unevaluated', { schema: 'unevaluatedItems unevaluatedProperties' }),
  },
  translated: { dependencies: 'dependencies' },
};
