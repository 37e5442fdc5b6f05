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

it('a payload with more violations than are listed is no test that passes, whatever it expects of those', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-tests-'));
  try {
    writeFileSync(join(folder, 's.json'), '{"items":{"type":"string"}}');
    const data = Array.from({ length: 100_001 }, () => 1);
    const violations = data.slice(1).map((_, i) => ({ rule: 'type', pointer: `/${i}` }));
    const tests = [
      { violations, data: data.slice(1) },
      { violations, data },
    ];
    writeFileSync(join(folder, 'a.test.json'), JSON.stringify({ target: './s.json', tests }));
    const { code, stdout, stderr } = await paylint(['test', 'a.test.json', '--no-config'], { cwd: folder });
    expect(code).toBe(2);
    expect(stdout).toContain('✗ 1 of 2 tests fails · 1 failure'.replace('fails', 'fail'));
    expect(stderr).toContain('it has 100,001 violations, and at most 100,000 of a payload can be compared');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
