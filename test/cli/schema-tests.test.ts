/**
 * `paylint test` over many payloads: the fixtures, and more invalid ones than are examined one by one elsewhere.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const KINDS = ['content', 'contract', 'emoji'];

it('the valid fixtures of all kinds pass', async () => {
  const folders = KINDS.map((kind) => `fixtures/${kind}/valid`);
  const args = ['test', ...folders, '--schema', 'schemas/payload.schema.json', '--no-config'];
  const { code, stdout, stderr } = await paylint(args, { cwd: ROOT });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^✓ \d{3} tests pass in \d+ files/);
});

it('thousands of invalid payloads pass, and the one that is valid fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-tests-'));
  try {
    mkdirSync(join(folder, 'invalid'));
    writeFileSync(join(folder, 'n.schema.json'), '{"type":"object","properties":{"n":{"type":"integer"}}}');
    const lines = Array.from({ length: 6000 }, (_, i) => (i === 5500 ? '{"n":1}' : '{"n":"x"}'));
    writeFileSync(join(folder, 'invalid/p.ndjson'), lines.join('\n'));
    const { code, stdout } = await paylint(['test', '--format', 'ndjson'], { cwd: folder });
    expect(code).toBe(1);
    const [violation, , summary] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object); // a report
    expect(violation).toMatchObject({ rule: 'test/expected-invalid', payload: 5500, line: 5501, column: 1 });
    expect(summary).toMatchObject({ payloads: 6000, valid: 5999, invalid: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
