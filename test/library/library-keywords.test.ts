/**
 * Keywords that a caller of the library judges by functions of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import type { KeywordDefinition } from '../../src/library/api.ts';
import { openPaylint } from '../../src/library/open.ts';

const keywords: Record<string, KeywordDefinition> = {
  even: {
    type: 'integer',
    validate: (value, wanted) => (value === 13 ? fail() : ((value as number) % 2 === 0) === wanted),
  },
  says: { validate: (value, text, { pointer }) => `${text} at ${pointer}: ${JSON.stringify(value)}\u001b` },
  sum: { type: ['array', 'object'], validate: (value, most) => sumOf(value) <= (most as number) },
  later: { validate: (async () => true) as never },
};

function fail(): never {
  throw new Error('unlucky');
}

function sumOf(value: unknown): number {
  return Object.values(value as object).reduce<number>((sum, one) => sum + (one as number), 0);
}

const open = (schema: object, more = {}) => openPaylint({ schema, keywords, ...more });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-keywords-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const EVEN = { even: true };
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const CONDITION = { if: EVEN, then: { minimum: 10 }, else: { maximum: 10 } };

describe('a keyword of the caller', () => {
  it.each([
    [EVEN, '4', []],
    [EVEN, '3', [' even']],
    [EVEN, '3.5', []],
    [EVEN, '"x"', []],
    [EVEN, '4.00000000000000000000', []],
    [EVEN, '9007199254740993', []],
    [{ even: false }, '4', [' even']],
    [{ properties: { a: EVEN } }, '{"a":1,"b":1}', ['/a even']],
    [{ items: { allOf: [EVEN, { $ref: '#/$defs/e' }] }, $defs: { e: EVEN } }, '[1,2]', ['/0 even', '/0 even']],
    [{ not: EVEN }, '2', [' not']],
    [{ not: EVEN }, '1', []],
    [{ anyOf: [EVEN, { const: 3 }] }, '3', []],
    [{ anyOf: [EVEN, { const: 3 }] }, '4', []],
    [{ anyOf: [EVEN, { const: 3 }] }, '5', [' anyOf']],
    [{ oneOf: [EVEN, { minimum: 4 }] }, '6', [' oneOf']],
    [CONDITION, '11', [' maximum']],
    [CONDITION, '8', [' minimum']],
    [
      { anyOf: [{ properties: { a: EVEN } }, { required: ['b'] }], unevaluatedProperties: false },
      '{"a":1,"b":1}',
      ['/a unevaluatedProperties', '/b unevaluatedProperties'],
    ],
    [{ anyOf: [{ properties: { a: EVEN } }, true], unevaluatedProperties: false }, '{"a":2}', []],
    [{ unevaluatedProperties: EVEN }, '{"a":1,"b":2}', ['/a even']],
    [{ dependentSchemas: { a: { sum: 3 } } }, '{"a":1,"b":4}', [' sum']],
    [{ type: 'string', even: true }, '3', [' type', ' even']],
    [{ sum: 1.5 }, '[0.10000000000000000000000001,1]', []],
    [{ sum: 1, even: true }, '[0.10000000000000000000000001,1]', [' sum']],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: EVEN } }, '{"a":3}', ['/a even']],
    [{ allOf: [{ sum: 2 }, { sum: 3 }] }, '[4]', [' sum', ' sum']],
  ])('judges texts, values and bytes: %j of %s', async (schema, text, expected) => {
    const paylint = await open(schema);
    expect(paylint.warnings).toEqual([]);
    for (let i = 0; i < 5; i++) {
      const { valid, violations } = paylint.validate(text);
      expect(violations.map(({ pointer, rule }) => `${pointer} ${rule}`)).toEqual(expected);
      expect(valid).toBe(expected.length === 0);
      expect(paylint.isValid(Buffer.from(text))).toBe(valid);
      expect(paylint.validateValue(JSON.parse(text)).valid).toBe(valid);
      expect(paylint.fill(text).valid).toBe(valid);
    }
  });

  it('says what is wrong, with its place in the schema and in the payload', async () => {
    const paylint = await open({ properties: { 'a/b': { items: { says: 'no' } } } });
    expect(paylint.validate('{"a/b":[1]}').violations).toMatchObject([
      {
        ...{ pointer: '/a~1b/0', rule: 'says', params: {}, schema: '#/properties/a~1b/items/says' },
        ...{ line: 1, column: 9, message: 'no at /a~1b/0: 1\\u001b' },
      },
    ]);
    const plain = await open({ properties: { a: EVEN } });
    expect(plain.validate('{"a":1}').violations[0]?.message).toBe('the keyword "even" does not allow this value');
  });

  it('knows its place inside of alternatives', async () => {
    const inner = { anyOf: [{ type: 'object', properties: { c: { says: 'no' } } }] };
    const paylint = await open({ properties: { a: { anyOf: [{ type: 'object', properties: { b: inner } }] } } });
    const { violations } = paylint.validate('{"a":{"b":{"c":1}}}');
    expect(JSON.stringify(violations)).toContain('no at /a/b/c: 1');
    expect(JSON.stringify(violations)).not.toContain('no at /c');
  });

  it('shows nothing of its message with redact', async () => {
    const paylint = await open({ properties: { a: { says: 'no' } } }, { redact: true });
    expect(paylint.validate('{"a":"secret"}').violations[0]?.message).toBe(
      'the keyword "says" does not allow this value',
    );
  });

  it('may have a level, and a message of the author', async () => {
    const schema = { properties: { a: { even: true, errorMessage: { even: 'In pairs, please' } } } };
    const { valid, violations } = (await open(schema, { rules: { even: 'warning' } })).validate('{"a":1}');
    expect(valid).toBe(true);
    expect(violations).toMatchObject([{ severity: 'warning', authorMessage: 'In pairs, please' }]);
  });

  it.each([
    ['{"a":13}', 'the function of the keyword "even" threw an error: unlucky'],
    ['{"b":1}', 'the function of the keyword "later" returned neither true nor a message'],
  ])('makes a payload a failure if its function cannot judge: %s', async (text, message) => {
    const paylint = await open({ properties: { a: EVEN, b: { later: 1 } } });
    expect(paylint.validate(text)).toMatchObject({ valid: false, violations: [{ rule: 'failure' }] });
    expect(paylint.validate(text).failure).toContain(message);
    expect(paylint.isValid('{"a":2}')).toBe(true);
  });

  it('judges files on this thread', async () => {
    const path = join(folder, 'many.ndjson');
    const line = (i: number): string => `{"a":${i % 1000 === 0 ? 1 : 2 * i}}\n`;
    writeFileSync(path, `${Array.from({ length: 40_000 }, (_, i) => line(i)).join('')}{"a":13}\n`);
    const schema = join(folder, 'own.schema.json');
    writeFileSync(schema, '{"properties":{"a":{"even":true}}}');
    const paylint = await openPaylint({ schema, keywords });
    expect(paylint.warnings).toEqual([]);
    expect(await paylint.validateFiles([path], { threads: 4 })).toMatchObject({ invalid: 41, failures: 1 });
  });

  it('may be all that a file of a schema has', async () => {
    const schema = join(folder, 'only.schema.json');
    writeFileSync(schema, '{"even":true}');
    expect((await openPaylint({ schema, keywords })).isValid('1')).toBe(false);
    await expect(openPaylint({ schema })).rejects.toThrow('accepts everything');
  });
});

it.each([
  [{ minimum: keywords.even }, '"minimum" is a keyword of JSON Schema, which cannot be redefined'],
  [{ dependencies: keywords.even }, '"dependencies" is a keyword of JSON Schema, which cannot be redefined'],
  [{ errorMessage: keywords.even }, '"errorMessage" is a keyword of JSON Schema, which cannot be redefined'],
  [{ 'json-syntax': keywords.even }, '"json-syntax" is a rule of paylint'],
  [{ 'a b': keywords.even }, 'expected a name of letters, digits and "_" (or "x-…"), found "a b"'],
  [{ constructor: keywords.even }, 'expected a name of letters, digits and "_" (or "x-…"), found "constructor"'],
  [{ even: () => true }, 'expected { type, validate } for even, with a function'],
  [{ even: { ...keywords.even, async: true } }, 'even has "type" and "validate", and no "async"'],
  [
    { even: { ...keywords.even, type: 'int' } },
    'expected the type of even to be one of array, boolean, integer, null, number, object, string, found "int"',
  ],
])('a keyword is refused: %j', async (given, message) => {
  const opened = openPaylint({ schema: true, keywords: given as never });
  await expect(opened).rejects.toThrow(new UsageError(`keywords: ${message}`));
});
