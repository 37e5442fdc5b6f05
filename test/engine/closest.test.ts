/**
 * The closest alternative: which one it is, in the library, in parts of a source that threads check, with numbers that doubles do not keep, and
 * how much is told and read for it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { alternativesIn } from '../../src/engine/judge/alternatives.ts';
import { openPaylint } from '../../src/index.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { Child, Violation } from '../../src/types.ts';
import { paylint } from '../world.ts';

const cwd = mkdtempSync(join(import.meta.dirname, '../tmp/closest-'));
afterAll(() => rmSync(cwd, { recursive: true }));
let files = 0;

function schemaFile(schema: unknown): string {
  const path = join(cwd, `s${files++}.json`);
  writeFileSync(path, JSON.stringify(schema));
  return path;
}

async function violationsOf(schema: unknown, text: string): Promise<readonly Violation[]> {
  const instance = await openPaylint({ schema: schemaFile(schema) });
  return instance.validate(text).violations;
}

/** The numbers of the alternatives that are left to the judge. */
function closestOf(alternatives: readonly unknown[], value: unknown): readonly number[] {
  const { kinds } = loadSchemas(schemaFile({ anyOf: alternatives }));
  const { schema } = kinds[0]!;
  return alternativesIn(typeof schema === 'object' ? schema.anyOf! : []).meant(value);
}

const kind = (name: string, more: object = {}) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: name }, ...more },
});

describe('the closest alternative', () => {
  it.each<[string, readonly unknown[], unknown, number[]]>([
    ['has the constant of the value', [kind('a'), kind('b')], { kind: 'b', x: 1 }, [1]],
    [
      'has the value in its list',
      [{ properties: { k: { enum: [1, 2] } } }, { properties: { k: { enum: [3] } } }],
      { k: 3 },
      [1],
    ],
    ['has a constant that is nearly the value', [kind('cat'), kind('horse')], { kind: 'hrose' }, [1]],
    ['is not ruled out by its constant', [kind('a'), { required: ['m'] }], { kind: 'b' }, [1]],
    [
      'tells apart by what differs, not by what all have',
      [kind('a', { v: { const: 1 } }), kind('b', { v: { const: 1 } })],
      { kind: 'b', v: 2 },
      [1],
    ],
    ['may be each that no tag excludes', [{ required: ['x', 'y'] }, { required: ['a'] }, { type: 'null' }], {}, [0, 1]],
    [
      'is of the type of the value',
      [{ type: 'object' }, { type: 'array' }, { type: 'array', minItems: 9 }],
      [],
      [1, 2],
    ],
    ['is the one of a pattern rather than a list', [{ enum: ['auto'] }, { type: 'string', pattern: '^x' }], 'b', [1]],
    ['is the list with a near miss', [{ type: 'string', pattern: '^x' }, { enum: ['auto'] }], 'atuo', [1]],
    [
      'is seen through references and allOf',
      [{ allOf: [kind('a'), { required: ['z'] }] }, kind('b')],
      { kind: 'a' },
      [0],
    ],
  ])('%s', (_, alternatives, value, expected) => {
    expect(closestOf(alternatives, value)).toEqual(expected);
  });

  it('of thousands is found by a constant; else the first are compared', () => {
    const many = Array.from({ length: 4000 }, (_, i) => kind(`k${i}`, { [`m${i}`]: { type: 'integer' } }));
    expect(closestOf(many, { kind: 'k3210', m3210: 'x' })).toEqual([3210]);
    expect(closestOf(many, { other: 1 })).toEqual(Array.from({ length: 64 }, (_, i) => i));
  });
});

