/** JSON Schema draft-04: https://json-schema.org/draft-04/schema */
import { type Draft, keywords } from './draft.ts';

export const DRAFT_04: Draft = {
  name: '4',
  title: 'draft-04',
  uri: 'http://json-schema.org/draft-04/schema',
  id: 'id',
  isRefAlone: true,
  hasFragmentIds: true,
  hasBooleanBounds: true,
  countsContained: false,
  keywords: {
    ...keywords('identity', null, { string: '$schema', identifier: 'id', 'schemas by name': 'definitions' }),
    ...keywords('reference', null, { reference: '$ref' }),
    ...keywords('applicator', 'applicator', {
      schema: 'not',
      schemas: 'allOf anyOf oneOf',
      'schemas by name': 'properties',
      'schemas by pattern': 'patternProperties',
      'schema or boolean': 'additionalProperties additionalItems',
      'schema or schemas': 'items',
      'schemas or names by name': 'dependencies',
    }),
    ...keywords('assertion', 'validation', {
      types: 'type',
      'some values': 'enum',
      'number above 0': 'multipleOf',
      number: 'maximum minimum',
      // `nullable` is a keyword of OpenAPI 3.0, which many schemas have.
      boolean: 'exclusiveMaximum exclusiveMinimum uniqueItems nullable',
      count: 'maxLength minLength maxItems minItems maxProperties minProperties',
      pattern: 'pattern',
      'some names': 'required',
    }),
    // The last four are keywords of ajv-formats, which many schemas have.
    ...keywords('assertion', 'format', {
      string: 'format formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum',
    }),
    ...keywords('annotation', null, { string: 'title description', any: 'default' }),
  },
  translated: {
    items: 'item list',
    additionalItems: 'items after list',
    dependencies: 'dependencies',
  },
};
