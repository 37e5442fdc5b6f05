/** JSON Schema 2020-12: https://json-schema.org/draft/2020-12/schema. The resolved schema has its keywords. */
import { DIALECT } from '../dialect.ts';
import { type Draft, draft, keywords } from './draft.ts';

export const DRAFT_2020_12: Draft = draft(
  {
    name: '2020-12',
    title: '2020-12',
    uri: 'https://json-schema.org/draft/2020-12/schema',
    id: '$id',
    isRefAlone: false,
    hasFragmentIds: false,
    hasBooleanBounds: false,
    hasBooleanSchemas: true,
    countsContained: true,
    translated: { dependencies: 'dependencies' },
  },
  () => ({
    ...keywords('identity', null, {
      string: '$schema $comment',
      identifier: '$id',
      'schemas by name': '$defs definitions',
      anchor: '$anchor $dynamicAnchor',
      vocabularies: '$vocabulary',
    }),
    ...DIALECT,
    ...keywords('reference', null, { reference: '$ref $dynamicRef' }),
    ...keywords('applies', 'applicator', { 'schemas or names by name': 'dependencies' }),
    ...keywords('annotation', null, {
      string: 'title description contentEncoding contentMediaType',
      any: 'default',
      values: 'examples',
      boolean: 'readOnly writeOnly deprecated',
      schema: 'contentSchema',
    }),
  }),
);
