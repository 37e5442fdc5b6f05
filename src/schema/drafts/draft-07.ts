/** JSON Schema draft-07: https://json-schema.org/draft-07/schema */
import { type Draft, draft, keywords, without } from './draft.ts';
import { DRAFT_2019_09 } from './draft-2019-09.ts';

const LATER = `
  $defs $anchor $vocabulary $recursiveAnchor $recursiveRef dependentRequired dependentSchemas minContains maxContains
  unevaluatedItems unevaluatedProperties deprecated contentSchema`;

export const DRAFT_07: Draft = draft(
  {
    ...DRAFT_2019_09,
    name: '7',
    title: 'draft-07',
    uri: 'http://json-schema.org/draft-07/schema',
    isRefAlone: true,
    hasFragmentIds: true,
  },
  () => ({
    ...without(DRAFT_2019_09.keywords, LATER),
    ...keywords('identity', null, { reference: '$id' }),
    ...keywords('asserts', 'validation', { 'some values': 'enum' }),
  }),
);
