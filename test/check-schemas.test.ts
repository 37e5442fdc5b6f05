/**
 * Schemas that are certain without Ajv: Ajv compiles each of them. What Ajv refuses, or reads in a way of its own, is
 * never certain.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { mutate, seeded } from '../scripts/mutations/mutate.ts';
import { arePlain, fitMetaSchema } from '../src/engines/check-schemas.ts';
import { SchemaError } from '../src/errors.ts';
import { scan } from '../src/json/scan.ts';
import { memberCount, surelyPlain, surelyUnique } from '../src/json/unique-names.ts';
import { surelyCompiles } from '../src/schema/certain.ts';
import { mustCompile } from '../src/schema/compile.ts';
import { loadSchemas, META_SCHEMAS, type SchemaSet } from '../src/schema/load.ts';
import { rounds } from './rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint check-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Files by name; the first is the schema. */
function load(files: Readonly<Record<string, unknown>>): SchemaSet {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  return loadSchemas(join(folder, Object.keys(files)[0]!));
}

/** Null for a text that is refused when it is read. */
function loadText(text: Buffer): SchemaSet | null {
  const path = join(folder, 'text.json');
  writeFileSync(path, text);
  try {
    return loadSchemas(path);
  } catch (error) {
    if (error instanceof SchemaError) return null;
    throw error;
  }
}

const isCertain = (schema: unknown, other: unknown = true): boolean =>
  surelyCompiles(load({ 's.json': schema, 'other.json': other }));

const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const draft2019 = { $schema: 'https://json-schema.org/draft/2019-09/schema' };

it.each([
  [{ $id: 'http://[' }, 's.json#/$id: "http://[" is not a URI reference'],
  [{ $defs: { a: { $id: 'http://[' } } }, 's.json#/$defs/a/$id: "http://[" is not a URI reference'],
])('a schema whose $id is no URI is refused: %j', (schema, message) => {
  expect(() => load({ 's.json': schema })).toThrow(new SchemaError(message));
});

