/**
 * The folders of `test/cases`, for tests that run what they hold: `test/cases.test.ts` says what that is.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { atFileEnd } from './file-end.ts';
import type { WorldResult } from './world.ts';

const CASES = join(import.meta.dirname, 'cases');
/** What in a case's folder is no file of its own. */
export const NOT_DATA: ReadonlySet<string> = new Set([
  'cmd',
  'stdout',
  'stderr',
  'code',
  'stdin',
  'columns',
  'spawn',
  'summary',
  'after',
]);

let temporary: string | null = null;

export interface Case {
  readonly name: string;
  readonly folder: string;
  /** Below the folder of its files, where the command line begins with `cd … &&`. */
  readonly cd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** All cases, in the order of their names. */
export function readCases(): Case[] {
  return readdirSync(CASES).sort().map(readCase);
}

function readCase(name: string): Case {
  const folder = join(CASES, name);
  const line = readFileSync(join(folder, 'cmd'), 'utf8').trim();
  const [, cd = '.', rest = ''] = /^(?:cd (\S+) && )?(.*)$/s.exec(line) ?? [];
  const words = shellWords(rest);
  const program = words.indexOf('paylint');
  const env = words.slice(0, program).map((word) => word.split('=', 2));
  if (program < 0 || env.some((pair) => pair.length < 2)) throw new Error(`${name}/cmd is no call of paylint`);
  return { name, folder, cd, args: words.slice(program + 1), env: Object.fromEntries(env) };
}

/** Splits a command line as a shell does, as far as cases need it: quotes of both kinds and backslashes. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs)) {
    const parts = word.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/gs);
    words.push(
      [...parts].map((part) => part[1] ?? part[2]?.replace(/\\(["\\])/g, '$1') ?? part[3] ?? part[4]).join(''),
    );
  }
  return words;
}

/** The arguments of a case whose files are in `cwd`. */
export function argsIn({ args }: Case, cwd: string): string[] {
  return args.map((arg) => arg.replaceAll('$PWD', cwd));
}

/** A file of the case's folder; null: there is none. */
export function read({ folder }: Case, name: string): Buffer | null {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path) : null;
}

/** A new folder with the data files of a case. All lie equally deep, so that `../` looks the same everywhere. */
export function place({ folder }: Case): string {
  if (temporary === null) {
    mkdirSync(join(import.meta.dirname, 'tmp'), { recursive: true });
    temporary = mkdtempSync(join(import.meta.dirname, 'tmp/cases-'));
    atFileEnd(removeAll);
  }
  const cwd = mkdtempSync(join(temporary, 'x'));
  copyData(folder, cwd);
  return cwd;
}

function copyData(folder: string, to: string): void {
  const filter = (path: string): boolean => path === folder || !isPartOfCase(folder, path);
  cpSync(folder, to, { recursive: true, filter, verbatimSymlinks: true });
}

function isPartOfCase(folder: string, path: string): boolean {
  return join(folder, basename(path)) === path && NOT_DATA.has(basename(path));
}

/** What came out, with `$PWD` for the folder of the files. */
export function withoutFolder({ code, stdout, stderr }: WorldResult, cwd: string): WorldResult {
  return { code, stdout: stdout.replaceAll(cwd, '$PWD'), stderr: stderr.replaceAll(cwd, '$PWD') };
}

/** Times are all that may differ from run to run. */
export function timeless(text: string): string {
  const eol = '((?:\\x1b\\[\\d+m)*)$';
  return text.replaceAll(/"elapsedMs":\d+/g, '"elapsedMs":0').replaceAll(
    new RegExp(
      // The last line of a summary that is wrapped begins with two blanks.
      `^(?=.*[✓✗–] |(?:\\x1b\\[\\d+m)*(?:ok|x|-) |  (?:(?:\\x1b\\[\\d+m)*[\\d.]+ m?s|.* ·(?:\\x1b\\[\\d+m)* ))(.*)(?<![\\d.])(?:[\\d.]+ (?:ms|s)|[\\d,]+ min \\d+ s)${eol}`,
      'gm',
    ),
    '$1<time>$2',
  );
}

/** The last line of `ndjson`, or the member of `json`, as far as it has no objects in objects. */
const SUMMARY = /("type":"summary",|"summary":\{)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g;

/** The text as a case compares it: without times, and, unless the case is about it (a file `summary`), without the summary for programs. */
export function compared(one: Case, text: string): string {
  const isWhole = existsSync(join(one.folder, 'summary'));
  return isWhole ? timeless(text) : timeless(text).replaceAll(SUMMARY, '$1<summary>}');
}

function removeAll(): void {
  if (temporary !== null) rmSync(temporary, { recursive: true });
  temporary = null;
}
