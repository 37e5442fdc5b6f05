/**
 * Every keyword of JSON Schema in a report: which rule, where, in which words, from which place of the schema. And what is left
 * out: alternatives that were tried, and what only follows from another violation.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Child, Violation } from '../../src/types.ts';
import { paylint } from '../world.ts';

mkdirSync(join(import.meta.dirname, '../tmp'), { recursive: true });
const cwd = mkdtempSync(join(import.meta.dirname, '../tmp/schema-'));
afterAll(() => rmSync(cwd, { recursive: true }));
let files = 0;

async function violationsOf(schema: unknown, payload: string, ...flags: string[]): Promise<Violation[]> {
  const name = `s${files++}.json`;
  writeFileSync(join(cwd, name), JSON.stringify(schema));
  const args = ['validate', '--schema', name, '--input', 'json', '--whole', '--format', 'ndjson', '--quiet', ...flags];
  const { code, stdout, stderr } = await paylint(args, { cwd, stdin: payload });
  // Some schemas have keywords beside another type, on purpose.
  expect(stderr.replace(/^paylint: warning: .* can do nothing .*\n/gm, '')).toBe('');
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"type":"violation"'));
  expect(code).toBe(lines.length === 0 ? 0 : 1);
  return lines.map((line) => JSON.parse(line));
}

/** `line:column-endColumn pointer rule message`, and where the schema says so; then the same of what is listed below it, indented. */
function text(violation: Violation | Child): string[] {
  const { line, column, endLine, endColumn, pointer, rule, message, schema, children = [] } = violation;
  const end = endLine === line ? endColumn : `${endLine}:${endColumn}`;
  const words = `${line}:${column}-${end} ${pointer || '""'} ${rule}: ${message} [${schema}]`;
  return [words.replaceAll(/\bs\d+\.json/g, ''), ...children.flatMap(text).map((below) => `  ${below}`)];
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

/** As text, since an object with a member `then` looks like a promise. */
const CONDITIONAL: unknown = JSON.parse('{"if":{"type":"object"},"then":{"required":["a"]},"else":{"minLength":9}}');

type Row = [schema: unknown, payload: string, expected: string[]];

const ROWS: Row[] = [
  [{ type: 'string' }, '7', ['1:1-2 "" type: expected a string, found 7 [#/type]']],
  [{ type: 'integer' }, '1.50', ['1:1-5 "" type: expected an integer, found 1.50 [#/type]']],
  [{ type: 'integer' }, '1.0', []],
  [
    { type: ['null', 'object', 'array'] },
    'true',
    ['1:1-5 "" type: expected null or an object or an array, found true [#/type]'],
  ],
  [{ type: 'number' }, '"😀"', ['1:1-5 "" type: expected a number, found "😀" [#/type]']],
  [{ type: 'boolean' }, ' [\n1]', ['1:2-2:3 "" type: expected a boolean, found an array [#/type]']],
  [
    { enum: [1, 'a', null, { b: 2 }] },
    '{"b":3}',
    ['1:1-8 "" enum: expected one of 1, "a", null, {"b":2}, found an object [#/enum]'],
  ],
  [
    { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    '0',
    ['1:1-2 "" enum: expected one of 1, 2, 3, 4, 5, 6, 7, 8 or 2 more, found 0 [#/enum]'],
  ],
  [{ enum: [{ b: 2 }] }, '{"b":2.0}', []],
  [
    { const: { a: ['x'.repeat(100)] } },
    'null',
    [`1:1-5 "" const: expected {"a":["${'x'.repeat(73)}…, found null [#/const]`],
  ],
  [
    { minimum: 1.5, maximum: 1 },
    '1.2',
    [
      '1:1-4 "" maximum: expected at most 1, found 1.2 [#/maximum]',
      '1:1-4 "" minimum: expected at least 1.5, found 1.2 [#/minimum]',
    ],
  ],
  [
    { exclusiveMinimum: 1, exclusiveMaximum: 1 },
    '1',
    [
      '1:1-2 "" exclusiveMaximum: expected less than 1, found 1 [#/exclusiveMaximum]',
      '1:1-2 "" exclusiveMinimum: expected more than 1, found 1 [#/exclusiveMinimum]',
    ],
  ],
  [{ multipleOf: 0.01 }, '0.015', ['1:1-6 "" multipleOf: expected a multiple of 0.01, found 0.015 [#/multipleOf]']],
  [{ minLength: 3 }, '"😀é"', ['1:1-6 "" minLength: expected at least 3 characters, found 2 [#/minLength]']],
  [{ maxLength: 1 }, '"\\ud83d\\ude00x"', ['1:1-16 "" maxLength: expected at most 1 character, found 2 [#/maxLength]']],
  [
    { pattern: '^\\p{Lu}$' },
    '"é"',
    ['1:1-4 "" pattern: expected text that matches "^\\\\p{Lu}$", found "é" [#/pattern]'],
  ],
  [
    { format: 'uuid' },
    '"x"',
    ['1:1-4 "" format: expected the format "uuid", found "x": "x" is not a hexadecimal digit [#/format]'],
  ],
  [
    { minItems: 2, maxItems: 0 },
    '[1]',
    [
      '1:1-4 "" maxItems: expected at most 0 items, found 1 [#/maxItems]',
      '1:1-4 "" minItems: expected at least 2 items, found 1 [#/minItems]',
    ],
  ],
  [{ uniqueItems: true }, '[1,2,1.0]', ['1:1-10 "" uniqueItems: items 0 and 2 are equal [#/uniqueItems]']],
  [
    { contains: { type: 'string' } },
    '[1,2]',
    ['1:1-6 "" contains: expected at least 1 item to be a string, found none [#/contains]'],
  ],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    '[1]',
    ['1:1-4 "" contains: expected 2 to 3 items to be 1, found 1 [#/contains]'],
  ],
  [
    { prefixItems: [{ type: 'string' }], items: { type: 'null' } },
    '[1,2]',
    [
      '1:2-3 /0 type: expected a string, found 1 [#/prefixItems/0/type]',
      '1:4-5 /1 type: expected null, found 2 [#/items/type]',
    ],
  ],
  [{ prefixItems: [true], items: false }, '[1,2,3]', ['1:1-8 "" items: expected at most 1 item, found 3 [#/items]']],
  [
    { prefixItems: [true], unevaluatedItems: false },
    '[1,2]',
    [
      '1:4-5 /1 unevaluatedItems: the item at index 1 is not allowed: no schema that applies here allows it [#/unevaluatedItems]',
    ],
  ],
  [
    { $schema: DRAFT_07, items: [true], additionalItems: false },
    '[1,2]',
    ['1:1-6 "" additionalItems: expected at most 1 item, found 2 [#/additionalItems]'],
  ],
  [{ minProperties: 2 }, '{"a":1}', ['1:1-8 "" minProperties: expected at least 2 members, found 1 [#/minProperties]']],
  [
    { maxProperties: 1 },
    '{"a":1,"b":2}',
    ['1:1-14 "" maxProperties: expected at most 1 member, found 2 [#/maxProperties]'],
  ],
  [
    { required: ['a', '__proto__', 'toString'] },
    '{}',
    ['a', '__proto__', 'toString'].map((name) => `1:1-2 "" required: the member "${name}" is missing [#/required]`),
  ],
  [
    { additionalProperties: false, patternProperties: { '^x': true } },
    '{"x1":1,"y/1":2}',
    ['1:9-14 /y~11 additionalProperties: the member "y/1" is not allowed [#/additionalProperties]'],
  ],
  [
    { additionalProperties: { type: 'null' } },
    '{"a":1}',
    ['1:6-7 /a type: expected null, found 1 [#/additionalProperties/type]'],
  ],
  [
    {
      $id: 'http://example.com/a.json',
      $ref: 'b.json',
      properties: { b: { $id: 'b.json', $ref: '#/$defs/c', $defs: { c: { properties: { d: { type: 'null' } } } } } },
    },
    '{"d":1}',
    ['1:6-7 /d type: expected null, found 1 [#/properties/b/$defs/c/properties/d/type]'],
  ],
  [
    { unevaluatedProperties: false, allOf: [{ properties: { a: true } }] },
    '{"a":1,"b":2}',
    [
      '1:8-11 /b unevaluatedProperties: the member "b" is not allowed: no schema that applies here allows it [#/unevaluatedProperties]',
    ],
  ],
  [
    { patternProperties: { '/': { type: 'string' } } },
    '{"a/b":1}',
    ['1:8-9 /a~1b type: expected a string, found 1 [#/patternProperties/~1/type]'],
  ],
  [
    { propertyNames: { pattern: '^a', maxLength: 1 } },
    '{"bb":1}',
    [
      '1:2-6 /bb propertyNames: the name "bb" is not allowed: expected at most 1 character, found 2; expected text that matches "^a", found "bb" [#/propertyNames]',
    ],
  ],
  [
    { dependentRequired: { a: ['b', 'c'] } },
    '{"a":1,"b":2}',
    ['1:1-2 "" dependentRequired: the member "c" is missing; "a" requires it [#/dependentRequired]'],
  ],
  [
    { $schema: DRAFT_07, dependencies: { a: ['b'], c: { required: ['d'] } } },
    '{"a":1,"c":2}',
    [
      '1:1-2 "" dependencies: the member "b" is missing; "a" requires it [#/dependencies]',
      '1:1-2 "" required: the member "d" is missing; the schema asks for this if there is the member "c" [#/dependencies/c/required]',
    ],
  ],
  [
    { dependentSchemas: { a: { minProperties: 2 } } },
    '{"a":1}',
    [
      '1:1-8 "" minProperties: expected at least 2 members, found 1; the schema asks for this if there is the member "a" [#/dependentSchemas/a/minProperties]',
    ],
  ],
  [{ not: { type: 'string' } }, '"x"', ['1:1-4 "" not: expected anything but a string, found "x" [#/not]']],
  [{ properties: { a: false } }, '{"a":1}', ['1:6-7 /a false: the member "a" is not allowed here [#/properties/a]']],
  [false, '{}', ['1:1-3 "" false: no value is allowed here [#]']],
  [
    CONDITIONAL,
    '{}',
    ['1:1-2 "" required: the member "a" is missing; the schema asks for this if it is an object [#/then/required]'],
  ],
  [
    CONDITIONAL,
    '"x"',
    [
      '1:1-4 "" minLength: expected at least 9 characters, found 1; the schema asks for this unless it is an object [#/else/minLength]',
    ],
  ],
  [
    { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] },
    '{}',
    [
      '1:1-3 "" anyOf: an object matches none of the 2 alternatives; the closest is #/anyOf/0 [#/anyOf]',
      '  1:1-2 "" required: the member "a" is missing [#/anyOf/0/required]',
    ],
  ],
  [{ oneOf: [{ type: 'null' }, { const: 1 }] }, '2', ['1:1-2 "" oneOf: expected 1 or null, found 2 [#/oneOf]']],
  [
    { oneOf: [{ minLength: 1 }, { maxLength: 3 }] },
    '"ab"',
    ['1:1-5 "" oneOf: "ab" matches more than one of the alternatives: #/oneOf/0 and #/oneOf/1 [#/oneOf]'],
  ],
  [
    { allOf: [{ minLength: 3 }, { pattern: '^b' }] },
    '"a"',
    [
      '1:1-4 "" minLength: expected at least 3 characters, found 1 [#/allOf/0/minLength]',
      '1:1-4 "" pattern: expected text that matches "^b", found "a" [#/allOf/1/pattern]',
    ],
  ],
  [
    { $defs: { 'a/b': { type: 'null' } }, properties: { x: { $ref: '#/$defs/a~1b' } } },
    '{"x":1}',
    ['1:6-7 /x type: expected null, found 1 [#/$defs/a~1b/type]'],
  ],
  [
    { $defs: { n: { $anchor: 'here', type: 'null' } }, items: { $ref: '#here' } },
    '[1]',
    ['1:2-3 /0 type: expected null, found 1 [#/$defs/n/type]'],
  ],
  [
    { $schema: DRAFT_2019, $recursiveAnchor: true, type: 'object', additionalProperties: { $recursiveRef: '#' } },
    '{"a":{"b":1}}',
    ['1:11-12 /a/b type: expected an object, found 1 [#/type]'],
  ],
];

