/**
 * Filling never makes a valid payload invalid, nor one of another kind: it is left as it is, and a violation says why. In both engines.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaError } from '../../src/errors.ts';
import { place, run } from '../fill-run.ts';
import { createFiller, fillBy, loadForFilling } from '../fill-world.ts';
import { rounds, seededUnlessAll } from '../rounds.ts';

const X = { type: 'object', properties: { x: { default: 1 } } };

describe('a valid payload that its defaults would make invalid is left as it is', () => {
  it.each<[string, object, string, string]>([
    ['maxProperties', { maxProperties: 1 }, '{"a":0}', 'expected at most 1 member, found 2'],
    ['propertyNames', { propertyNames: { enum: ['a'] } }, '{"a":0}', 'the name "x" is not allowed; expected "a"'],
    ['not', { not: { required: ['x'] } }, '{"a":0}', 'the member "x" must not be there'],
    ['dependentRequired', { dependentRequired: { x: ['b'] } }, '{"a":0}', 'the member "b" is missing; "x" requires it'],
    [
      'if',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ['x'] }, then: { required: ['b'] } },
      '{"a":0}',
      'the member "b" is missing; the schema asks for this if there is the member "x"',
    ],
    [
      'oneOf',
      { oneOf: [{ required: ['a'] }, { required: ['x'] }] },
      '{"a":0}',
      'an object matches more than one of the alternatives: own.json#/oneOf/0 and own.json#/oneOf/1',
    ],
    [
      'additionalProperties',
      { allOf: [{ properties: { a: true }, additionalProperties: false }] },
      '{"a":0}',
      'the member "x" is not allowed',
    ],
    ['enum', { enum: [{ a: 0 }] }, '{"a":0}', 'expected {"a":0}, found an object'],
    ['type', { allOf: [{ properties: { x: { type: 'string' } } }] }, '{"a":0}', 'expected a string, found 1'],
    ['patternProperties', { patternProperties: { '^x': { type: 'string' } } }, '{"a":0}', 'expected a string, found 1'],
  ])('by %s', async (_, keyword, text, words) => {
    const filled = await fillBy({ ...X, ...keyword }, text);
    expect([filled.text, filled.payloads, filled.valid]).toEqual([text, 1, 0]);
    expect(filled.violations).toHaveLength(1);
    const { rule, params, message, fixable, line, schema } = filled.violations[0]!;
    expect([rule, fixable, line]).toEqual(['unsafe-default', false, 1]);
    expect(message).toBe(
      `with its defaults filled in, this payload would be invalid (${String((params as { rule: string }).rule)}: ${words}); it is left as it is`,
    );
    expect(schema).toMatch(/^own\.json#\//);
    // Where it is invalid anyway, or safe, it is filled in.
    expect((await fillBy({ ...X, ...keyword, required: ['c'] }, text)).text).toBe('{"a":0,"x":1}');
  });

  it('and nothing else of it is filled in, but the payloads around it are', async () => {
    const inner = { ...X, maxProperties: 1 };
    const schema = { properties: { o: inner, y: { default: 2 } } };
    const { schemas, defaults } = await loadForFilling(schema);
    for (const fast of [true, false]) {
      const fill = createFiller(schemas, defaults, fast);
      const { bytes, members, valid } = await fill(Buffer.from('{"o":{}}\n{"o":{"a":1}}\n{"y":1}\n'), {
        framing: 'lines',
      });
      expect(bytes.toString()).toBe('{"o":{"x":1},"y":2}\n{"o":{"a":1}}\n{"y":1}\n');
      expect([members, valid]).toEqual([{ '/o/x': 1, '/y': 1 }, 2]);
    }
  });

  it('where two elements would come to be equal', async () => {
    const schema = { properties: { l: { type: 'array', items: X, uniqueItems: true } } };
    expect((await fillBy(schema, '{"l":[{},{"x":1}]}')).text).toBe('{"l":[{},{"x":1}]}');
    expect((await fillBy(schema, '{"l":[{},{"x":2}]}')).text).toBe('{"l":[{"x":1},{"x":2}]}');
  });

  it.each(['1', '4'])('in every way of filling, with %s threads', async (threads) => {
    const schema = JSON.stringify({ ...X, maxProperties: 1 });
    const lines = '{"a":0}\n'.repeat(60);
    const folder = place({ 'a.ndjson': lines });
    writeFileSync(join(folder, '../unsafe.json'), schema);
    const args = ['--schema', '../unsafe.json', '--threads', threads, '--format', 'line', 'a.ndjson'];
    const to = await run(['fill', ...args], folder);
    expect([to.code, to.stdout.toString()]).toEqual([1, lines]);
    const reports = [to.stderr];
    for (const verb of [
      ['fill', '--write'],
      ['fill', '--check'],
      ['validate', '--with-defaults'],
    ]) {
      const { code, stdout, stderr } = await run([...verb, ...args], folder);
      expect([verb, code, stderr]).toEqual([verb, 1, '']);
      reports.push(stdout.toString());
    }
    const steady = reports.map((report) => report.replace(/[\d.]+ m?s$/m, ''));
    expect(new Set(steady).size).toBe(1);
    expect(steady[0]).toMatch(
      /^a\.ndjson:1:1: unsafe-default with its defaults [\s\S]*✗ 60 violations in 60 of 60 payloads · $/m,
    );
    const diff = await run(['fill', '--diff', ...args], folder);
    expect([diff.code, diff.stdout.length]).toEqual([1, 0]);
    expect((await run(['validate', ...args], folder)).code).toBe(0);
    const pretty = await run(['fill', '--schema', '../unsafe.json', '--max-violations', '1', 'a.ndjson'], folder);
    expect(pretty.stderr).toContain('… and 59 more: unsafe-default 59');
  });
});

describe('a payload stays of its kind', () => {
  const doorOf = (first: object, second: object): object => ({
    if: { type: 'object', required: ['k'], ...first },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { title: 'first', $ref: 'first.json' },
    else: {
      if: { type: 'object', required: ['b'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { title: 'second', $ref: 'second.json' },
      else: false,
    },
    ...second,
  });
  const withDefault = (value: string) => ({ type: 'object', properties: { k: { default: value }, y: { default: 1 } } });

  it.each([
    ['by a default that an earlier kind asks for', {}, 'anything'],
    [
      'by a default that has the value of an earlier kind',
      { properties: { k: { enum: ['first', 'other'] } } },
      'other',
    ],
  ])('%s', async (_, test, value) => {
    const others = { 'first.json': { type: 'object' }, 'second.json': withDefault(value) };
    const { schemas, defaults } = await loadForFilling(doorOf(test, {}), false, others);
    for (const fast of [true, false]) {
      const fill = createFiller(schemas, defaults, fast);
      const { bytes, violations } = await fill(Buffer.from('{"b":1}'), { framing: 'json' });
      expect(bytes.toString()).toBe('{"b":1}');
      expect(violations).toMatchObject([
        {
          rule: 'unsafe-default',
          kind: 'second',
          message:
            'with its defaults filled in, this payload would be of the kind "first" instead of "second"; it is left as it is',
          params: { rule: 'unknown-kind', kind: 'first' },
        },
      ]);
      const givenKind = await fill(Buffer.from('{"b":1}'), { framing: 'json', kind: 'second' });
      expect(givenKind.bytes.toString()).toBe(`{"b":1,"k":"${value}","y":1}`);
    }
  });

  it('but for a default that no other kind asks for, which the fast engine fills in', async () => {
    const test = { properties: { k: { const: 'first' } } };
    const others = { 'first.json': { type: 'object' }, 'second.json': withDefault('second') };
    const { schemas, defaults } = await loadForFilling(doorOf(test, {}), false, others);
    const { bytes, accepted } = await createFiller(
      schemas,
      defaults,
      true,
    )(Buffer.from('{"b":1}'), { framing: 'json' });
    expect([bytes.toString(), accepted]).toEqual(['{"b":1,"k":"second","y":1}', 1]);
  });

  it('and of no kind as little as of another one', async () => {
    const entry = {
      if: { not: { required: ['k'] } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { title: 'first', $ref: 'first.json' },
      else: false,
    };
    const { schemas, defaults } = await loadForFilling(entry, false, { 'first.json': withDefault('x') });
    const { bytes, violations } = await createFiller(
      schemas,
      defaults,
      true,
    )(Buffer.from('{"b":1}'), { framing: 'json' });
    expect(bytes.toString()).toBe('{"b":1}');
    expect(violations.map(({ message }) => message)).toEqual([
      'with its defaults filled in, this payload would be of an unknown kind instead of "first"; it is left as it is',
    ]);
  });
});

describe('over random schemas', () => {
  const NAMES = ['a', 'b', 'c', 'd'];
  const name = fc.constantFrom(...NAMES);
  const some = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
  const needs = some.map((required) => ({ required }));
  const value = fc.constantFrom(0, 1, 'x', null);
  const member = fc.oneof(
    value.map((one) => ({ default: one })),
    value.map((one) => ({ default: one })),
    fc.constant({}),
  );
  const flat = fc.record({ type: fc.constant('object'), properties: fc.dictionary(name, member, { minKeys: 1 }) });
  /** What can turn against members that are added. */
  const harmful: Record<string, fc.Arbitrary<unknown>> = {
    maxProperties: fc.nat(4),
    propertyNames: fc.oneof(
      some.map((list) => ({ enum: list })),
      fc.constant({ maxLength: 0 }),
    ),
    not: fc.oneof(needs, fc.record({ minProperties: fc.integer({ min: 1, max: 4 }) })),
    dependentRequired: fc.dictionary(name, some, { maxKeys: 2 }),
    dependentSchemas: fc.dictionary(name, fc.oneof(needs, fc.constant(false)), { maxKeys: 1 }),
    patternProperties: fc.dictionary(fc.constantFrom('^[ab]', 'c'), fc.constantFrom(false, { type: 'null' }), {
      maxKeys: 1,
    }),
    if: needs,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: fc.oneof(needs, flat),
    else: flat,
    oneOf: fc.array(needs, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(fc.record({ maxProperties: fc.nat(3) }), { minLength: 1, maxLength: 2 }),
    allOf: fc.array(
      fc.record({ properties: fc.dictionary(name, fc.constant(true)), additionalProperties: fc.boolean() }),
      { maxLength: 1 },
    ),
    const: fc.dictionary(name, value),
    unevaluatedProperties: fc.boolean(),
    additionalProperties: fc.boolean(),
    required: some,
  };
  const object = fc
    .tuple(flat, fc.uniqueArray(fc.constantFrom(...Object.keys(harmful)), { minLength: 1, maxLength: 3 }))
    .chain(([one, keywords]) =>
      fc
        .record(Object.fromEntries(keywords.map((keyword) => [keyword, harmful[keyword]!])))
        .map((others) => ({ ...one, ...others })),
    );
  const schema = fc.oneof(
    object,
    fc
      .tuple(object, object)
      .map(([one, inner]) => ({
        ...one,
        properties: { ...one.properties, d: inner, l: { type: 'array', items: inner, uniqueItems: true } },
      })),
  );
  const plain = fc.dictionary(name, value, { maxKeys: 3 });
  const payload = fc.oneof(plain, fc.record({ d: plain, l: fc.array(plain, { maxLength: 3 }) }, { requiredKeys: [] }));

  it('a valid payload stays valid, and an invalid one is what Ajv makes of it', async () => {
    const seen = { valid: 0, unsafe: 0, filled: 0 };
    const check = async (one: object, payloads: readonly object[]): Promise<void> => {
      const loaded = await loadForFilling(one).catch((error) => {
        if (error instanceof SchemaError) return null;
        throw error;
      });
      if (loaded === null) return;
      const isValid = new Ajv2020({ strict: false, ownProperties: true, logger: false }).compile(
        JSON.parse(JSON.stringify(one)),
      );
      const lines = payloads.map((each) => `${JSON.stringify(each)}\n`);
      const told = [];
      for (const fast of [true, false]) {
        const fill = createFiller(loaded.schemas, loaded.defaults, fast);
        const filled = await fill(Buffer.from(lines.join('')), { framing: 'lines' });
        told.push({ ...filled, accepted: 0 });
        const after = filled.bytes.toString().trimEnd().split('\n');
        for (const i of payloads.keys()) {
          const unsafe = filled.violations.some(
            (violation) => violation.payload === i && violation.rule === 'unsafe-default',
          );
          seen.filled += Number(after[i] !== lines[i]!.trimEnd());
          if (unsafe) expect([isValid(JSON.parse(lines[i]!)), `${after[i]}\n`]).toEqual([true, lines[i]]);
          if (!isValid(JSON.parse(lines[i]!))) continue;
          seen.valid++;
          seen.unsafe += Number(unsafe);
          expect([one, after[i], isValid(JSON.parse(after[i]!))]).toEqual([one, after[i], true]);
        }
      }
      expect(told[0]).toEqual(told[1]);
    };
    const cases = fc.asyncProperty(schema, fc.array(payload, { minLength: 1, maxLength: 5 }), check);
    await fc.assert(cases, seededUnlessAll(rounds(250)));
    expect(seen.valid).toBeGreaterThan(rounds(150));
    expect(seen.unsafe).toBeGreaterThan(rounds(40));
    expect(seen.filled).toBeGreaterThan(rounds(150));
  });
});
