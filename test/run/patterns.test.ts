/** Pointers are folded by what is an array, not by the look of a token: a member called "123" is no index. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const folder = mkdtempSync(join(TMP, 'patterns-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
const run = (...args: readonly string[]) => paylint(['validate', '--schema', 's.json', ...args], { cwd: folder });

write('s.json', {
  properties: {
    foo: { additionalProperties: { type: 'integer' }, items: { type: 'integer' } },
    '7': { type: 'integer' },
  },
  additionalProperties: { additionalProperties: { type: 'integer' } },
});

const KNOWN = { foo: { '123': 'x' } };
const OTHER = { foo: { '456': 'x' } };

describe.each([
  ['one payload', (value: unknown) => JSON.stringify(value), 'a.json'],
  ['lines', (value: unknown) => `${JSON.stringify(value)}\n`.repeat(2), 'a.ndjson'],
  [
    'many lines, which the compiled engine explains',
    (value: unknown) => `${JSON.stringify(value)}\n`.repeat(2000),
    'a.ndjson',
  ],
  ['an array', (value: unknown) => JSON.stringify([value, value]), 'a.json'],
  [
    'names that are written as escapes',
    (value: unknown) => JSON.stringify(value).replace(/"(\d)/, '"\\u003$1'),
    'a.json',
  ],
])('%s', (_, textOf, file) => {
  it.each(['1', '2'])('a known violation of one member is not one of another, with --threads %s', async (threads) => {
    write(file, textOf(KNOWN));
    rmSync(join(folder, 'b.ndjson'), { force: true });
    await run(file, '--baseline', 'b.ndjson', '--update-baseline', '--threads', threads);
    expect(await run(file, '--baseline', 'b.ndjson')).toMatchObject({ code: 0 });
    write(file, textOf(OTHER));
    expect(await run(file, '--baseline', 'b.ndjson', '--threads', threads)).toMatchObject({ code: 1 });
    // The same by merged reports.
    const { stdout } = await run(file, '--format', 'ndjson', '--threads', threads);
    write('r.ndjson', stdout);
    expect(await paylint(['render', 'r.ndjson', '--baseline', 'b.ndjson'], { cwd: folder })).toMatchObject({ code: 1 });
  });

  it('an item is the same at any index', async () => {
    write(file, textOf({ foo: [1, 'x'] }));
    rmSync(join(folder, 'b.ndjson'), { force: true });
    await run(file, '--baseline', 'b.ndjson', '--update-baseline');
    write(file, textOf({ foo: [1, 2, 3, 'x'] }));
    expect(await run(file, '--baseline', 'b.ndjson')).toMatchObject({ code: 0 });
  });
});

it('the first of many equal statements has its pattern', async () => {
  write('a.ndjson', `${JSON.stringify(KNOWN)}\n`.repeat(2));
  const { stdout } = await run('a.ndjson', '--format', 'ndjson');
  expect(stdout.match(/"pattern":"\/foo\/123"/g)).toHaveLength(2);
});

it('fingerprints of gitlab and counts by pointer tell members apart', async () => {
  write('a.json', { foo: { '123': 'x', '456': 'x' }, '7': 'x' });
  const { stdout } = await run('a.json', '--format', 'gitlab');
  const first = (JSON.parse(stdout) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint); // GitLab's form
  write('a.json', { foo: { '456': 'x' } });
  const { stdout: other } = await run('a.json', '--format', 'gitlab');
  const [fingerprint] = (JSON.parse(other) as { fingerprint: string }[]).map((one) => one.fingerprint);
  expect(first.indexOf(fingerprint!)).toBe(2);
  write('a.json', { foo: { '123': 'x', '456': 'x' }, '7': 'x', more: { '1': 'x' } });
  const stats = await run('a.json', '--stats', '--format', 'line', '--no-color');
  for (const pointer of ['/foo/123', '/foo/456', '/7', '/more/1']) expect(stats.stdout).toContain(pointer);
});

it('reports have the pattern only where it is not that of the pointer', async () => {
  write('a.json', [{ foo: [{}, 'x'] }, { foo: { '5': 'x', a: 'x' } }]);
  const { stdout } = await run('a.json', '--format', 'ndjson');
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"type":"violation"'));
  const patterns = lines.map((line) => (JSON.parse(line) as { pattern?: string }).pattern); // as documented
  expect(patterns).toEqual([undefined, undefined, '/*/foo/5', undefined]);
});