describe('a keyword', () => {
  it.each(ROWS)('%j on %s', async (schema, payload, expected) => {
    expect((await violationsOf(schema, payload)).flatMap(text).sort()).toEqual([...expected].sort());
  });

  it.each(ROWS)('%j on %s, redacted: no payload text, only its place', async (schema, payload, expected) => {
    const violations = await violationsOf(schema, payload, '--redact');
    expect(violations.map(({ rule }) => rule).sort()).toEqual(
      expected
        .filter((line) => !line.startsWith(' '))
        .map((line) => / ([\w-]+): /.exec(line)![1])
        .sort(),
    );
    for (const { message, params } of violations) {
      expect(message).not.toMatch(/, found (?!(an? (string|number|boolean|array|object)|null|none|more|\d+)([;:] |$))/);
      expect(params).not.toHaveProperty('additional');
      expect(params).not.toHaveProperty('name');
    }
  });
});

/** The rules and pointers only. */
async function rulesOf(schema: unknown, payload: string): Promise<string[]> {
  return (await violationsOf(schema, payload)).map(({ rule, pointer }) => `${rule} ${pointer}`);
}

describe('alternatives', () => {
  const required = (name: string) => ({ required: [name] });

  it('that were tried leave no violation of their own, inline or by reference', async () => {
    const schema = {
      $defs: {
        a: { properties: { x: { type: 'string', minLength: 3 } } },
        b: { anyOf: [{ $ref: '#/$defs/a' }, required('y')] },
      },
      oneOf: [{ $ref: '#/$defs/b' }, { items: { $ref: '#/$defs/a' }, type: 'array' }],
    };
    expect(await rulesOf(schema, '{"x":1}')).toEqual(['oneOf ']);
  });

  it('leave the violations beside them, of whatever keyword, however they are referred to', async () => {
    const schema = {
      $defs: { a: required('a'), b: required('b') },
      required: ['c'],
      allOf: [{ $ref: '#/$defs/a' }, { anyOf: [{ $ref: '#/$defs/b' }, { minProperties: 5 }] }, { oneOf: [true, {}] }],
    };
    expect((await rulesOf(schema, '{}')).sort()).toEqual(['anyOf ', 'oneOf ', 'required ', 'required ']);
  });

  it('one within the other leave one violation', async () => {
    const schema = {
      anyOf: [{ oneOf: [required('a'), required('b')] }, { anyOf: [required('c'), { type: 'array' }] }],
    };
    expect(await rulesOf(schema, '{}')).toEqual(['anyOf ']);
  });

  it('of the items of an array leave one violation each', async () => {
    const schema = { items: { anyOf: [{ type: 'null' }, { minLength: 2 }] } };
    expect(await rulesOf(schema, '["x",null,"y"]')).toEqual(['anyOf /0', 'anyOf /2']);
  });
});

