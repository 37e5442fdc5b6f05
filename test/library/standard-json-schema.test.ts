/**
 * `standard`, as the types of Standard Schema 1.1 see it, and the JSON Schema that it gives.
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { expect, it } from 'vitest';
import type { PaylintOptions } from '../../src/library/api.ts';
import { openPaylint } from '../../src/library/open.ts';

const SCHEMA = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
const SEVENTH = { ...SCHEMA, $schema: 'http://json-schema.org/draft-07/schema#' };
const OTHER = { type: 'object', properties: { b: { $ref: 'https://example.org/b' } } };

async function given(options: PaylintOptions, target: string, kind?: string): Promise<unknown> {
  const standard: StandardJSONSchemaV1 & StandardSchemaV1 = (await openPaylint(options)).standard(kind);
  const { input, output } = standard['~standard'].jsonSchema;
  expect(output({ target })).toEqual(input({ target }));
  return input({ target });
}

it('is the schema as it is written', async () => {
  expect(await given({ schema: SCHEMA }, 'draft-2020-12')).toEqual(SCHEMA);
  expect(await given({ schema: SEVENTH }, 'draft-07')).toEqual(SEVENTH);
  expect(await given({ schema: SCHEMA, draft: '7' }, 'draft-07')).toEqual(SCHEMA);
  expect(await given({ schema: true }, 'draft-07')).toEqual({});
  expect(await given({ schema: false }, 'draft-07')).toEqual({ not: {} });
  expect(await given({}, 'draft-2020-12', 'emoji')).toMatchObject({ type: 'object' });
});

it('is for its own draft without a target', async () => {
  const { jsonSchema } = (await openPaylint({ schema: SEVENTH })).standard()['~standard'];
  expect([jsonSchema.input(), jsonSchema.output()]).toEqual([SEVENTH, SEVENTH]);
});

it('is a copy', async () => {
  const paylint = await openPaylint({ schema: SCHEMA });
  const { input } = paylint.standard()['~standard'].jsonSchema;
  Object.assign(input({ target: 'draft-2020-12' }), { type: 'string' });
  expect(input({ target: 'draft-2020-12' })).toEqual(SCHEMA);
});

it.each([
  [{ schema: SCHEMA }, 'draft-07', 'the schema is for "draft-2020-12", and not for "draft-07"'],
  [{ schema: SEVENTH }, 'openapi-3.0', 'the schema is for "draft-07", and not for "openapi-3.0"'],
  [{}, 'draft-2020-12', 'there are several kinds; give one to "standard"'],
  [
    { schema: OTHER, refs: { 'https://example.org/b': { type: 'string' } } },
    'draft-2020-12',
    'the schema needs what is in another one, or around it',
  ],
])('cannot be given: %j for %s', async (options, target, message) => {
  await expect(given(options, target)).rejects.toThrow(`jsonSchema: ${message}`);
});
