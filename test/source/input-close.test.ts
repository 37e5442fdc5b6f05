/**
 * Files whose close fails after they were read, as on a network drive: every payload is checked all the same, in every way in
 * which a file is opened.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { isCompressed, openPath } from '../../src/source/open-bytes.ts';
import { openRange } from '../../src/source/range.ts';
import { paylint } from '../world.ts';

const closes = vi.hoisted(() => ({ fail: false, failed: 0 }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const closeSync = (fd: number): void => {
    real.closeSync(fd);
    if (!closes.fail) return;
    closes.failed++;
    throw Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO', errno: -5, syscall: 'close' });
  };
  return { ...real, default: { ...real, closeSync }, closeSync };
});

const VALID = '{"@context":"c","@type":"t","emoji":"x"}';
const LARGE = `${VALID.slice(0, -1)}${' '.repeat(100_000)}}`;
const LINES = `${VALID}\n`.repeat(60_000);

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-close-'));
  const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(cwd, name), content);
  write('small.json', VALID);
  write('large.json', LARGE);
  write('packed.json.gz', gzipSync(VALID));
  write('lines.ndjson', LINES);
});
afterAll(() => rmSync(cwd, { recursive: true }));
beforeEach(() => Object.assign(closes, { fail: true, failed: 0 }));

const NEVER = new AbortController().signal;

it.each([
  ['a small file', ['small.json'], 1],
  ['a file that is not small', ['large.json'], 1],
  ['a file with gzip data, looked at before it is opened', ['packed.json.gz'], 2],
  ['a file in ranges, looked at before it is divided', ['lines.ndjson'], 3],
  ['a file of lines in one go', ['lines.ndjson', '--threads', '1'], 1],
  ['a folder', ['.'], 4],
])('%s', async (_, args, least) => {
  const { code, stdout, stderr } = await paylint(['validate', ...args], { cwd });
  expect(closes.failed).toBeGreaterThanOrEqual(least);
  expect(stdout).toMatch(/^✓ [\d,]+ payloads? valid/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it('what cannot be opened fails for its own reason', () => {
  expect(() => openRange(cwd, 5, 10)).toThrow('is a folder, not a file');
  expect(closes.failed).toBe(1);
});

it('a look at the first bytes', () => {
  expect([isCompressed(join(cwd, 'packed.json.gz')), isCompressed(join(cwd, 'small.json'))]).toEqual([true, false]);
  expect(closes.failed).toBe(2);
});

it('a reader can be closed twice', async () => {
  const reader = openPath(join(cwd, 'large.json'), NEVER);
  await reader.close();
  await reader.close();
  expect(closes.failed).toBe(1);
});
