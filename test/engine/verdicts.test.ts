/**
 * `test/verdicts/*.tsv`: schemas, payloads, and what JSON Schema says of them, one a line: `valid`, `invalid`, or `refused` for a schema that
 * cannot be used. Both engines are held to it. `node scripts/verdicts.js` compares the table with other validators.
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createEngines } from '../../scripts/mutations/engines.ts';
import { readVerdicts } from '../../scripts/verdicts.js';
import { SchemaError } from '../../src/errors.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-verdicts-'));
const path = join(folder, 'it.json');
afterAll(() => rmSync(folder, { recursive: true }));

interface Verdict {
  /** What examine makes of the payload. */
  readonly verdict: string;
  /** What accept is sure of. */
  readonly sure: readonly string[];
}

async function verdictOf(schema: string, payload: string): Promise<Verdict> {
  writeFileSync(path, schema);
  try {
    const engines = await createEngines(path);
    const bytes = Buffer.from(payload);
    const verdict = engines.examine(bytes) === null ? 'invalid' : 'valid';
    const sure = [...(engines.accept(bytes) === null ? [] : ['valid']), ...(engines.refuses(bytes) ? ['invalid'] : [])];
    return { verdict, sure };
  } catch (error) {
    if (error instanceof SchemaError) return { verdict: 'refused', sure: [] };
    throw error;
  }
}

describe.each(readVerdicts())('$file', ({ rows }) => {
  it.each(rows)('line $line: $expected: $payload by $schema', async ({ expected, schema, payload }) => {
    const { verdict, sure } = await verdictOf(schema, payload);
    expect(verdict).toBe(expected);
    expect(sure.filter((one) => one !== expected)).toEqual([]);
  });
});

it('a schema that is refused ends the run with the place, and not with a bug', async () => {
  const refused = readVerdicts().flatMap(({ rows }) => rows.filter(({ expected }) => expected === 'refused'));
  expect(refused.length).toBeGreaterThan(5);
  for (const { schema, payload } of refused) {
    writeFileSync(path, schema);
    const { code, stderr } = await paylint(['validate', '--schema', path, '--no-config'], {
      cwd: folder,
      stdin: payload,
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^(?:paylint: it\.json:1:\d+: it\.json#\S*: .+\n)+$/)]);
  }
});

describe('a schema that is too much', () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce((inner) => ({ properties: { a: inner } }), { type: 'string' });
  const chain = (hops: number): unknown => ({
    $ref: '#/$defs/0',
    $defs: { ...Array.from({ length: hops }, (_, i) => ({ $ref: `#/$defs/${i + 1}` })), [hops]: { type: 'string' } },
  });
  const doubled = (levels: number): unknown => ({
    $ref: '#/$defs/0',
    $defs: Object.fromEntries(
      Array.from({ length: levels + 1 }, (_, i) => {
        const next = { $ref: `#/$defs/${i + 1}` };
        return [i, i < levels ? { allOf: [next, next] } : { type: 'object' }];
      }),
    ),
  });
  const alternatives = (keyword: string): unknown => ({
    [keyword]: Array.from({ length: 3000 }, (_, i) => ({ required: [`m${i}`] })),
  });
  const wide = (members: number): unknown => ({
    properties: Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, { type: 'string' }])),
  });

  it.each([
    ['nested', nested(240), 0, ''],
    ['nested too deep', nested(800), 2, /it\.json#(\/properties\/a){251}: subschemas are nested deeper/],
    ['a chain of references', chain(400), 1, ''],
    ['a chain that is too long', chain(10_000), 2, /it\.json#\/\$defs\/\d+: more than 500 references/],
    ['references that double', doubled(12), 0, ''],
    ['references that double many times', doubled(40), 0, ''],
    ['anyOf with thousands of alternatives', alternatives('anyOf'), 1, ''],
    ['oneOf with thousands of alternatives', alternatives('oneOf'), 1, ''],
    ['too many subschemas', wide(100_001), 2, /it\.json#\/properties\/m\d+: there are more than 100000/],
  ])('%s', async (_, schema, code, words) => {
    writeFileSync(path, JSON.stringify(schema));
    const run = await paylint(['validate', '--schema', path, '--no-config', '--quiet'], { cwd: folder, stdin: '{}' });
    expect(run).toMatchObject({ code, stderr: words === '' ? '' : expect.stringMatching(words) });
  });

  it('many alternatives have the verdicts of few', async () => {
    for (const keyword of ['anyOf', 'oneOf']) {
      const schema = { [keyword]: [...Array.from({ length: 300 }, (_, i) => ({ const: i })), { const: 7 }] };
      const both = keyword === 'anyOf' ? 'valid' : 'invalid';
      for (const [payload, verdict] of [
        ['3', 'valid'],
        ['7', both],
        ['300', 'invalid'],
      ] as const) {
        expect(await verdictOf(JSON.stringify(schema), payload)).toMatchObject({ verdict });
        const opposite = verdict === 'valid' ? 'invalid' : 'valid';
        expect(await verdictOf(JSON.stringify({ not: schema }), payload)).toMatchObject({ verdict: opposite });
      }
    }
  });

  it('too large', async () => {
    writeFileSync(path, `{"description":"${'x'.repeat(17 << 20)}"}`);
    const run = await paylint(['validate', '--schema', path, '--no-config'], { cwd: folder, stdin: '{}' });
    expect(run).toMatchObject({ code: 2, stderr: 'paylint: it.json: cannot read the schema: is larger than 16 MiB\n' });
  });

  it.skipIf(!existsSync('/dev/zero')).each(['/dev/zero', '/dev/null', '/dev'])(
    '%s is refused at once',
    async (name) => {
      const run = await paylint(['validate', '--schema', name, '--no-config'], { cwd: folder, stdin: '{}' });
      expect(run).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/: (is neither a file nor a pipe|is a folder, not a file)\n$/),
      });
    },
  );
});
