/**
 * What `openPaylint` says of schemas: which are about arrays, which look as if they asserted something and do not, and which are refused.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FileEvent, openPaylint, type PaylintOptions, SchemaError, SourceError } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

let files = 0;

/** `if`, `then` and `else` of a schema: an object with a literal `then` could be taken for a promise. */
function branches(test: unknown, yes: unknown, no?: unknown): object {
  return JSON.parse(JSON.stringify({ if: test, THEN: yes, else: no }).replace('"THEN"', '"then"'));
}

/** Opens the schema from a file of its own. */
function open(schema: unknown, options: PaylintOptions = {}) {
  const path = join(folder, `s${files++}.json`);
  writeFileSync(path, typeof schema === 'string' ? schema : JSON.stringify(schema));
  return openPaylint({ ...options, schema: path });
}

/** What `[1,2]` is to the schema. */
async function readingOf(schema: unknown): Promise<'payload' | 'list' | 'refused'> {
  const paylint = await open(schema);
  let payloads = 0;
  try {
    for await (const _ of paylint.payloads(Buffer.from('[1,2]'))) payloads++;
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    return 'refused';
  }
  expect([1, 2]).toContain(payloads);
  return payloads === 1 ? 'payload' : 'list';
}

const LIST = { items: { type: 'integer' } };
const OBJECT = { required: ['a'] };

describe('a top-level array is the payload', () => {
  it.each<[unknown]>([
    [{ type: 'array' }],
    [{ type: ['array'] }],
    [LIST],
    [{ minItems: 1 }],
    [{ maxItems: 1 }],
    [{ uniqueItems: true }],
    [{ contains: {} }],
    [{ prefixItems: [{}] }],
    [{ unevaluatedItems: false }],
    [{ const: [1, 2] }],
    [{ enum: [[1], [2]] }],
    [{ $ref: '#/$defs/list', $defs: { list: LIST } }],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: LIST } }],
    [{ $dynamicRef: '#list', $defs: { list: { $dynamicAnchor: 'list', ...LIST } } }],
    [{ $schema: DRAFT_2019, allOf: [{ $ref: '#/$defs/l' }], $defs: { l: LIST } }],
    [{ allOf: [{}, { allOf: [LIST] }] }],
    [{ anyOf: [LIST, { type: 'array' }] }],
    [{ oneOf: [{ minItems: 3 }, { maxItems: 1 }] }],
    [{ anyOf: [LIST, false] }],
    [branches({ type: 'array' }, LIST)],
    [branches({ minItems: 1 }, LIST)],
    [{ if: { type: 'array' }, else: false }],
    [branches({ type: 'object' }, false, LIST)],
    [{ allOf: [{ type: ['object', 'array'] }, { type: 'array' }] }],
    [{ not: { type: ['object', 'string', 'number', 'boolean', 'null'] } }],
    [{ not: { minItems: 3 } }],
    [{ $schema: DRAFT_07, $ref: '#/definitions/l', type: 'object', definitions: { l: LIST } }],
    [{ $schema: DRAFT_07, items: [{ type: 'integer' }], additionalItems: false }],
    [{ type: 'array', items: { $ref: '#' } }],
  ])('%j', async (schema) => expect(await readingOf(schema)).toBe('payload'));
});

describe('a top-level array is a list of payloads', () => {
  it.each<[unknown]>([
    [OBJECT],
    [{ type: 'object' }],
    [{ type: 'integer' }],
    [{ type: 'object', ...LIST }],
    [{ properties: { a: LIST } }],
    [{ additionalProperties: LIST }],
    [{ enum: [1, 2] }],
    [{ const: 1 }],
    [{ not: { type: 'array' } }],
    [{ not: OBJECT }],
    [{ not: LIST, type: 'object' }],
    [branches({ type: 'array' }, false)],
    [branches({ type: 'object' }, OBJECT)],
    [{ if: LIST, type: 'object' }],
    [{ anyOf: [{ type: 'object' }, { type: 'string' }] }],
    [{ allOf: [LIST, { type: 'object' }] }],
    [{ $defs: { list: LIST }, ...OBJECT }],
    [{ $schema: DRAFT_07, $ref: '#/definitions/o', items: {}, definitions: { o: OBJECT } }],
    [{ $schema: DRAFT_07, ...OBJECT, prefixItems: [{}] }],
    [{ $schema: DRAFT_2019, ...OBJECT, prefixItems: [{}] }],
    [{ type: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }],
    [true],
    [false],
  ])('%j', async (schema) => expect(await readingOf(schema)).toBe('list'));
});