describe('what follows from a wrong type', () => {
  it('is not said of that value', async () => {
    const schema = { type: 'string', enum: ['a'], const: 'a', minimum: 5, minLength: 3, pattern: 'x', format: 'date' };
    expect(await rulesOf(schema, '1')).toEqual(['type ']);
  });

  it('is said of values below and beside', async () => {
    const schema = { type: 'array', properties: { a: { type: 'string' }, b: { minimum: 2 } }, required: ['c'] };
    expect((await rulesOf(schema, '{"a":1,"b":1}')).sort()).toEqual(['minimum /b', 'required ', 'type ', 'type /a']);
  });

  it('is said where the type was only that of an alternative', async () => {
    const schema = { anyOf: [{ type: 'number' }, { type: 'null' }], maxLength: 0, const: 'y' };
    expect((await rulesOf(schema, '"x"')).sort()).toEqual(['anyOf ', 'const ', 'maxLength ']);
  });
});

describe('a number beyond a double', () => {
  it.each([
    [{ type: 'number', maximum: 5 }],
    [{ type: 'integer' }],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }],
    [{ enum: [1] }],
    [{ multipleOf: 2 }],
  ])('is no violation of %j as well', async (schema) => {
    expect(await rulesOf(schema, '-1e400')).toEqual(['number-out-of-range ']);
  });

  it('is of the wrong type where no number is right', async () => {
    expect((await rulesOf({ type: 'string' }, '1e400')).sort()).toEqual(['number-out-of-range ', 'type ']);
  });
});

