/**
 * `deprecated` is a remark: it changes no verdict, whatever the schema around it, and both engines agree about which payloads
 * have it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator, type Random } from '../../scripts/mutations/schemas.ts';
import { SchemaError } from '../../src/errors.ts';
import { openPaylint } from '../../src/index.ts';
import { rounds } from '../rounds.ts';
import { trySchema } from '../trial.ts';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-deprecated-'));
afterAll(() => rmSync(root, { recursive: true }));

const OLD = { deprecated: true };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

// biome-ignore-start lint/suspicious/noThenProperty: a keyword of JSON Schema
/** Where a payload with the member `old` has a remark, and where it has none. */
const SCHEMAS: readonly (readonly [name: string, schema: object, remarks: readonly string[]])[] = [
  ['a member', object({ old: { type: 'integer', ...OLD } }), ['/old']],
  ['a member of any value', object({ old: OLD }), ['/old']],
  ['a message alone', object({ old: { deprecationMessage: 'use new' } }), ['/old']],
  ['a reference', { ...object({ old: { $ref: '#/$defs/o' } }), $defs: { o: OLD } }, ['/old']],
  ['beside a reference', { ...object({ old: { ...OLD, $ref: '#/$defs/o' } }), $defs: { o: {} } }, ['/old']],
  ['twice', { ...object({ old: { ...OLD, $ref: '#/$defs/o' } }), $defs: { o: OLD } }, ['/old']],
  ['allOf', { allOf: [{ minProperties: 1 }, object({ old: OLD })] }, ['/old']],
  ['then', { if: { required: ['old'] }, then: object({ old: OLD }) }, ['/old']],
  ['else', { if: { required: ['none'] }, else: object({ old: OLD }) }, ['/old']],
  ['a dependent schema', { dependentSchemas: { old: object({ old: OLD }) } }, ['/old']],
  ['a pattern', { patternProperties: { '^o': OLD } }, ['/old']],
  ['any other member', object({ new: true, list: true }, { additionalProperties: OLD }), ['/old']],
  ['what is not evaluated', object({ new: true, list: true }, { unevaluatedProperties: OLD }), ['/old']],
  ['below', object({ list: { items: object({ old: OLD }) } }), ['/list/0/old']],
  ['what is not deprecated', object({ old: { deprecated: false, deprecationMessage: 'x' } }), []],
  ['a condition', { if: object({ old: OLD }), then: true }, []],
  ['not', { not: object({ old: { ...OLD, type: 'string' } }) }, []],
  ['alternatives', { anyOf: [object({ old: OLD }), { required: ['nothing'] }] }, []],
  ['one alternative', { oneOf: [object({ old: OLD }), { required: ['nothing'] }] }, []],
  ['contains', object({ list: { contains: object({ old: OLD }) } }), []],
  ['the root and items', { ...OLD, items: OLD }, []],
];
// biome-ignore-end lint/suspicious/noThenProperty: a keyword of JSON Schema
const PAYLOAD = '{"new":1,"old":1,"list":[{"old":2}]}';

describe('a payload that has a deprecated member', () => {
  it.each(SCHEMAS)('%s', async (name, schema, remarks) => {
    const file = join(mkdtempSync(join(root, 'x')), 's.json');
    writeFileSync(file, JSON.stringify(schema));
    const plain = await openPaylint({ schema: file });
    const told = await openPaylint({ schema: file, rules: { deprecated: 'warning' } });
    const strict = await openPaylint({ schema: file, rules: { deprecated: 'error' } });
    const pointers = (one: Awaited<ReturnType<typeof openPaylint>>, text: string) =>
      one.validate(text).violations.map(({ pointer, rule }) => `${rule} ${pointer}`);
    const expected = remarks.map((pointer) => `deprecated ${pointer}`);
    for (let i = 0; i < 40; i++) {
      expect([name, plain.validate(PAYLOAD)]).toEqual([name, { valid: true, kind: 's', violations: [] }]);
      expect([told.validate(PAYLOAD).valid, told.isValid(PAYLOAD)]).toEqual([true, true]);
      expect(pointers(told, PAYLOAD)).toEqual(expected);
      expect(pointers(strict, PAYLOAD)).toEqual(expected);
      expect([strict.validate(PAYLOAD).valid, strict.isValid(PAYLOAD)]).toEqual(
        new Array(2).fill(remarks.length === 0),
      );
    }
  });

  it.each(SCHEMAS)('%s, by the command line: the compiled engine is unsure of it', async (_, schema, remarks) => {
    const folder = mkdtempSync(join(root, 'x'));
    writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
    writeFileSync(join(folder, 'a.ndjson'), `${PAYLOAD}\n`.repeat(1000));
    for (const level of ['warning', 'error'] as const) {
      writeFileSync(join(folder, 'paylint.config.json'), `{"schema":"s.json","rules":{"deprecated":"${level}"}}`);
      for (const threads of ['1', '2']) {
        const args = ['validate', 'a.ndjson', '--format', 'ndjson', '--max-violations', '1', '--threads', threads];
        const { code, stdout } = await paylint(args, { cwd: folder });
        const count = 1000 * remarks.length;
        const isError = level === 'error' && count > 0;
        const summary: unknown = JSON.parse(stdout.trim().split('\n').at(-1)!);
        expect(summary).toMatchObject({
          invalid: isError ? 1000 : 0,
          warnings: isError ? 0 : count,
          violations: isError ? count : 0,
          rules: count === 0 ? {} : { deprecated: count },
        });
        expect(code).toBe(isError ? 1 : 0);
      }
    }
  });

  it.each(SCHEMAS)('%s, and the compiled engine', async (_, schema, remarks) => {
    const { accept, examine } = await trySchema(schema, { deprecations: true });
    if (remarks.length > 0) expect([accept(PAYLOAD), examine(PAYLOAD)]).toEqual([null, null]);
    // Payloads without the member are accepted, and so cost nothing more.
    const without = '{"new":1,"list":[{"x":2}]}';
    if (remarks.length > 0) expect([accept(without), examine(without)]).toEqual(['it', 'it']);
  });

  it('is unsure of whatever examine says something about', async () => {
    const random = seeded(45);
    let accepted = 0;
    let told = 0;
    for (let i = 0; i < rounds(200); i++) {
      const generator = new Generator(random);
      const schema = generator.schema();
      const trial = await trySchema(marked(schema, random), { deprecations: true }).catch((error) => {
        if (!(error instanceof SchemaError)) throw error;
        return null;
      });
      for (let j = 0; trial !== null && j < 20; j++) {
        const text = JSON.stringify(generator.instance(schema, schema) ?? null);
        const isFine = trial.examine(text) !== null;
        if (!isFine) told++;
        else if (trial.accept(text) !== null) accepted++;
        if (!isFine) expect([schema, text, trial.accept(text)]).toEqual([schema, text, null]);
      }
    }
    expect(accepted).toBeGreaterThan(50);
    expect(told).toBeGreaterThan(50);
  });
});

/** The schema, in which some subschemas are deprecated. */
function marked(schema: unknown, random: Random): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const inside = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (BY_NAME.includes(keyword))
      return [
        keyword,
        Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, marked(one, random)])),
      ];
    if (LISTS.includes(keyword)) return [keyword, (value as unknown[]).map((one) => marked(one, random))];
    return [keyword, SINGLE.includes(keyword) ? marked(value, random) : value];
  });
  return { ...Object.fromEntries(inside), ...(random(4) === 0 ? { deprecated: true } : {}) };
}

const BY_NAME = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLE = [
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames'],
  ...['if', 'then', 'else', 'not'],
];