describe('a schema is certain', () => {
  it.each([
    [
      'with references of all plain forms',
      { $defs: { 'a b': { $ref: '#/$defs/c%20d' }, 'c d': { $ref: 'other.json' } } },
    ],
    [
      'with a reference into another file',
      { $ref: 'other.json#/$defs/x~1y' },
      { $defs: { 'x/y': { type: 'string' } } },
    ],
    [
      'with a reference to its meta-schema',
      { ...draft07, items: { $ref: 'http://json-schema.org/draft-07/schema#' } },
    ],
    ['with $defs in draft-07', { ...draft07, $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
    [
      'with members that are called like keywords',
      { properties: { $id: true, id: {}, $anchor: { type: 'string' } } },
    ],
    [
      'with an inner $id',
      { $defs: { a: { $id: 'https://example.com/a', items: { $ref: '#' } } }, $ref: 'https://example.com/a' },
    ],
    [
      'with a copy of its meta-schema',
      {
        ...draft07,
        definitions: { m: { $id: 'http://json-schema.org/draft-07/schema#', items: { $ref: '#' } } },
      },
    ],
    ['with a pattern that is valid only without the flag u', { pattern: '^\\-$' }],
    [
      'that refers to itself by the name of the whole',
      { $dynamicAnchor: 'a', properties: { b: { $dynamicRef: '#a' } }, $defs: { c: { $dynamicRef: '#a' } } },
    ],
    [
      'with what is unevaluated, beside branches and inside of them',
      {
        patternProperties: { '^a': true },
        allOf: [{ if: { required: ['a'] }, else: { properties: { b: true } } }],
        anyOf: [{ $ref: '#/$defs/a' }, { unevaluatedItems: { type: 'string' }, contains: { const: 1 } }],
        unevaluatedProperties: { unevaluatedProperties: false },
        $defs: {
          a: { oneOf: [{ properties: { c: true } }, { prefixItems: [true] }], unevaluatedItems: false },
        },
      },
    ],
    [
      'with what is unevaluated, in 2019-09',
      { ...draft2019, items: [true], unevaluatedItems: { minimum: 1 } },
    ],
    ['with "id" where Ajv does not look', { $defs: { a: { id: 'a' } } }],
  ])('%s', async (_, schema, other: unknown = true) => {
    const set = load({ 's.json': schema, 'other.json': other });
    expect(surelyCompiles(set)).toBe(true);
    await mustCompile(set);
  });
});

describe('a schema is not certain', () => {
  it.each([
    ['with a keyword of other drafts or tools', { properties: { a: { id: 'x' } } }],
    ['with nullable', { nullable: true }],
    ['with a limit of a format', { formatMinimum: '2020-01-01' }],
    ['with $async', { allOf: [{ $async: true }] }],
    ['with a dynamic reference', { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a' } } }],
    ['with a name for the whole and one for a part', { $dynamicAnchor: 'a', $defs: { a: { $anchor: 'b' } } }],
    [
      'with a name twice',
      { $dynamicAnchor: 'a', items: { $dynamicRef: '#a' }, 'x-data': { $dynamicAnchor: 'a' } },
    ],
    ['with a reference to another name', { $dynamicAnchor: 'a', items: { $dynamicRef: '#b' } }],
    ['with a reference to a name elsewhere', { $dynamicAnchor: 'a', items: { $dynamicRef: 's.json#a' } }],
    ['with a name beside another file', { $dynamicAnchor: 'a', items: { $ref: 'other.json' } }],
    ['with $recursiveRef', { ...draft2019, items: { $recursiveRef: '#' } }],
    ['with an anchor, even in data', { 'x-data': { $anchor: 'a' } }],
    ['with an $id in data', { 'x-data': { $id: 'https://example.com/a' } }],
    ['with an $id in examples', { examples: [{ a: { $id: 'a' } }] }],
    ['with an $id that Ajv does not find', { prefixItems: [{ $id: 'https://example.com/a' }] }],
    [
      'with an $id twice',
      { $defs: { a: { $id: 'https://example.com/a' }, b: { $id: 'https://example.com/a' } } },
    ],
    ['with an $id that would end a comment', { $id: 'https://example.com/*/a' }],
    ['with an $id that is an anchor', { ...draft07, definitions: { a: { $id: '#a' } } }],
    ['with the URI of Ajv', { $id: 'http://json-schema.org/schema' }],
    ['with a pattern that is none', { pattern: '(' }],
    ['with a name that is no pattern', { patternProperties: { '[': true } }],
    ['with a format that every object has', { format: 'toString' }],
    ['with a reference to an unchecked place', { $ref: '#/x', x: { type: 'nonsense' } }],
    ['with a reference to a map', { $ref: '#/$defs', $defs: { a: true } }],
    [
      'with a reference to a place of another draft',
      { ...draft07, $ref: '#/prefixItems/0', prefixItems: [{ type: 1 }] },
    ],
    ['with a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } }, items: { $ref: '#/$defs/a' } }],
    ['with an encoded slash', { $ref: '#/$defs/a%2Fb', $defs: { a: { b: true } } }],
    ['with a double encoding', { $ref: '#/$defs/a%252Fb', $defs: { 'a%2Fb': true } }],
    ['with an empty token', { $ref: '#/', '': true }],
    ['with another draft in another file', { $ref: 'other.json' }, draft07],
    ['with another spelling of its draft', { $schema: 'http://json-schema.org/draft-07/schema#x' }],
    [
      'with its URI twice',
      { $id: 'https://example.com/a', $ref: 'other.json' },
      { $id: 'https://example.com/a' },
    ],
  ])('%s', (_, schema, other: unknown = true) => {
    // The loader refuses some of them.
    expect(() => expect(isCertain(schema, other)).toBe(true)).toThrow();
  });

  it('if it is too deep for the stack', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`d${i}`, { properties: { a: { $ref: `#/$defs/d${i + 1}` } } }]),
    );
    const last = { d300: true };
    expect(isCertain({ $ref: '#/$defs/d290', $defs: { ...$defs, ...last } })).toBe(true);
    expect(isCertain({ $ref: '#/$defs/d0', $defs: { ...$defs, ...last } })).toBe(false);
  });
});

/** Every keyword of the drafts, with all forms of values. */
const ALL = {
  $id: 'https://example.com/all',
  $comment: '',
  title: 'a',
  type: ['object', 'string'],
  enum: [1, 'a', { b: [] }],
  const: null,
  format: 'date',
  ...{ minLength: 0, maxLength: 5, pattern: '^\\d+$', minimum: -1.5, exclusiveMaximum: 1e3, multipleOf: 0.5 },
  ...{ minItems: 1, maxItems: 2, uniqueItems: true, contains: { const: 1 }, minContains: 1 },
  properties: { a: { $ref: '#/definitions/a' }, '\\d': true },
  patternProperties: { '\\"': { type: 'string' } },
  additionalProperties: { required: ['a', 'b'] },
  propertyNames: { maxLength: 3 },
  dependencies: { a: ['b'], c: {} },
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: { minProperties: 1 } },
  definitions: { a: { not: false } },
  $defs: { a: { if: true, else: false } },
  allOf: [{ anyOf: [true] }, { oneOf: [{}] }],
  examples: [[]],
  default: {},
  readOnly: true,
  contentEncoding: 'base64',
  'x-more': [1],
};