describe('suggestions', () => {
  const suggestionsOf = async (schema: unknown, payload: string) =>
    (await violationsOf(schema, payload)).map(({ rule, suggestion }) => [rule, suggestion]);
  const closed = { properties: { color: {}, '@type': {}, ab: {} }, additionalProperties: false };

  it.each([
    [{ enum: ['Article', 'Comment'] }, '"Artcle"', [['enum', 'Article']]],
    [{ enum: ['Article', 'Comment'] }, '"article"', [['enum', 'Article']]],
    [{ enum: ['Article', 'Comment'] }, '"Person"', [['enum', undefined]]],
    [{ const: 'on' }, '"no"', [['const', undefined]]],
    [{ const: 1 }, '"1"', [['const', undefined]]],
    [closed, '{"colour":1}', [['additionalProperties', 'color']]],
    [closed, '{"type":1}', [['additionalProperties', '@type']]],
    [closed, '{"@color":1}', [['additionalProperties', 'color']]],
    [closed, '{"@colour":1}', [['additionalProperties', undefined]]],
    [closed, '{"xy":1}', [['additionalProperties', undefined]]],
    [closed, '{"color":1,"colour":2}', [['additionalProperties', undefined]]],
    [{ ...closed, additionalProperties: true, required: ['color'] }, '{"colour":1}', [['required', 'color']]],
    [{ ...closed, additionalProperties: true, required: ['color'] }, '{"ab":1}', [['required', undefined]]],
  ])('%j on %s: %j', async (schema, payload, expected) => {
    expect(await suggestionsOf(schema, payload)).toEqual(expected);
  });
});

describe('fixable', () => {
  it.each([
    [{ required: ['a'], properties: { a: { default: 1 } } }, true],
    [{ required: ['a'], properties: { a: { default: null } } }, true],
    [{ required: ['a'], properties: { a: {} } }, false],
    [{ required: ['a'], properties: { b: { default: 1 } } }, false],
    [{ required: ['a'], properties: { a: true } }, false],
    [{ allOf: [{ required: ['a'] }], properties: { a: { default: 1 } } }, false],
  ])('%j: %s', async (schema, fixable) => {
    expect((await violationsOf(schema, '{}')).map((violation) => violation.fixable)).toEqual([fixable]);
  });
});

describe('depth', () => {
  const recursive = { type: 'object', additionalProperties: { $ref: '#' } };
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it('that the schema can be applied to is no matter', async () => {
    expect(await rulesOf(recursive, nested(500))).toEqual([`type ${'/a'.repeat(500)}`]);
  });

  it('beyond what the stack holds is a violation, not a crash', async () => {
    const violations = await violationsOf(recursive, nested(1_500_000), '--max-depth', '2000000');
    expect(violations.map(({ rule, pointer }) => [rule, pointer])).toEqual([['nested-too-deep', '']]);
  });
});
