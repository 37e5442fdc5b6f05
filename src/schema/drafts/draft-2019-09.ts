/** JSON Schema 2019-09: https://json-schema.org/draft/2019-09/schema */
import { type Draft, draft, keywords, without } from './draft.ts';
import { DRAFT_2020_12 } from './draft-2020-12.ts';

export const DRAFT_2019_09: Draft = draft(
  {
    ...DRAFT_2020_12,
    name: '2019-09',
    title: '2019-09',
    uri: 'https://json-schema.org/draft/2019-09/schema',
    countsContained: false,
    translated: {
      items: 'item list',
      additionalItems: 'items after list',
      dependencies: 'dependencies',
    },
  },
  () => ({
    ...without(DRAFT_2020_12.keywords, '$dynamicAnchor $dynamicRef prefixItems'),
    ...keywords('identity', null, { boolean: '$recursiveAnchor', 'anchor with colons': '$anchor' }),
    ...keywords('reference', null, { reference: '$recursiveRef' }),
    ...keywords('applies', 'applicator', {
      'schema or schemas': 'items',
      schema: 'additionalItems unevaluatedItems unevaluatedProperties',
    }),
  }),
);