describe('a top-level array that may be either is refused', () => {
  it.each<[unknown]>([
    [{ type: ['object', 'array'] }],
    [{ anyOf: [LIST, OBJECT] }],
    [{ anyOf: [{ type: 'array' }, { type: 'object' }] }],
    [{ anyOf: [LIST, { title: 'anything' }] }],
    [{ oneOf: [{ $ref: '#/$defs/l' }, { $ref: '#/$defs/o' }], $defs: { l: LIST, o: OBJECT } }],
    [branches({ type: 'array' }, LIST, OBJECT)],
    [{ enum: [[1], 'none'] }],
    [{ ...LIST, ...OBJECT }],
    [{ allOf: [LIST, OBJECT] }],
  ])('%j', async (schema) => expect(await readingOf(schema)).toBe('refused'));

  it('but not if the caller says what it is, or on lines', async () => {
    const paylint = await open({ type: ['object', 'array'] });
    const count = async (text: string, options: object): Promise<number> => {
      let payloads = 0;
      for await (const { valid } of paylint.payloads(Buffer.from(text), options)) payloads += valid ? 1 : 0;
      return payloads;
    };
    expect(await count('[{},{}]', { whole: true })).toBe(1);
    expect(await count('[{},{}]', { input: 'json' })).toBe(2);
    expect(await count('[{}]\n[{}]\n[{}]\n', { input: 'lines' })).toBe(3);
    expect(paylint.validate('[{},{}]')).toMatchObject({ valid: true });
  });
});

describe('validateFiles', () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(data, `${name}.json`), '[1,"x"]');

  it('takes arrays for payloads if the schema is about arrays', async () => {
    const paylint = await open(LIST);
    const { payloads, invalid, arrays } = await paylint.validateFiles(['.'], { cwd: data });
    expect({ payloads, invalid, arrays }).toEqual({ payloads: 3, invalid: 3, arrays: 3 });
  });

  it('refuses arrays that may be either, or takes them as it is told', async () => {
    const paylint = await open({ anyOf: [{ type: 'array' }, { type: 'integer' }] });
    const events: FileEvent[] = [];
    const options = { cwd: data, threads: 2, onEvent: (event: FileEvent) => events.push(event) };
    expect(await paylint.validateFiles(['.'], options)).toMatchObject({ payloads: 0, failures: 3 });
    expect(events.find(({ type }) => type === 'failure')).toMatchObject({
      file: 'a.json',
      message: expect.stringContaining('--whole'),
    });
    const whole = await paylint.validateFiles(['.'], { cwd: data, whole: true });
    expect(whole).toMatchObject({ payloads: 3, valid: 3, failures: 0 });
    expect(whole.arrays).toBeUndefined();
    const split = await paylint.validateFiles(['.'], { cwd: data, input: 'json' });
    expect(split).toMatchObject({ payloads: 6, valid: 3, failures: 0 });
  });
});

it('fills defaults in an array that is the payload', async () => {
  const paylint = await open({ type: 'array', items: { properties: { a: { default: 1 } } } });
  expect(paylint.fill('[{}]').text).toBe('[{"a":1}]');
});

const VALUES: Readonly<Record<string, unknown>> = {
  additionalItems: true,
  contains: {},
  dependencies: {},
  dependentRequired: {},
  dependentSchemas: {},
  items: {},
  maxContains: 1,
  minContains: 1,
  prefixItems: [{}],
  propertyNames: {},
  unevaluatedItems: {},
  unevaluatedProperties: {},
};

describe.each([
  [DRAFT_07, new Ajv()],
  [DRAFT_2019, new Ajv2019()],
  [DRAFT_2020, new Ajv2020()],
])('keywords of %s', (draft, ajv) => {
  it.each(Object.keys(VALUES))('%s is a warning if it is not asserted', async (name) => {
    const items = name === 'additionalItems' && draft !== DRAFT_2020 ? { items: [{}] } : {};
    const a = { contains: {}, ...items, [name]: VALUES[name] };
    const { warnings } = await open({ $schema: draft, properties: { a } });
    const isKnown = Object.hasOwn(ajv.RULES.all, name);
    expect(warnings).toEqual(isKnown ? [] : [expect.stringContaining(`/properties/a/${name}: "${name}" is not`)]);
  });
});

