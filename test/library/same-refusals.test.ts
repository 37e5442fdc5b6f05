/**
 * The library refuses what the command line refuses: schemas and configs, good and bad, some four hundred. The sentences about
 * configs have no flags of the command line.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import type { GivenSchema } from '../../src/library/api.ts';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const folder = mkdtempSync(join(TMP, 'same-refusals-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return join(folder, name);
};

type Schema = Readonly<Record<string, unknown>>;

const ROOTS: readonly Schema[] = [
  { type: 'object' },
  { required: ['a'] },
  { properties: { a: { type: 'string' } }, additionalProperties: false },
  { $defs: { t: { type: 'integer' } }, properties: { a: { $ref: '#/$defs/t' } } },
  { $id: 'https://x.test/root', anyOf: [{ type: 'object' }, { type: 'string' }] },
  { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', definitions: { t: { minimum: 1 } } },
  { $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: { minimum: 1, exclusiveMinimum: true } } },
  { $schema: 'https://json-schema.org/draft/2019-09/schema', dependentRequired: { a: ['b'] } },
  JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}') as Schema,
  { not: { type: 'string' }, minProperties: 0 },
];

/** Good and bad: what is put beside the keywords of a root, or inside of it. */
const CHANGES: readonly (readonly [string, (root: Schema) => unknown])[] = [
  ['as it is', (root) => root],
  ['a misspelt keyword', (root) => ({ ...root, propertes: {} })],
  ['a type that does not exist', (root) => ({ ...root, type: 'strng' })],
  ['a number as the type', (root) => ({ ...root, type: 5 })],
  ['a negative length', (root) => ({ ...root, minLength: -1 })],
  ['a text as a limit', (root) => ({ ...root, maximum: '5' })],
  ['required that is no list', (root) => ({ ...root, required: 'a' })],
  ['required twice', (root) => ({ ...root, required: ['a', 'a'] })],
  ['an empty list of alternatives', (root) => ({ ...root, allOf: [] })],
  ['a list of properties', (root) => ({ ...root, properties: [] })],
  ['a reference to nothing', (root) => ({ ...root, properties: { z: { $ref: '#/nowhere' } } })],
  ['a reference to another file', (root) => ({ ...root, properties: { z: { $ref: 'gone.json' } } })],
  ['a reference to a network', (root) => ({ ...root, properties: { z: { $ref: 'https://x.test/gone' } } })],
  ['a pattern that is none', (root) => ({ ...root, pattern: '(' })],
  ['a pattern of another engine', (root) => ({ ...root, pattern: '(?i)a' })],
  ['a right pattern', (root) => ({ ...root, pattern: '^a' })],
  ['an unknown class', (root) => ({ ...root, pattern: '\\p{Nope}' })],
  ['an unknown format', (root) => ({ ...root, format: 'emial' })],
  ['a format', (root) => ({ ...root, format: 'email' })],
  ['an enum', (root) => ({ ...root, enum: [{}, { a: 1 }] })],
  ['an enum that is no list', (root) => ({ ...root, enum: 'a' })],
  ['a constant', (root) => ({ ...root, const: {} })],
  ['a divisor of 0', (root) => ({ ...root, multipleOf: 0 })],
  ['an unknown draft', (root) => ({ ...root, $schema: 'https://x.test/draft' })],
  ['an anchor twice', (root) => ({ ...root, $defs: { x: { $anchor: 'a' }, y: { $anchor: 'a' } } })],
  ['a number as a schema', (root) => ({ ...root, properties: { a: 5 } })],
  ['a boolean as a schema', (root) => ({ ...root, properties: { a: false } })],
  ['annotations', (root) => ({ ...root, title: 't', 'x-a': 1, $comment: 'c', examples: [1] })],
  ['a default that is not allowed', (root) => ({ ...root, properties: { a: { type: 'string', default: 1 } } })],
  ['an openapi keyword', (root) => ({ ...root, nullable: true })],
  ['itself alone', () => ({ $ref: '#' })],
  ['a title alone', () => ({ title: 'x' })],
  ['nothing', () => ({})],
  ['a payload', () => ({ name: 'x', age: 5 })],
  ['true', () => true],
  ['false', () => false],
];