describe('a violation of alternatives', () => {
  const SCHEMA = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { x: { oneOf: [kind('a', { n: { type: 'integer' } }), kind('b')] } },
  };
  const TEXT = '{"x":{"kind":"a",\n"n":"é"}}';

  it('has params and children in the library', async () => {
    const [violation] = await violationsOf(SCHEMA, TEXT);
    const place = violation!.schema!;
    expect(violation).toMatchObject({
      rule: 'oneOf',
      pointer: '/x',
      line: 1,
      params: { passing: null, alternatives: 2, closest: `${place}/0` },
    });
    const children: readonly Child[] = violation!.children!;
    expect(children).toEqual([
      {
        line: 2,
        column: 5,
        endLine: 2,
        endColumn: 8,
        offset: 22,
        pointer: '/x/n',
        rule: 'type',
        message: 'expected an integer, found "é"',
        params: { expected: 'integer', found: 'string' },
        schema: `${place}/0/properties/n/type`,
      },
    ]);
  });

  it('of a value without a text has children without places', async () => {
    const instance = await openPaylint({ schema: schemaFile(SCHEMA) });
    const { violations } = instance.validateValue({ x: { kind: 'a', n: 'x' } });
    expect(violations[0]!.children![0]).toMatchObject({ line: null, offset: null, pointer: '/x/n' });
  });

  it('has no child that says nothing: types and values are in the violation', async () => {
    const plain = { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } };
    const [violation] = await violationsOf(plain, '{"a":1}');
    expect(violation).not.toHaveProperty('children');
    expect(violation!.params).toEqual({ alternatives: 2, expected: ['string', 'null'] });
    expect(violation!.message).toBe('expected a string or null, found 1');
  });

  it('says numbers as the schema writes them', async () => {
    const name = schemaFile({});
    writeFileSync(name, '{"properties":{"a":{"anyOf":[{"const":12345678901234567890},{"type":"string"}]}}}');
    const [violation] = (await openPaylint({ schema: name })).validate('{"a":12345678901234567891}').violations;
    expect(violation!.message).toBe('expected 12345678901234567890 or a string, found 12345678901234567891');
  });

  it('is judged by the digits of the payload', async () => {
    const big = {
      properties: { a: { anyOf: [{ type: 'array', items: { const: 9007199254740992 } }, { type: 'null' }] } },
    };
    const [violation] = await violationsOf(big, '{"a":[9007199254740992,9007199254740993]}');
    expect(violation!.children!.map(({ pointer }) => pointer)).toEqual(['/a/1']);
  });

  it('is judged with the last of equal names', async () => {
    const violations = await violationsOf(SCHEMA, '{"x":{"kind":"a","n":1,"n":"x"}}');
    const [violation] = violations.filter(({ rule }) => rule === 'oneOf');
    expect(violation!.children!.map(({ column }) => column)).toEqual([28]);
  });

  it('is about the payload as it is once filled, if defaults are filled in', async () => {
    const filled = {
      properties: { d: { default: 1 } },
      anyOf: [{ required: ['d', 'e'], properties: { e: true, d: true } }, { type: 'null' }],
    };
    const schema = schemaFile(filled);
    const instance = await openPaylint({ schema });
    const { violations } = instance.fill('{"e2":1}');
    expect(violations[0]!.children!.map(({ message }) => message)).toEqual([
      'the member "e" is missing; there is "e2"',
    ]);
  });
});

describe('many violations of alternatives', () => {
  const SCHEMA = { items: true, properties: {}, anyOf: [kind('a', { n: { type: 'integer' } }), kind('b')] };
  const lines = Array.from({ length: 5000 }, (_, i) => `{"kind":"${i % 9 === 0 ? 'a' : 'b'}","n":"${i}"}`);

  it('are the same with threads, whose parts begin at any line', async () => {
    writeFileSync(join(cwd, 'many.ndjson'), lines.map((line) => `${line}${' '.repeat(500)}\n`).join(''));
    const schema = schemaFile(SCHEMA);
    const run = async (threads: number): Promise<string> => {
      const args = ['validate', 'many.ndjson', '--schema', schema, '--format', 'ndjson', '--quiet'];
      return (await paylint([...args, '--threads', String(threads)], { cwd })).stdout.replace(/"elapsedMs":\d+/, '');
    };
    const alone = await run(1);
    const found = alone.split('\n').filter((line) => line.startsWith('{"type":"violation"'));
    expect(found).toHaveLength(556);
    for (const [i, line] of found.entries()) {
      const { line: number, children } = JSON.parse(line);
      expect([number, children[0].line]).toEqual([9 * i + 1, 9 * i + 1]);
    }
    expect(await run(3)).toBe(alone);
  });

  it('inside of each other are explained as long as that is not much more text than the payload', async () => {
    const nested = {
      $defs: {
        n: { properties: { c: { $ref: '#/$defs/n' } }, anyOf: [{ required: ['v'], type: 'object' }, { type: 'null' }] },
      },
      $ref: '#/$defs/n',
    };
    const depth = 200;
    const text = `${'{"c":'.repeat(depth)}{"p":"${'x'.repeat(400_000)}"}${'}'.repeat(depth)}`;
    const violations = await violationsOf(nested, text);
    expect(violations).toHaveLength(depth + 1);
    const explained = violations.filter(({ children }) => children !== undefined);
    expect(explained.length).toBeGreaterThan(3);
    expect(explained.length).toBeLessThan(10);
    expect(violations.at(-1)!.message).toBe('an object matches none of the 2 alternatives');
  });
});
