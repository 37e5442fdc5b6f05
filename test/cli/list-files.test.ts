/**
 * `--list-files`: names that would act on a terminal are escaped there; into a pipe they go as they are, for the next program.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

/** In byte order, and as a terminal is to see them. Windows has no such names. */
const NAMES = {
  '\u001b]0;title\u0007a.json': '\\u001b]0;title\\u0007a.json',
  '::error::b.json': '::error::b.json',
  'c\u202ed.json': 'c\\u202ed.json',
  'new\nline.json': 'new\\u000aline.json',
  'é😀.json': 'é😀.json',
};

describe.skipIf(sep === '\\')('names', () => {
  let cwd: string;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'paylint-list-'));
    for (const name of Object.keys(NAMES)) writeFileSync(join(cwd, name), '{}');
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  const listed = (shown: readonly string[]) => ({
    code: 0,
    stdout: shown.map((name) => `${name}\n`).join(''),
    stderr: '',
  });

  it.each(['validate', 'fill'])('of %s are escaped on a terminal', async (verb) => {
    const outcome = await paylint([verb, '.', '--list-files'], { cwd, columns: 80 });
    expect(outcome).toEqual(listed(Object.values(NAMES)));
  });

  it.each(['validate', 'fill'])('of %s go into a pipe as they are', async (verb) => {
    expect(await paylint([verb, '.', '--list-files'], { cwd })).toEqual(listed(Object.keys(NAMES)));
  });
});