const FLAG = /(?:^|\s)--[a-z]/;

/** Null: it is taken. */
async function refusal(options: Parameters<typeof openPaylint>[0]): Promise<string | null> {
  try {
    const instance = await openPaylint(options);
    await instance.close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

write('p.json', { a: 'x' });

describe.each(ROOTS.map((root, i) => [i, root] as const))('schema %i', (_, root) => {
  it.each(CHANGES)('with %s is refused by both, or by none', async (_name, change) => {
    const schema = change(root);
    const path = write('s.json', schema);
    const { code, stderr } = await paylint(['kinds', '--schema', 's.json', '--no-config'], { cwd: folder });
    const checked = await paylint(['validate', 'p.json', '--schema', 's.json', '--no-config', '--exit-zero'], {
      cwd: folder,
    });
    const isRefused = checked.code === 2;
    expect(code === 2 || !isRefused || /asserts nothing|keyword/.test(checked.stderr), stderr).toBe(true);
    const byPath = await refusal({ schema: path });
    const byValue = await refusal({ schema: schema as GivenSchema });
    expect([byPath !== null, byValue !== null], checked.stderr + (byPath ?? byValue ?? '')).toEqual([
      isRefused,
      isRefused,
    ]);
  });
});

describe('a config', () => {
  const CONFIGS: readonly unknown[] = [
    {},
    { schema: 's.json' },
    { schema: 'gone.json' },
    { schemaa: 's.json' },
    { schema: 5 },
    { schema: 's.json', rules: { type: 'warning' } },
    { schema: 's.json', rules: { tpye: 'warning' } },
    { schema: 's.json', rules: { type: 'fatal' } },
    { schema: 's.json', rules: { 'json-syntax': 'off' } },
    { schema: 's.json', rules: { 'check/nope': 'off' } },
    { schema: 's.json', formats: { sku: { pattern: '^a' } } },
    { schema: 's.json', formats: { sku: { pattern: '(' } } },
    { schema: 's.json', formats: { sku: { pattern: '(a)\\1' } } },
    { schema: 's.json', formats: { sku: {} } },
    { schema: 's.json', formats: { sku: { values: '../x' } } },
    { schema: 's.json', formats: { sku: { pattrn: 'a' } } },
    { schema: 's.json', checks: [{ id: 'a', assert: 'true', message: 'm' }] },
    { schema: 's.json', checks: [{ id: 'a', asert: 'true', message: 'm' }] },
    { schema: 's.json', checks: [{ id: 'a', assert: 'true +', message: 'm' }] },
    { schema: 's.json', checks: [{ id: 'a', assert: 'true', message: 'm', at: '/l/-' }] },
    { schema: 's.json', checks: 'gone.json' },
    { schema: 's.json', checks: '../x.json' },
    { schema: 's.json', refs: ['gone.json'] },
    { schema: 's.json', vocabularies: ['openapi'] },
    { schema: 's.json', vocabularies: ['open'] },
    { schema: 's.json', maxDepth: 0 },
    { schema: 's.json', maxPayloadBytes: '9G' },
    { schema: 's.json', kinds: [{ files: 'x', kind: 'nope' }] },
    { schema: 's.json', $comment: 'c', 'x-y': 1 },
    [],
    'text',
  ];

  it.each(CONFIGS)('%j is refused by both, or by none', async (config) => {
    write('s.json', { type: 'object', properties: { l: { type: 'array' } } });
    const path = write('paylint.config.json', config);
    const { code, stderr } = await paylint(['validate', 'p.json', '--exit-zero', '--config', path], { cwd: folder });
    const message = await refusal({ config: path });
    expect(message !== null, stderr + (message ?? '')).toBe(code === 2);
    expect(message ?? '').not.toMatch(FLAG);
  });
});
