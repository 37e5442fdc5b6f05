/**
 * The library for programs: schemas as values, several kinds, references in memory, and the interfaces that give a value
 * back or throw.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator } from '../../scripts/mutations/schemas.ts';
import { openPaylint, type PaylintOptions, PayloadError, SchemaError, UsageError } from '../../src/index.ts';
import { openPaylint as openByJudge } from '../../src/library/validate.ts';
import { rounds } from '../rounds.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-values-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const AGE = { type: 'object', properties: { age: { type: 'integer', minimum: 1 } }, required: ['age'] };

describe('a schema as a value', () => {
  it('is named by its pointer alone, and is copied', async () => {
    const schema = structuredClone(AGE);
    const paylint = await openPaylint({ schema });
    schema.properties.age.minimum = 100;
    expect(paylint.kinds).toMatchObject([{ name: 'schema' }]);
    expect(paylint.validate('{"age":0}').violations).toMatchObject([
      { rule: 'minimum', pointer: '/age', schema: '#/properties/age/minimum', line: 1, column: 8 },
    ]);
    expect(paylint.isValid('{"age":50}')).toBe(true);
    expect(schema).toEqual({ ...AGE, properties: { age: { type: 'integer', minimum: 100 } } });
  });

  it.each([
    ['true', true, true],
    ['false', false, false],
    ['frozen', Object.freeze({ type: 'integer' }), true],
    ['with symbols, as TypeBox has them', { type: 'integer', [Symbol('kind')]: 'Integer' }, true],
  ])('%s', async (_, schema, isValid) => {
    const paylint = await openPaylint({ schema });
    expect([paylint.isValid('1'), paylint.validate('1').valid, paylint.validateValue(1).valid]).toEqual(
      Array(3).fill(isValid),
    );
  });

  it('is a URL or a text of one', async () => {
    const path = join(folder, 's.json');
    writeFileSync(path, JSON.stringify(AGE));
    for (const schema of [pathToFileURL(path), pathToFileURL(path).href, path])
      expect((await openPaylint({ schema })).isValid('{"age":0}')).toBe(false);
    await expect(openPaylint({ schema: new URL('https://example.com/s.json') })).rejects.toThrow(
      'only local files are read',
    );
  });

  it.each<[string, PaylintOptions, unknown, string]>([
    ['a number', { schema: 1 as unknown as object }, UsageError, 'expected a path, a URL, or a schema'],
    ['null', { schema: null as unknown as object }, UsageError, 'expected a path, a URL, or a schema'],
    ['a payload', { schema: { name: 'x', propertes: 1 } }, SchemaError, 'has no JSON Schema keyword'],
    ['a wrong keyword', { schema: { properties: { a: { type: 'strng' } } } }, SchemaError, '#/properties/a/type'],
    ['a reference to nothing', { schema: { $ref: '#/$defs/b', $defs: { a: true } } }, SchemaError, 'leads to nothing'],
    ['both', { schema: true, schemas: { a: true } }, UsageError, 'do not go together'],
  ])('%s is refused', async (_, options, type, message) => {
    const error = await openPaylint(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect(String(error)).toContain(message);
  });

  it('that refers to itself cannot be written', async () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { self: schema };
    await expect(openPaylint({ schema })).rejects.toThrow(SchemaError);
  });

  it('judges files in threads', async () => {
    const path = join(folder, 'many.ndjson');
    writeFileSync(path, '{"age":0}\n{"age":1}\n'.repeat(150_000));
    const paylint = await openPaylint({ schema: AGE });
    const { kinds, exitCode } = await paylint.validateFiles(['many.ndjson'], { cwd: folder, threads: 2 });
    expect([kinds, exitCode]).toEqual([{ schema: { payloads: 300_000, valid: 150_000, invalid: 150_000 } }, 1]);
    await paylint.close();
  });
});

describe('references in memory', () => {
  const schema = { $ref: 'https://example.com/age.json#/properties/age' };
  it.each<[string, PaylintOptions['refs']]>([
    ['by URI', { 'https://example.com/age.json': AGE }],
    ['by $id', [{ $id: 'https://example.com/age.json', ...AGE }]],
    [
      'by the $id of draft-04',
      [{ $schema: 'http://json-schema.org/draft-04/schema#', id: 'https://example.com/age.json#', ...AGE }],
    ],
  ])('%s', async (_, refs) => {
    const paylint = await openPaylint({ schema, ...(refs === undefined ? {} : { refs }) });
    expect([paylint.isValid('0'), paylint.isValid('1')]).toEqual([false, true]);
    expect(paylint.validate('0').violations[0]!.schema).toBe('https://example.com/age.json#/properties/age/minimum');
  });

  it('without $id are refused', async () => {
    await expect(openPaylint({ schema, refs: [AGE] })).rejects.toThrow('schemas with an "$id"');
    await expect(openPaylint({ schema, refs: [1 as unknown as string] })).rejects.toThrow(UsageError);
  });
});

describe('several kinds', () => {
  const named = (name: string) => ({ type: 'object', properties: { type: { const: name } }, required: ['type'] });
  const schemas = {
    person: { schema: AGE, when: named('person') },
    'a/b': { schema: { required: ['x'] }, when: named('ab') },
  };

  it('are told apart by "when", the first that holds', async () => {
    const paylint = await openPaylint({ schemas });
    const kinds = ['{"type":"person","age":1}', '{"type":"ab"}', '{"type":"none"}'].map((text) => {
      const { kind, valid, violations } = paylint.validate(text);
      return [kind, valid, violations.map(({ rule, schema }) => [rule, schema])];
    });
    expect(kinds).toEqual([
      ['person', true, []],
      ['a/b', false, [['required', 'a/b#/required']]],
      [null, false, [['unknown-kind', null]]],
    ]);
    expect(paylint.kinds.map(({ name }) => name)).toEqual(['person', 'a/b']);
  });

  it('need the kind if one has no "when"', async () => {
    const given = { person: AGE, other: { type: 'string' } };
    await expect(openPaylint({ schemas: given })).rejects.toThrow('schemas.person has no "when"');
    const paylint = await openPaylint({ schemas: given, kind: 'other' });
    expect([paylint.isValid('"x"'), paylint.isValid('{"age":1}')]).toEqual([true, false]);
    expect(paylint.standard('person')['~standard'].validate({ age: 1 })).toEqual({ value: { age: 1 } });
  });
});

describe('parse, assert and standard', () => {
  it('give the value, or throw the violations', async () => {
    const paylint = await openPaylint({ schema: AGE });
    expect(paylint.parse<{ age: number }>('\ufeff{"age":3}')).toEqual({ age: 3 });
    expect(paylint.parse(Buffer.from(' {"age":3} '))).toEqual({ age: 3 });
    expect(() => paylint.parse('{"age":0}')).toThrow(new PayloadError(paylint.validate('{"age":0}').violations));
    expect(() => paylint.parse('{')).toThrow(/expected/);
    expect(() => paylint.parse(1 as unknown as string)).toThrow(TypeError);
    const value: unknown = { age: 3 };
    const check: { assert<T>(value: unknown): asserts value is T } = paylint;
    check.assert<{ age: number }>(value);
    expect(value.age).toBe(3);
    expect(() => check.assert({})).toThrow('the payload is not valid: the payload: the member "age" is missing');
  });

  it('a message names the first three', async () => {
    const paylint = await openPaylint({ schema: { items: { type: 'integer', errorMessage: 'whole' } } });
    expect(() => paylint.parse('["a","b","c","d","e"]')).toThrow(
      'the payload is not valid: /0: whole; /1: whole; /2: whole; and 2 more',
    );
  });

  it('are a Standard Schema', async () => {
    const schema = { properties: { list: { items: { type: 'integer' } }, 'a/b': { type: 'string' } } };
    const { '~standard': standard } = (await openPaylint({ schema })).standard();
    expect([standard.version, standard.vendor]).toEqual([1, 'paylint']);
    const value = { list: [1] };
    expect(standard.validate(value)).toEqual({ value });
    expect(standard.validate({ list: [1, 'x'], 'a/b': 2 })).toEqual({
      issues: [
        { message: 'expected an integer, found "x"', path: ['list', 1] },
        { message: 'expected a string, found 2', path: ['a/b'] },
      ],
    });
    const issues = standard.validate(1n);
    expect(issues).toEqual({ issues: [{ message: expect.stringContaining('BigInt'), path: [] }] });
  });

  it('what could not be judged is a violation of the rule failure', async () => {
    const paylint = await openPaylint({ schema: AGE });
    const { valid, violations, failure } = paylint.validateValue(() => {});
    expect([valid, failure]).toEqual([false, 'JSON has no function']);
    expect(violations).toMatchObject([{ rule: 'failure', message: failure, line: null }]);
  });
});

describe('values', () => {
  const ODD: readonly unknown[] = [
    -0,
    1e21,
    0.1 + 0.2,
    Number.NaN,
    undefined,
    [undefined],
    { a: undefined },
    { toJSON: () => ({ a: 1 }) },
    new Date(0),
    Object.create({ a: 1 }),
    Object.assign(Object.create(null), { a: 1 }),
    Object.defineProperty({}, 'a', { value: 'hidden' }),
    { a: '\ud83d' },
    { '\ud83d': 1 },
    JSON.parse('{"__proto__": 1, "a": 2}'),
    new Array(2),
    new Map(),
    10n,
    Symbol('a'),
    () => 1,
    new String('a'),
  ];

  it('have the verdict of their text, whatever the schema', async () => {
    const random = seeded(11);
    const verdicts = { valid: 0, invalid: 0 };
    for (let round = 0; round < rounds(150); round++) {
      const generator = new Generator(random);
      const schema = generator.schema();
      const paylint = await openPaylint({ schema: schema as object }).catch(() => null);
      if (paylint === null) continue; // it cannot be used
      const values = Array.from({ length: 20 }, () => generator.instance(schema, schema));
      for (const value of [...values, ...ODD]) {
        const text = typeof value === 'bigint' ? undefined : JSON.stringify(value);
        const expected = text !== undefined && paylint.validate(text).valid;
        const { valid, violations } = paylint.validateValue(value);
        expect(valid, `${text} by ${JSON.stringify(schema)}`).toBe(expected);
        expect(violations.length === 0).toBe(valid);
        verdicts[valid ? 'valid' : 'invalid']++;
      }
    }
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(rounds(150) * 3);
  });

  it('are judged by their own members, which JSON.stringify writes, as those of their text', async () => {
    const schema = {
      properties: { a: { properties: { b: { type: 'integer' } }, required: ['b'] }, c: { items: { type: 'integer' } } },
    };
    const hidden = (object: object, name: string, value: unknown): object =>
      Object.defineProperty(object, name, { value });
    const odd: readonly unknown[] = [
      { a: hidden({}, 'b', 1) },
      { a: Object.create({ b: 1 }) },
      {
        a: new (class {
          b = 1;
          toJSON() {
            return {};
          }
        })(),
      },
      { a: hidden({ b: 1 }, 'toJSON', () => ({ b: 'x' })) },
      { a: { b: 1, toJSON: () => ({}) } },
      { c: Object.assign([1], { toJSON: () => ['x'] }) },
      { a: { b: 1, '\ud800': 1 } },
      { a: { b: 1, d: '\ud800' } },
      { a: { b: Number.NaN } },
      { a: { b: 1, d: { e: () => 1 } } },
      { c: [1, undefined] },
      { c: new Uint8Array(2) },
      { a: new Map([['b', 1]]) },
    ];
    for (const additionalProperties of [true, false, { type: ['integer', 'string', 'object'] }]) {
      const a = { ...schema.properties.a, additionalProperties };
      const paylint = await openPaylint({ schema: { properties: { ...schema.properties, a } } });
      for (const value of odd)
        expect([value, paylint.validateValue(value).valid]).toEqual([
          value,
          paylint.validate(JSON.stringify(value)).valid,
        ]);
      Object.defineProperty(Object.prototype, 'b', { value: 1, enumerable: true, configurable: true, writable: true });
      try {
        expect([{ a: {} }, { a: { b: 1 } }].map((value) => paylint.validateValue(value).valid)).toEqual([false, true]);
        const judged = await openByJudge({ schema: { anyOf: [{ properties: { a } }] } });
        expect(['{"a":{}}', '{"a":{"b":1}}'].map((text) => judged.validate(text).valid)).toEqual([false, true]);
      } finally {
        delete (Object.prototype as { b?: unknown }).b;
      }
    }
  });

  it('are not deeper or larger than texts may be', async () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    const paylint = await openPaylint({ schema: { type: 'array' }, maxDepth: 50, maxPayloadBytes: 300 });
    expect([50, 51, 120].map((levels) => paylint.validateValue(deep(levels)).valid)).toEqual([true, false, false]);
    expect(paylint.validateValue(['x'.repeat(290)]).valid).toBe(true);
    expect(paylint.validateValue(['x'.repeat(299)]).violations).toMatchObject([{ rule: 'payload-too-large' }]);
  });
});
