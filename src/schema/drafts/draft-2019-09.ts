/** JSON Schema 2019-09: https://json-schema.org/draft/2019-09/schema */
import { type Draft, keywords } from './draft.ts';
import { DRAFT_07 } from './draft-07.ts';

export const DRAFT_2019_09: Draft = {
  ...DRAFT_07,
  name: '2019-09',
  title: '2019-09',
  uri: 'https://json-schema.org/draft/2019-09/schema',
  isRefAlone: false,
  hasFragmentIds: false,
  keywords: {
    ...DRAFT_07.keywords,
    ...keywords('identity', null, {
      'schemas by name': '$defs',
      anchor: '$anchor',
      boolean: '$recursiveAnchor',
      any: '$vocabulary',
    }),
    ...keywords('reference', null, { reference: '$recursiveRef' }),
    ...keywords('applicator', 'applicator', {
      'schemas by name': 'dependentSchemas',
      schema: 'unevaluatedItems unevaluatedProperties',
    }),
    ...keywords('assertion', 'validation', {
      'names by name': 'dependentRequired',
      count: 'minContains maxContains',
    }),
    ...keywords('annotation', null, { boolean: 'deprecated', schema: 'contentSchema' }),
  },
};