describe('a keyword that can do nothing is a warning', () => {
  it.each([
    [{ ...branches(undefined, { minimum: 1 }) }, '"then" can do nothing without "if" beside it'],
    [{ else: {} }, '"else" can do nothing without "if" beside it'],
    [{ minContains: 1 }, '"minContains" can do nothing without "contains" beside it'],
    [{ maxContains: 1 }, '"maxContains" can do nothing without "contains" beside it'],
    [{ contentSchema: {} }, '"contentSchema" can do nothing without "contentMediaType" beside it'],
    [{ type: 'array', maxLength: 2 }, '"maxLength" can do nothing beside "type": "array": it is about strings'],
    [{ type: ['array', 'null'], minimum: 2 }, '"minimum" can do nothing beside these types: it is about numbers'],
    [{ type: 'string', items: {} }, '"items" can do nothing beside "type": "string": it is about arrays'],
    [{ type: 'string', required: ['a'] }, '"required" can do nothing beside "type": "string": it is about objects'],
    [
      { type: 'boolean', format: 'date' },
      '"format" can do nothing beside "type": "boolean": it is about numbers and strings',
    ],
  ])('%j', async (schema, message) => {
    const { warnings } = await open({ properties: { a: schema, b: { type: 'string' } } });
    expect(warnings).toEqual([expect.stringContaining(`#/properties/a/${Object.keys(schema).at(-1)}: ${message}`)]);
    await expect(open({ properties: { a: schema } }, { strictSchema: true })).rejects.toThrow(message);
  });

  it.each([[{ additionalItems: false }], [{ items: {}, additionalItems: false }]])('%j in draft-07', async (a) => {
    const { warnings } = await open({ $schema: DRAFT_07, properties: { a } });
    expect(warnings).toEqual([
      expect.stringContaining('"additionalItems" can do nothing without a list of schemas as "items"'),
    ]);
  });

  it.each([
    [{ ...branches({ minimum: 1 }, { maximum: 2 }) }],
    [{ contains: {}, minContains: 0, maxContains: 2 }],
    [{ type: ['array', 'string'], maxLength: 2, items: {} }],
    [{ type: 'integer', minimum: 1, multipleOf: 2 }],
    [{ contentSchema: {}, contentMediaType: 'application/json' }],
    [{ allOf: [{ type: 'array' }], maxLength: 2 }],
  ])('%j can do something', async (a) => {
    expect((await open({ properties: { a } })).warnings).toEqual([]);
  });
});

it('a format that is not known is no warning beside a pattern, as in the schemas that zod makes', async () => {
  const schema = z.toJSONSchema(z.object({ a: z.base64(), b: z.emoji(), c: z.e164(), d: z.nanoid(), e: z.cidrv4() }));
  expect(JSON.stringify(schema)).toContain('"format":"e164","pattern"');
  expect((await open(schema, { strictSchema: true })).warnings).toEqual([]);
  const { warnings } = await open({ properties: { a: { format: 'e164' } } });
  expect(warnings).toEqual([expect.stringContaining('"e164" is not a known format, so it asserts nothing')]);
});

it('names the short keyword that a member of a schema probably means', async () => {
  await expect(open({ typ: 'integer' })).rejects.toThrow('did you mean "type"?');
  expect((await open({ type: 'string', enums: ['a'] })).warnings).toEqual([
    expect.stringContaining('did you mean "enum"?'),
  ]);
});

