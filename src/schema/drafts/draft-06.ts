/** JSON Schema draft-06: https://json-schema.org/draft-06/schema */
import { type Draft, draft, without } from './draft.ts';
import { DRAFT_07 } from './draft-07.ts';

const LATER = '$comment if then else readOnly writeOnly contentEncoding contentMediaType';

export const DRAFT_06: Draft = draft(
  {
    ...DRAFT_07,
    name: '6',
    title: 'draft-06',
    uri: 'http://json-schema.org/draft-06/schema',
  },
  () => without(DRAFT_07.keywords, LATER),
);