const AJV = { 'draft-07': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 };

describe('without compiled code', () => {
  it.each(Object.entries(META_SCHEMAS))(
    'no schema of %s fits that Ajv refuses, or has a name twice',
    (draft, uri) => {
      const ajv = new AJV[draft as keyof typeof AJV]({
        strict: false,
        logger: false,
        validateFormats: false,
      });
      const random = seeded(15);
      // Values of another form for each keyword, which mutations of the text seldom give.
      const others = [
        0,
        true,
        1,
        -1,
        0.5,
        'a',
        '#a',
        null,
        [],
        {},
        ['a', 'a'],
        [{}, 1],
        { a: 1 },
        { a: ['a', 'a'] },
      ];
      const { $id: _, ...all } = { ...ALL, enum: [1, 'a'], items: {}, not: {} } as Readonly<
        Record<string, unknown>
      >;
      const planted = Object.keys(ALL).flatMap((keyword) =>
        others.map((value) => ({ $schema: uri, [keyword]: value, not: { [keyword]: value } })),
      );
      const whole = Buffer.from(JSON.stringify({ $schema: uri, ...all }));
      const mutated = Array.from({ length: rounds(800) }, () => mutate(whole, random));
      let fitting = 0;
      for (const text of [whole, ...planted.map((one) => Buffer.from(JSON.stringify(one))), ...mutated]) {
        const set = loadText(text);
        if (set?.dialect !== draft || !arePlain(set)) {
          expect(text).not.toBe(whole);
          continue;
        }
        fitting++;
        expect(ajv.validateSchema(set.entry.schema), String(text)).toBe(true);
        expect(scan(set.entry.bytes, 0, set.entry.bytes.length, 500).notes).toEqual([]);
      }
      expect(fitting).toBeGreaterThan(rounds(50));
      expect(arePlain(load({ 's.json': { $schema: uri, items: [true] } }))).toBe(draft !== '2020-12');
    },
  );

  it.each([
    ['{"a":1,"a":2}', false],
    ['{"a" \n:1,"a"\t:2}', false],
    ['{"a\\\\":1,"a\\\\" :2}', false],
    ['{"":1,"":2}', false],
    ['{"a":1,"b":{"a":[{"c":1}]},"__proto__":{}}', true],
    ['[[[[1]]]]', true],
    ['[[[[[1]]]]]', false],
    ['[1e999]', false],
    ['{', false],
  ])('%s is plain: %s', (text, isPlain) => {
    expect(surelyPlain(text, 4)).toBe(isPlain);
  });
});

it.each([
  ['{"a":":","b":"\\":"}', false],
  ['{"b\\\\":1,"c":2,"c":3}', false],
  ['{"b\\\\":1,"c":"\\":"}', true],
])('whether %s has a name twice is not certain without a scan, or certain: %s', (text, isUnique) => {
  expect(surelyUnique(text, memberCount(JSON.parse(text)))).toBe(isUnique);
});

describe('the meta-schema that is made by npm run build', () => {
  it.each(Object.entries(META_SCHEMAS))('for %s accepts nothing that Ajv refuses', async (draft, uri) => {
    const file = join(import.meta.dirname, `../dist/meta-${draft}.wasm`);
    const ajv = new AJV[draft as keyof typeof AJV]({ strict: false, logger: false, validateFormats: false });
    const random = seeded(14);
    const text = Buffer.from(JSON.stringify({ $schema: uri, ...ALL }));
    let fitting = 0;
    for (let i = 0; i < rounds(800); i++) {
      const set = loadText(i === 0 ? text : mutate(text, random));
      if (set?.dialect !== draft || !fitMetaSchema(set, file)) {
        expect(i).toBeGreaterThan(0);
        continue;
      }
      fitting++;
      expect(ajv.validateSchema(set.entry.schema), String(set.entry.bytes)).toBe(true);
      if (i % 10 === 0 && surelyCompiles(set)) await mustCompile(set);
    }
    expect(fitting).toBeGreaterThan(rounds(50));
  });

  it('is not needed: without it, Ajv decides', () => {
    expect(fitMetaSchema(load({ 's.json': true }), join(folder, 'none.wasm'))).toBe(false);
  });
});
