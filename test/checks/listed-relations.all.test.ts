/** Checks that compare payloads list no more violations of one than the judge does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { paylint } from '../world.ts';

it('of one payload, no more violations are listed than of any other sort, and with those of its schema; all are counted', async () => {
  const schema = { type: 'object', properties: { wrong: { items: { type: 'string' } } } };
  const checks = [
    { id: 'u', message: 'twice', unique: '/items/*' },
    { id: 'r', message: 'nowhere', references: '/refs/*', to: { at: '/no' } },
  ];
  const folder = mkdtempSync(join(tmpdir(), 'paylint-listed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify({ checks, schema: 's.json' }));
  writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
  const numbers = (count: number): string => Array.from({ length: count }, () => '1').join();
  const payload = `{"wrong":[${numbers(99_000)}],"items":[${numbers(501)}],"refs":[${numbers(600)}]}`;
  writeFileSync(join(folder, 'p.ndjson'), `${payload}\n{"items":[1,1]}\n`);
  const args = ['validate', 'p.ndjson', '--format', 'ndjson', '--max-violations', '0'];
  const { code, stdout, stderr } = await paylint(args, { cwd: folder });
  const lines = stdout.trimEnd().split('\n');
  const listed = (payload: number) =>
    lines.filter((line) => line.startsWith('{"type":"violation"') && line.includes(`"payload":${payload},`)).length;
  const source = { payloads: 2, valid: 0, invalid: 2, violations: 100_102, unlisted: 100 };
  expect(code).toBe(1);
  expect([listed(0), listed(1)]).toEqual([100_000, 2]);
  expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
    { type: 'source', ...source },
    { type: 'summary', ...source },
  ]);
  expect(stderr).toContain('payload 0: 100 more are only counted: at most 100,000 violations of a payload are listed');
});
