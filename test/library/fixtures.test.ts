/**
 * Fixtures drive tests by existing: every valid payload file passes, every invalid one gives exactly the violations that
 * are beside it in `<file>.expected`. Files in `forced` folders are checked with `--kind`, those in `advice` folders with `--advice`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import type { Violation } from '../../src/types.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../../fixtures');
const EXPECTATIONS = fastGlob.sync('*/{invalid,forced/invalid,advice}/*.expected', { cwd: ROOT }).sort();
const VALID = fastGlob.sync('*/{valid,forced/valid}/*', { cwd: ROOT }).sort();

/** Standing at the same place, violations may come in any order. */
type Expected = Pick<Violation, 'payload' | 'pointer' | 'rule' | 'line' | 'column' | 'endLine' | 'endColumn'>;

async function violationsOf(file: string): Promise<Expected[]> {
  const { stdout, stderr } = await paylint(['validate', '--format', 'ndjson', ...flagsFor(file), file], { cwd: ROOT });
  // Of a file in which no payload is of a kind, a note says so.
  expect(stderr.replace(/^paylint: note: no payload is of a built-in kind; .*\n/m, '')).toBe('');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return events
    .filter(({ type }) => type === 'violation')
    .map(({ payload, pointer, rule, line, column, endLine, endColumn }) => ({
      payload,
      pointer,
      rule,
      line,
      column,
      endLine,
      endColumn,
    }));
}

function flagsFor(file: string): string[] {
  if (file.includes('/advice/')) return ['--advice'];
  return file.includes('/forced/') ? ['--kind', file.split('/')[0]!] : [];
}

const inOrder = (violations: Expected[]): Expected[] =>
  violations
    .map((violation) => [JSON.stringify(violation), violation] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, violation]) => violation);

describe('invalid fixtures', () => {
  it('exist for every kind', () => expect(EXPECTATIONS.length).toBeGreaterThan(90));

  it.each(EXPECTATIONS)('%s', async (expectation) => {
    const expected = JSON.parse(readFileSync(join(ROOT, expectation), 'utf8')) as Expected[];
    const actual = await violationsOf(expectation.replace(/\.expected$/, ''));
    expect(inOrder(actual)).toEqual(inOrder(expected));
    const places = actual.map(({ line, column }) => [line, column]);
    expect(places).toEqual([...places].sort(([a, b], [c, d]) => a! - c! || b! - d!));
  });
});

describe('valid fixtures', () => {
  it('exist for every kind', () => expect(VALID.length).toBeGreaterThan(60));

  it.each(VALID)('%s', async (file) => {
    const { code, stdout } = await paylint(['validate', '--format', 'ndjson', ...flagsFor(file), file], { cwd: ROOT });
    expect(stdout.split('\n').filter((line) => line.includes('"type":"violation"'))).toEqual([]);
    expect(code).toBe(0);
  });
});

it('the valid fixtures, as tests of the three schemas, reach every place of them', async () => {
  const { code, stdout, stderr } = await paylint(
    [
      'test',
      ...VALID.filter((file) => !file.includes('/forced/')),
      '--schema',
      '../schemas/payload.schema.json',
      '--coverage',
      '--min',
      '100%',
    ],
    { cwd: ROOT },
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(/✓ \d+ tests pass/);
  expect(code).toBe(0);
});
