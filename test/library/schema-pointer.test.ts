/**
 * `--schema FILE#POINTER`: the schema at a place of a file, in the command line, the config, threads and the library.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';
import { paylint } from '../world.ts';

const API = {
  openapi: '3.1.0',
  // Members that would be faults of a schema.
  info: { title: 1, type: 'nonsense' },
  propertes: {},
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, line: { $ref: '#/components/schemas/Line' } },
      },
      Line: { type: 'object', required: ['n'] },
      'a b/c': { type: 'string' },
    },
  },
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-pointer-'));
  for (const name of ['api.json', 'a#b.json']) writeFileSync(join(folder, name), JSON.stringify(API));
  writeFileSync(join(folder, 'p.json'), '{"id":"x","line":{}}');
  writeFileSync(join(folder, 'five.json'), '5');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: readonly string[]) =>
  paylint(['validate', '--no-config', '--format', 'line', '--quiet', ...args], { cwd: folder });

it.each(['api.json', 'a#b.json'])('in %s, with references in the file; the kind is the last token', async (file) => {
  const { code, stdout, stderr } = await run('--schema', `${file}#/components/schemas/Order`, 'p.json');
  expect([code, stdout.split('\n'), stderr]).toEqual([
    1,
    ['p.json:1:7: type expected an integer, found "x"', 'p.json:1:18: required the member "n" is missing', ''],
    '',
  ]);
  const { kinds } = await openPaylint({ schema: join(folder, `${file}#/components/schemas/Order`) });
  expect(kinds.map(({ name }) => name)).toEqual(['Order']);
});

it.each(['/components/schemas/a%20b~1c', '/components/schemas/a b~1c'])('at #%s', async (fragment) => {
  const { code, stdout } = await run('--schema', `api.json#${fragment}`, 'five.json');
  expect([code, stdout]).toEqual([1, 'five.json:1:1: type expected a string, found 5\n']);
});

it('in other threads', async () => {
  writeFileSync(join(folder, 'many.ndjson'), '{"id":"x"}\n'.repeat(300_000));
  const args = ['--schema', 'api.json#/components/schemas/Order', '--format', 'ndjson=r.ndjson', '--exit-zero'];
  const { stdout, code } = await paylint(
    ['validate', '--no-config', ...args, '--threads', '2', '--format', 'json', '--max-violations', '1', 'many.ndjson'],
    { cwd: folder },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { kinds: { Order: { payloads: 300_000, invalid: 300_000 } } } });
});

it.each([
  [
    'api.json#/components/schemas/Ordr',
    'there is no "Ordr" in #/components/schemas; did you mean "#/components/schemas/Order"?',
  ],
  ['api.json#/openapi', 'leads to nothing'],
  ['api.json#/components', 'has no JSON Schema keyword'],
  ['none.json#/a', 'cannot read the schema none.json#/a: no such file or folder'],
])('%s is refused', async (schema, why) => {
  const { code, stderr } = await run('--schema', schema, 'p.json');
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

it('is read from the config, too', async () => {
  writeFileSync(join(folder, 'c.json'), '{"schema":"api.json#/components/schemas/Line"}');
  const { code, stdout } = await paylint(['validate', '--config', 'c.json', '--format', 'line', 'p.json'], {
    cwd: folder,
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('the member "n" is missing')]);
});
