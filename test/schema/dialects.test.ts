/**
 * Keywords of other dialects than JSON Schema say nothing about validity, in every draft and every engine; each is a warning.
 * A vocabulary that is declared gives some of them a meaning.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { setOf } from '../../scripts/mutations/schemas.ts';
import { linesOf } from '../../src/errors.ts';
import { openPaylint, type Paylint, type PaylintOptions } from '../../src/index.ts';
import { DRAFTS } from '../../src/schema/drafts.ts';
import { suspect } from '../../src/schema/suspect.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-dialects-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

async function paylintFor(schema: object, options: PaylintOptions = {}): Promise<Paylint> {
  const path = join(folder, `s${files++}.json`);
  writeFileSync(path, JSON.stringify(schema));
  return openPaylint({ schema: path, ...options });
}

/** The verdict of each way to ask for it, which must be one. */
async function isValid(paylint: Paylint, value: unknown): Promise<boolean> {
  const text = JSON.stringify(value);
  const many = Array.from({ length: 40 }, () => `${text}\n`).join('');
  const verdicts = new Set([
    paylint.isValid(text),
    (await paylint.validate(text)).valid,
    paylint.validateValue(value).valid,
    (await paylint.fill(text)).valid,
  ]);
  for await (const one of paylint.payloads(Buffer.from(many), { input: 'lines' })) verdicts.add(one.valid);
  expect([text, verdicts.size]).toEqual([text, 1]);
  return [...verdicts][0]!;
}

const NOTE = { properties: { note: { type: 'string', nullable: true } } };

describe.each(DRAFTS.map(({ title, uri }) => [title, uri]))('nullable in %s', (_, $schema) => {
  it('says nothing about validity, and is a warning', async () => {
    const paylint = await paylintFor({ $schema, ...NOTE });
    expect([await isValid(paylint, { note: null }), await isValid(paylint, { note: 'a' })]).toEqual([false, true]);
    expect(paylint.warnings).toEqual([
      expect.stringMatching(
        /#\/properties\/note\/nullable: "nullable" is a keyword of OpenAPI, so it asserts nothing; write "type": \["string", "null"\], or declare "vocabularies": \["openapi"\]/,
      ),
    ]);
    await expect(paylintFor({ $schema, ...NOTE }, { strictSchema: true })).rejects.toThrow('nullable');
  });

  it('adds null to the type if the vocabulary is declared, and to nothing else', async () => {
    const vocabularies = ['openapi'] as const;
    const paylint = await paylintFor(
      {
        $schema,
        properties: {
          note: { type: 'string', nullable: true, discriminator: { propertyName: 'a' } },
          types: { type: ['integer', 'null'], nullable: true },
          not: { type: 'string', nullable: false },
          listed: { type: 'string', enum: ['a'], nullable: true },
          written: { type: 'string', enum: ['a', null], nullable: true },
          loose: { not: { enum: [null] }, nullable: true },
        },
      },
      { vocabularies, strictSchema: true },
    );
    expect(paylint.warnings).toEqual([]);
    const verdicts = { note: true, types: true, not: false, listed: false, written: true, loose: false };
    for (const [name, verdict] of Object.entries(verdicts))
      expect([name, await isValid(paylint, { [name]: null })]).toEqual([name, verdict]);
    await expect(paylintFor({ $schema, type: 'string', nullable: 1 }, { vocabularies })).rejects.toThrow(
      '#/nullable: expected a boolean, found 1',
    );
  });
});

it('a vocabulary that does not exist is refused', async () => {
  const options = { vocabularies: ['ajv'] } as unknown as PaylintOptions;
  await expect(openPaylint(options)).rejects.toThrow('vocabularies: there is no "ajv"; there are openapi');
  await expect(openPaylint({ vocabularies: 'openapi' } as unknown as PaylintOptions)).rejects.toThrow('a list');
});

it('a config declares vocabularies for the library, and an option wins over it', async () => {
  const config = join(folder, 'paylint.config.json');
  writeFileSync(config, '{"vocabularies": ["openapi"]}');
  expect((await paylintFor(NOTE, { config })).isValid('{"note": null}')).toBe(true);
  expect((await paylintFor(NOTE, { config, vocabularies: [] })).isValid('{"note": null}')).toBe(false);
});

/** Keywords of other dialects, each with a value that would reject the number 1, and what the warning says. */
const FOREIGN: readonly (readonly [string, unknown, string])[] = [
  [
    'discriminator',
    { propertyName: 'a' },
    'OpenAPI, so it asserts nothing; write "oneOf" with a "const" in each alternative',
  ],
  ['formatMinimum', '2', 'Ajv (ajv-formats), so it asserts nothing; write "pattern"'],
  ['formatMaximum', '0', 'Ajv (ajv-formats), so it asserts nothing; write "pattern"'],
  ['formatExclusiveMinimum', '2', 'Ajv (ajv-formats), so it asserts nothing; write "pattern"'],
  ['formatExclusiveMaximum', '0', 'Ajv (ajv-formats), so it asserts nothing; write "pattern"'],
  ['instanceof', 'Date', 'Ajv (ajv-keywords), so it asserts nothing; write "type"'],
  ['typeof', 'string', 'Ajv (ajv-keywords), so it asserts nothing; write "type"'],
  ['regexp', '/a/', 'Ajv (ajv-keywords), so it asserts nothing; write "pattern"'],
  ['transform', ['trim'], 'Ajv (ajv-keywords), so it asserts nothing'],
  ['uniqueItemProperties', ['a'], 'Ajv (ajv-keywords), so it asserts nothing'],
  ['range', [2, 3], 'Ajv (ajv-keywords), so it asserts nothing; write "minimum" and "maximum"'],
  ['allRequired', true, 'Ajv (ajv-keywords), so it asserts nothing; write "required"'],
  ['bsonType', 'string', 'MongoDB, so it asserts nothing; write "type"'],
];

it.each(FOREIGN)('%s asserts nothing, and is a warning', async (keyword, value, warning) => {
  const schema = { properties: { a: { format: 'date', [keyword]: value } } };
  const paylint = await paylintFor(schema);
  for (const a of [1, '2020-01-01', null]) expect(await isValid(paylint, { a })).toBe(true);
  expect(linesOf(suspect(setOf(schema) as never))).toEqual([
    `it.json:1:37: it.json#/properties/a/${keyword}: "${keyword}" is a keyword of ${warning}`,
  ]);
});
