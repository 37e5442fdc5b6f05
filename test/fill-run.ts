/**
 * A world for `paylint fill` in tests: the fixtures, folders of their own, runs with their bytes, and diffs that others apply.
 */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import fastGlob from 'fast-glob';
import { expect } from 'vitest';
import { main } from '../src/main.ts';
import type { FilledPlace } from '../src/types.ts';
import { atFileEnd } from './file-end.ts';
import { needs, SCRATCH } from './tools.ts';

export const FIXTURES = join(import.meta.dirname, '../fixtures');

let made: string | null = null;
atFileEnd(() => {
  if (made !== null) rmSync(made, { recursive: true });
  made = null;
});

/** A temporary folder of a file of tests. */
export function root(): string {
  made ??= mkdtempSync(join(SCRATCH, 'paylint-fill-'));
  return made;
}

export interface Fixture {
  readonly name: string;
  /** What it is called in a folder of its own. */
  readonly file: string;
  readonly before: Buffer;
  readonly after: Buffer;
  /** What says that it is to be judged as of a certain kind. */
  readonly flags: readonly string[];
}

export const fixtures = fastGlob
  .sync('*/{fill,forced/fill}/*.before.*', { cwd: FIXTURES })
  .sort()
  .map((name): Fixture => {
    const [kind] = name.split('/');
    return {
      name,
      file: `${kind}-${basename(name).replace('.before', '')}`,
      before: readFileSync(join(FIXTURES, name)),
      after: readFileSync(join(FIXTURES, name.replace('.before', '.after'))),
      flags: name.includes('/forced/') ? ['--kind', kind!] : [],
    };
  });
export const changing = fixtures.filter(({ before, after }) => !before.equals(after));

/** Those that are judged as of their own kind. */
export const own = fixtures.filter(({ flags }) => flags.length === 0);

export interface Result {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export async function run(args: readonly string[], cwd: string, stdin?: Uint8Array): Promise<Result> {
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  const into = (list: Buffer[]): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        list.push(Buffer.from(chunk));
        done();
      },
    });
  const code = await main({
    args,
    stdin: Readable.from(stdin === undefined ? [] : [stdin]),
    stdout: into(chunks.stdout),
    stderr: into(chunks.stderr),
    env: { PATH: process.env.PATH },
    cwd,
    interrupt: new AbortController().signal,
    now: () => performance.now(),
  });
  return { code, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr).toString() };
}

/** A new folder with these files; they are an hour old, and have the same mode whatever the umask is. */
export function place(files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = mkdtempSync(join(root(), 'x'));
  const before = new Date(Date.now() - 3_600_000);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), 0o644);
    utimesSync(join(folder, name), before, before);
  }
  return folder;
}

export const statsOf = (path: string): readonly bigint[] => {
  const { ino, mtimeNs } = statSync(path, { bigint: true });
  return [ino, mtimeNs];
};

/** What the report says, event by event. */
export const eventsIn = (text: string): { type: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
export const fillsIn = (text: string): FilledPlace[] =>
  eventsIn(text).filter(({ type }) => type === 'fill') as unknown as FilledPlace[];

/** What `applyBoth` needs. */
export const appliers = needs('git', 'patch');

/** Has `git apply` and `patch` apply a diff to the files in `folder`, and looks for what must come of it. */
export function applyBoth(folder: string, diff: Buffer, expected: Readonly<Record<string, Uint8Array | string>>): void {
  for (const [program, ...args] of [
    ['git', 'apply'],
    ['patch', '-p1', '--binary', '-s'],
  ] as const) {
    const copy = mkdtempSync(join(root(), 'applied-'));
    cpSync(folder, copy, { recursive: true });
    appliers.run(program, args, { cwd: copy, input: diff });
    for (const [name, content] of Object.entries(expected))
      expect([program, name, readFileSync(join(copy, name)).equals(Buffer.from(content))]).toEqual([
        program,
        name,
        true,
      ]);
  }
}

export const CONTRACT = readFileSync(
  join(FIXTURES, 'contract/fill/active-and-nested-types-pretty.before.json'),
  'utf8',
);
export const CONTRACT_FILLED = readFileSync(
  join(FIXTURES, 'contract/fill/active-and-nested-types-pretty.after.json'),
  'utf8',
);
