/** JSON Schema draft-04: https://json-schema.org/draft-04/schema */
import { type Draft, draft, keywords, without } from './draft.ts';
import { DRAFT_06 } from './draft-06.ts';

export const DRAFT_04: Draft = draft(
  {
    ...DRAFT_06,
    name: '4',
    title: 'draft-04',
    uri: 'http://json-schema.org/draft-04/schema',
    id: 'id',
    hasBooleanBounds: true,
    hasBooleanSchemas: false,
  },
  () => ({
    ...without(DRAFT_06.keywords, '$id contains propertyNames const examples'),
    ...keywords('identity', null, { reference: 'id' }),
    ...keywords('applies', 'applicator', {
      'schema or boolean': 'additionalProperties additionalItems',
      'schemas or some names by name': 'dependencies',
    }),
    ...keywords('asserts', 'validation', {
      boolean: 'exclusiveMaximum exclusiveMinimum',
      'some names': 'required',
    }),
  }),
);
