/**
 * Which tests are fast is computed from the files: what `npm run test:fast` runs starts no process and no thread, and needs no build.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { growsBecause, isOnlyInAll, provedBy, slowBecause, TEST_FILES } from '../scripts/test-kinds.js';
import { leftOutLines } from './skipped.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FAST = TEST_FILES.filter((path) => slowBecause(path) === null && !isOnlyInAll(path));

it('knows all rooms', () => {
  expect(TEST_FILES).toEqual(expect.arrayContaining(['test/cases.test.ts', 'test/json/decimal.test.ts']));
  expect(TEST_FILES.length).toBeGreaterThan(180);
});

it('knows what makes a file slow, through helpers too', () => {
  expect(slowBecause('test/cases.test.ts')).toBe(null);
  expect(slowBecause('test/spawned.ts')).toContain('child_process');
  expect(slowBecause('test/cli/pipes.test.ts')).toMatch(/^test\/spawned\.ts: /);
  expect(slowBecause('test/repair/fill-diff.test.ts')).toMatch(/^test\/.*: .*child_process/);
  expect(slowBecause('test/run/flow.slow.test.ts')).toBe('its name');
  expect(slowBecause('test/library/library.test.ts')).toBe('dist/');
  expect(slowBecause('test/engine/accept-names.test.ts')).toBe(null); // ajv/dist/ is not ours
});

it('leaves a good part, of every room that can be tested in one process', () => {
  // Editors are clients; the package is what is built.
  const others = ['lsp', 'package'];
  const roomsOf = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('/').slice(1, -1).join()))];
  const rooms = roomsOf(TEST_FILES).filter((room) => !others.includes(room));
  expect(roomsOf(FAST).sort()).toEqual(rooms.sort());
  expect(FAST.length).toBeGreaterThan(50);
});

it('imports of fast tests start nothing', () => {
  expect(FAST.filter((path) => /'node:(?:child_process|worker_threads|cluster)'/.test(read(path)))).toEqual([]);
});

it('no command has a list by hand', () => {
  expect(read('vitest.config.ts')).not.toMatch(/'[\w-]+',\n\s*'[\w-]+',\n\s*'[\w-]+',/);
});

afterEach(() => vi.unstubAllEnvs());

it('what a command leaves out is named at its end', () => {
  vi.stubEnv('NPM_TEST_RESULTS', undefined); // it may be set for the run of this test
  expect(leftOutLines('all', 3)).toEqual([]);
  expect(leftOutLines('', 3)).toEqual([]);
  const [usual] = leftOutLines('usual', 3);
  expect(usual).toMatch(/^3 tests ran\. Left out, which npm run test:all has: .*\brun\/signals\.all\b/);
  expect(usual).not.toContain('run/flow.slow');
  expect(leftOutLines('fast', 3)[0]).toContain('run/flow.slow');
});

it('knows which files do more in npm run test:all, through helpers too', () => {
  expect(growsBecause('test/rounds.ts')).toBe('process.env.TESTS');
  expect(growsBecause('test/source/framing.test.ts')).toBe('test/rounds.ts: process.env.TESTS');
  expect(growsBecause('test/cases.test.ts')).toBe(null); // it has fewer cases in npm run test:fast only
  const growing = TEST_FILES.filter((path) => growsBecause(path) !== null);
  // Whatever calls one of these functions has imported it.
  expect(growing).toEqual(
    TEST_FILES.filter((path) => growing.includes(path) || /\b(?:rounds|times|seededUnlessAll)\(/.test(read(path))),
  );
});

it('what has passed in npm test is not run again, unless it was skipped, failed, or does more', () => {
  const file = (path: string, ...statuses: readonly string[]) => ({
    name: `/tmp/clone/${path}`,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  });
  const testResults = [
    file('test/cases.test.ts', 'passed', 'passed'),
    file('test/json/decimal.test.ts', 'passed', 'failed'),
    file('test/repair/fill-gzip.test.ts', 'passed', 'skipped'),
    file('test/source/framing.test.ts', 'passed'),
    { ...file('test/structure.test.ts'), status: 'failed' }, // it could not be loaded
    file('test/timers.test.ts'),
    file('test/gone.test.ts', 'passed'),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'paylint-kinds-'));
  const results = join(folder, 'results.json');
  try {
    writeFileSync(results, JSON.stringify({ testResults }));
    expect(provedBy(results)).toEqual(['test/cases.test.ts']);
    expect(leftOutLines('all', 3, results)).toEqual([
      '3 tests ran. Not run again: 1 files whose tests have all passed in npm test',
    ]);
    expect(leftOutLines('usual', 3, results)).toEqual(leftOutLines('usual', 3));
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(provedBy(undefined)).toEqual([]);
});