describe('warnings', () => {
  it('are none for a format that is asserted, whatever is near to it', async () => {
    for (const format of Object.keys(fullFormats)) expect((await open({ format })).warnings).toEqual([]);
  });

  it.each([
    ['datetime', 'date-time'],
    ['date_time', 'date-time'],
    ['dateTime', 'date-time'],
    ['e-mail', 'email'],
    ['E-Mail', 'email'],
    ['ip-v4', 'ipv4'],
    ['UUID', 'uuid'],
    ['uri_reference', 'uri-reference'],
    ['hostnam', 'hostname'],
  ])('name the format that is near to %s', async (format, near) => {
    const { warnings } = await open({ properties: { 'a/b': { format } } });
    expect(warnings).toEqual([
      expect.stringMatching(
        `^s\\d+.json:1:\\d+: s\\d+.json#/properties/a~1b/format: "${format}".*did you mean "${near}"`,
      ),
    ]);
  });

  it('are errors if the caller wants it', async () => {
    const schema = { properties: { a: { format: 'datetime', minlength: 1 } } };
    expect((await open(schema)).warnings).toHaveLength(2);
    await expect(open(schema, { strictSchema: true })).rejects.toThrow(SchemaError);
    await expect(open(schema, { strictSchema: true })).rejects.toThrow(/datetime.*\n.*minlength/);
    expect((await open({ type: 'object' }, { strictSchema: true })).warnings).toEqual([]);
    expect((await openPaylint({ strictSchema: true })).warnings).toEqual([]);
  });

  it('are all listed', async () => {
    const names = Array.from({ length: 20 }, (_, i) => [`p${i}`, { format: 'datetime' }]);
    expect((await open({ properties: Object.fromEntries(names) })).warnings).toHaveLength(20);
  });

  it('are harmless in a terminal', async () => {
    const { warnings } = await open({ properties: { '\u001b[31m': { format: '\u001b[2J', minlength: 1 } } });
    expect(warnings.join('\n')).not.toContain('\u001b');
  });

  it('are about the files that a schema refers to', async () => {
    writeFileSync(join(folder, 'part.json'), '{"format":"datetime"}');
    expect((await open({ $ref: 'part.json' })).warnings).toEqual([expect.stringContaining('part.json#/format')]);
  });
});

describe('a schema is refused', () => {
  it.each<[unknown, RegExp]>([
    [{ patternProperties: { '*': {} } }, /#\/patternProperties\/\*: .*Nothing to repeat/],
    [{ patternProperties: { '(': true }, type: 'object' }, /#\/patternProperties\/\(/],
    [{ type: 'object', $defs: { a: { not: { pattern: '[' } } } }, /#\/\$defs\/a\/not\/pattern/],
    [{ $defs: { a: { type: 'object' } } }, /is "\$ref": "#\/\$defs\/a" missing/],
    [{ definitions: { 'a/b': { type: 'object' } } }, /"#\/definitions\/a~1b" missing/],
    [{ $defs: { a: { properties: { more: { $ref: '#/$defs/a' } } }, b: {} } }, /"#\/\$defs\/a" or another/],
    [{ $defs: {}, title: 'x' }, /asserts nothing/],
    [{ $schema: DRAFT_2020, description: 'x', default: {} }, /asserts nothing/],
    [{ $id: 'x', $defs: { a: true } }, /asserts nothing/],
    [{ $schema: DRAFT_07, unevaluatedProperties: false }, /not a keyword of draft-07/],
    [branches(undefined, { type: 'object' }), /asserts nothing/],
    [{ if: { type: 'object' } }, /asserts nothing/],
    [{ minContains: 2 }, /asserts nothing/],
    [{ $defs: {}, propertes: {} }, /did you mean "properties"/],
    [{ $ref: 'file://host/share/x' }, /#\/\$ref: cannot follow the \$ref "file:\/\/host\/share\/x"/],
    [{ $ref: '\\\\host\\share\\x' }, /did you mean "\/\/host\/share\/x"/],
    [{ $id: 'http://example.org/s', $ref: '//host/x' }, /cannot follow the \$ref/],
    [{ $ref: '%zz' }, /"%zz" is not a URI reference; write %25 for %/],
    [{ $id: 'http://example.org/s', $ref: '%zz' }, /"%zz" is not a URI reference/],
  ])('%j', async (schema, message) => {
    const opening = open(schema);
    await expect(opening).rejects.toThrow(SchemaError);
    await expect(opening).rejects.toThrow(message);
  });
});

describe('names that JavaScript or URIs treat differently', () => {
  it('are values like others in enum and const', async () => {
    const paylint = await open({ $schema: DRAFT_07, enum: [{ toString: 1 }, { valueOf: 1 }, { toString: 2 }] });
    expect(paylint.validate('{"toString":2}').valid).toBe(true);
    expect(paylint.validate('{"toString":3}').valid).toBe(false);
    expect(paylint.validate('{"valueOf":1}').valid).toBe(true);
  });

  it('are members like others, with half a surrogate pair', async () => {
    const paylint = await open('{"properties":{"\\ud800":{"type":"string"}},"required":["\\ud800"]}');
    const rules = (text: string) => paylint.validate(text).violations.map(({ rule }) => rule);
    expect(rules('{"\\ud800":"x"}')).toEqual(['unpaired-surrogate']);
    expect(rules('{"\\ud800":1}')).toEqual(['unpaired-surrogate', 'type']);
    expect(paylint.validate('{"\ufffd":"x"}').violations).toMatchObject([{ rule: 'required' }]);
  });
});
