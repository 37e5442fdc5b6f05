/**
 * The cases in the pages of `test/cases`, for tests that run what they hold: `test/cases/README.md` says what they say.
 */
import { isUtf8 } from 'node:buffer';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import {
  CASES,
  type Content,
  nameOf,
  type Page,
  type PageCase,
  pageNames,
  pageText,
  readPage,
} from '../scripts/case-pages.js';
import { atFileEnd } from './file-end.ts';
import type { WorldResult } from './world.ts';

let temporary: string | null = null;

export interface Case {
  /** The sentence that it proves, as a name without blanks. */
  readonly name: string;
  readonly told: PageCase;
  readonly page: { readonly name: string } & Page;
  /** Below the folder of its files, where the command line begins with `cd … &&`. */
  readonly cd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** All cases, in the order of their names. */
export function readCases(): Case[] {
  const cases = pageNames().flatMap((name) => {
    const page = { name, ...readPage(name) };
    return page.cases.map((told) => caseOf(page, told));
  });
  return cases.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function caseOf(page: Case['page'], told: PageCase): Case {
  const [, cd = '.', rest = ''] = /^(?:cd (\S+) && )?(.*)$/s.exec(told.command) ?? [];
  const words = shellWords(rest);
  const program = words.indexOf('paylint');
  const env = words.slice(0, program).map((word) => word.split('=', 2));
  if (program < 0 || env.some((pair) => pair.length < 2))
    throw new Error(`${page.name}: ${told.title}: its command is no call of paylint`);
  return { name: nameOf(told.title), told, page, cd, args: words.slice(program + 1), env: Object.fromEntries(env) };
}

/** Splits a command line as a shell does, as far as cases need it: quotes of both kinds and backslashes. */
export function shellWords(line: string): string[] {
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

/** A new folder with the files of a case. All lie equally deep, so that `../` looks the same everywhere. */
export function place({ told }: Case): string {
  if (temporary === null) {
    mkdirSync(join(import.meta.dirname, 'tmp'), { recursive: true });
    temporary = mkdtempSync(join(import.meta.dirname, 'tmp/cases-'));
    atFileEnd(removeAll);
  }
  const cwd = mkdtempSync(join(temporary, 'x'));
  for (const [path, content] of told.files) put(join(cwd, path), content);
  return cwd;
}

function put(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'string') symlinkSync(content, path);
  else writeFileSync(path, content);
}

/** Fails unless this came out, and these files. */
export function check(one: Case, result: WorldResult, cwd: string): void {
  const { code, stdout, stderr } = withoutFolder(result, cwd);
  const { told } = one;
  expect({ code, stderr: compared(one, stderr), stdout: compared(one, stdout) }, MEANT).toEqual({
    code: told.code,
    stderr: told.stderr,
    stdout: told.stdout,
  });
  const files = [...told.files, ...told.after].map(([path, content]) => [path, textOf(one, content)]);
  expect(filesIn(one, cwd), MEANT).toEqual(Object.fromEntries(files));
}

const MEANT = 'if the new output is meant, UPDATE_CASES=1 npx vitest run test/cases.test.ts writes it';

/** The files below a folder, which is `$PWD` in what they hold. */
function filesIn(one: Case, cwd: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [path, content] of contentsIn(cwd)) files[path] = textOf(one, content).replaceAll(cwd, '$PWD');
  return files;
}

function* contentsIn(folder: string, base = ''): Generator<[string, Content]> {
  // Not readdir's own recursion, which follows links to folders, and so may never end.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = `${base}${entry.name}`;
    if (entry.isFile()) yield [name, readFileSync(path)];
    else if (entry.isSymbolicLink()) yield [name, readlinkSync(path)];
    else yield* contentsIn(path, `${name}/`);
  }
}

/** Text as such, and whatever is none so that no byte is lost. */
function textOf(one: Case, content: Content): string {
  if (typeof content === 'string') return `-> ${content}`;
  return isUtf8(content) ? compared(one, content.toString()) : content.toString('base64');
}

/** Writes what came out into the page in place of what must come out. */
export function update(one: Case, result: WorldResult, cwd: string): void {
  const { code, stdout, stderr } = withoutFolder(result, cwd);
  const after = [...contentsIn(cwd)]
    .filter(([path, now]) => {
      const before = one.told.files.get(path);
      return before === undefined || textOf(one, before) !== textOf(one, now).replaceAll(cwd, '$PWD');
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const told = { code, stdout: compared(one, stdout), stderr: compared(one, stderr) };
  Object.assign(one.told, told, { after: new Map(after.map(([path, now]) => [path, keptOf(one, now, cwd)])) });
  writeFileSync(join(CASES, one.page.name), pageText(one.page));
}

/** As a page has it: without times, and with `$PWD`. */
function keptOf(one: Case, now: Content, cwd: string): Content {
  if (typeof now === 'string' || !isUtf8(now)) return now;
  return Buffer.from(compared(one, now.toString()).replaceAll(cwd, '$PWD'));
}

/** What came out, with `$PWD` for the folder of the files. */
function withoutFolder({ code, stdout, stderr }: WorldResult, cwd: string): WorldResult {
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

/** The text as a case compares it: without times, and, unless the case is about it, without the summary for programs. */
export function compared({ told }: Case, text: string): string {
  return told.summary ? timeless(text) : timeless(text).replaceAll(SUMMARY, '$1<summary>}');
}

function removeAll(): void {
  if (temporary !== null) rmSync(temporary, { recursive: true });
  temporary = null;
}
