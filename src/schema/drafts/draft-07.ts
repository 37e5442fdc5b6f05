/** JSON Schema draft-07: https://json-schema.org/draft-07/schema */
import { type Draft, keywords } from './draft.ts';
import { DRAFT_06 } from './draft-06.ts';

export const DRAFT_07: Draft = {
  ...DRAFT_06,
  name: '7',
  title: 'draft-07',
  uri: 'http://json-schema.org/draft-07/schema',
  keywords: {
    ...DRAFT_06.keywords,
    ...keywords('identity', null, { string: '$comment' }),
    ...keywords('applicator', 'applicator', { schema: 'if then else' }),
    ...keywords('annotation', null, {
      boolean: 'readOnly writeOnly',
      string: 'contentEncoding contentMediaType',
    }),
  },
};
