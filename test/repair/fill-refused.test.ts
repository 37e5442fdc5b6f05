/**
 * Defaults that are refused, fillings that would have no end, and the objects that `--deep` makes of defaults.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { JUDGED_LEVELS } from '../../src/limits.ts';
import { createFiller, fillBy, filled, loadForFilling } from '../fill-world.ts';
import { BIN } from '../spawned.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-refused-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('filling has an end', () => {
  const child = { properties: { child: { $ref: '#', default: {} } } };

  it('by a default that holds itself: it is refused', async () => {
    await expect(loadForFilling(child)).rejects.toThrow(
      'own.json#/properties/child/default: with the defaults within it, it has no end',
    );
  });

  it('by one that comes to hold itself in a payload: that is invalid, and stays as it is', async () => {
    const schema = `{"properties": {"child": {"default": {}}},
      "allOf": [{"if": {"required": ["child"]}, "then": {"properties": {"child": {"$ref": "#"}}}}]}`;
    const { text, violations } = await fillBy(schema, '{"n":1}');
    expect(text).toBe('{"n":1}');
    expect(violations.map(({ rule }) => rule)).toEqual(['nested-too-deep']);
  });

  it('by objects that ask for others inside of them: no more than a schema is applied to are made', () => {
    const [schema, payload, counter] = ['inside.json', 'go.json', 'counter.cjs'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(
      schema,
      `{"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}},
        "if": {"required": ["go"]}, "then": {"properties": {"c": {"default": {"go": 1}}}}}}}`,
    );
    writeFileSync(payload, '{"go":1}');
    // Every default is parsed. Threads that examine with a larger stack load this, too.
    writeFileSync(
      counter,
      `const { parse } = JSON;
      let made = 0;
      JSON.parse = (text, ...more) => {
        if (text === '{"go": 1}' && ++made === ${2 * JUDGED_LEVELS}) process._rawDebug('too many');
        return parse(text, ...more);
      };`,
    );
    const args = ['-r', counter, BIN, 'fill', '--no-config', '--format', 'line', '--schema', schema, payload];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '{"go":1}']);
    expect(stderr).not.toContain('too many');
    expect(stderr).toContain('go.json:1:1: nested-too-deep ');
  });

  it('in a payload that is deeper than the stack', async () => {
    const { schemas, defaults } = await loadForFilling({ properties: { c: { $ref: '#' }, x: { default: 1 } } });
    const text = `${'{"c":'.repeat(900)}{}${'}'.repeat(900)}`;
    const { bytes, insertions } = await createFiller(schemas, defaults, true)(Buffer.from(text), { framing: 'json' });
    expect(insertions).toHaveLength(901);
    expect(bytes.toString().startsWith(text.slice(0, -901))).toBe(true);
    writeFileSync(join(folder, 'recursive.json'), JSON.stringify(schemas.entry.schema));
    const deep = `${'{"c":'.repeat(1_500_000)}{}${'}'.repeat(1_500_000)}`;
    const args = ['fill', '--schema', join(folder, 'recursive.json'), '--max-depth', '2000000', '--format', 'line'];
    const { code, stdout, stderr } = await paylint(args, { cwd: folder, stdin: deep });
    expect(stderr).toMatch(/^<stdin>:1:1: nested-too-deep /);
    expect([code, stdout === deep]).toEqual([1, true]);
  });
});

describe('a default that is wrong is refused, and named', () => {
  const REFUSED: [string, string][] = [
    [
      '{"properties":{"a":{"type":"string","default":1}}}',
      '1:47: refused.json#/properties/a/default: the schema does not allow its own default',
    ],
    [
      '{"properties":{"a":{"properties":{"b":{"default":1}},"maxProperties":0,"default":{}}}}',
      '1:82: refused.json#/properties/a/default: the schema does not allow its own default',
    ],
    [
      '{"type":"object","$defs":{"x/y":{"items":{"enum":[1],"default":2}}}}',
      '1:64: refused.json#/$defs/x~1y/items/default: the schema does not allow its own default',
    ],
    [
      '{"properties":{"a":{"default":{"b":1,"b":1}}}}',
      '1:31: refused.json#/properties/a/default: it has a duplicate name',
    ],
  ];

  it.each(REFUSED)('%s', async (schema, message) => {
    writeFileSync(join(folder, 'refused.json'), schema);
    const options = { cwd: folder, stdin: '{}' };
    for (const args of [['fill'], ['fill', '--deep'], ['validate', '--with-defaults']]) {
      const { code, stdout, stderr } = await paylint([...args, '--quiet', '--schema', 'refused.json'], options);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^(?:paylint: warning: [^\n]+ a duplicate name[^\n]*\n)?paylint: /),
      });
      expect(stderr.endsWith(`paylint: refused.json:${message}\n`)).toBe(true);
    }
    expect((await paylint(['validate', '--schema', 'refused.json'], options)).code).toBe(0);
  });
});

describe('--deep', () => {
  const status = {
    type: 'object',
    required: ['id'],
    properties: { id: { enum: ['a'], default: 'a' }, at: { default: 1e2 } },
  };

  /** Whether a violation without --deep says that --deep fixes it. */
  const isPromised = async (schema: object, text: string): Promise<boolean> =>
    (await fillBy(schema, text)).violations.some(({ fix }) => fix === 'fill --deep');

  it('makes a required object that its defaults alone make valid', async () => {
    const { text, members, valid } = await fillBy({ required: ['s'], properties: { s: status } }, '{"n":1}', true);
    expect([text, valid]).toEqual(['{"n":1,"s":{"id":"a","at":100}}', 1]);
    expect(members).toEqual({ '/s': 1 });
    expect(await isPromised({ required: ['s'], properties: { s: status } }, '{"n":1}')).toBe(true);
  });

  it('makes the ones in it as well, and in what is there', async () => {
    const outer = { type: 'object', required: ['s'], properties: { s: status } };
    const schema = { required: ['o'], properties: { o: outer } };
    expect(await filled(schema, '{"n":1}', true)).toBe('{"n":1,"o":{"s":{"id":"a","at":100}}}');
    expect(await filled(schema, '{"o":{}}', true)).toBe('{"o":{"s":{"id":"a","at":100}}}');
    expect(await isPromised(schema, '{"n":1}')).toBe(true);
    expect(await isPromised(schema, '{"o":{}}')).toBe(true);
    expect(await filled({ properties: { l: { items: schema } } }, '{"l":[{"o":{"n":1}}]}', true)).toBe(
      '{"l":[{"o":{"n":1,"s":{"id":"a","at":100}}}]}',
    );
  });

  it('makes the ones that a reference describes', async () => {
    const schema = { required: ['s'], properties: { s: { $ref: '#/$defs/s' } }, $defs: { s: status } };
    expect(await filled(schema, '{"n":1}', true)).toBe('{"n":1,"s":{"id":"a","at":100}}');
    expect(await isPromised(schema, '{"n":1}')).toBe(true);
  });

  it('makes nothing without --deep', async () => {
    expect(await filled({ required: ['s'], properties: { s: status } }, '{"n":1}')).toBe('{"n":1}');
  });

  it.each([
    ['that is not required', { properties: { s: status } }],
    [
      'that its defaults do not make valid',
      { required: ['s'], properties: { s: { ...status, required: ['id', 'other'] } } },
    ],
    ['that may be something else', { required: ['s'], properties: { s: { ...status, type: ['object', 'null'] } } }],
    ['of any shape', { required: ['s'], properties: { s: {} } }],
    ['that is not described', { required: ['s'] }],
    ['in an alternative', { anyOf: [{ required: ['s'], properties: { s: status } }, true] }],
    ['that must have more members', { required: ['s'], properties: { s: { ...status, minProperties: 3 } } }],
    ['that would need itself', { required: ['s'], properties: { s: { type: 'object', $ref: '#' } } }],
  ])('makes no object %s', async (_, schema) => {
    expect(await filled(schema, '{"n":1}', true)).toBe('{"n":1}');
    expect(await isPromised(schema, '{"n":1}')).toBe(false);
  });
});
