/**
 * Every folder in `test/cases` is a case, named by the sentence that it proves. It holds
 *
 *   cmd              one command line, as one would type it: `NO_COLOR=1 paylint validate 'a b.json' --format line`,
 *                    perhaps after `cd FOLDER && `; `$PWD` is the folder of the files, in what comes out as well
 *   stdout, stderr   the whole expected output; none if it is empty
 *   code             the exit code; none for 0
 *   stdin            bytes of standard input; none for a terminal
 *   columns          both outputs are a terminal of that width; none for pipes
 *   spawn            run also as a process, through bin/paylint.js
 *   summary          the case is about the summary for programs (`ndjson`, `json`), which others do not compare
 *   after/           files that must have come into being or changed; all others must be as they were
 *   anything else    the files that the command finds, in a folder of their own
 *
 * Only times are normalised. `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes what came out in place of what
 * must come out: read every line of the diff.
 */
import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argsIn, type Case, compared, NOT_DATA, place, read, readCases, withoutFolder } from './case-files.ts';
import { times } from './rounds.ts';
import { outcomeOf, startIn } from './spawned.ts';
import { paylint, type WorldResult } from './world.ts';

const UPDATE = process.env.UPDATE_CASES === '1';
/** `npm run test:fast` starts no processes. */
const FAST = process.env.FAST === '1';

const cases = readCases();
const spawned = cases.filter(({ folder }) => existsSync(join(folder, 'spawn')));
/** In CI all of them; elsewhere a third, for each is a process. */
const spawnedNow = spawned.filter((_, i) => i % times(1, 3) === 0);

it('has many cases, and a good part of them spawned', () => {
  expect(cases.length).toBeGreaterThan(150);
  expect(spawned.length).toBeGreaterThan(100);
});

describe('in this process', () => {
  it.each(named(cases))('%s', async (_, one) => {
    const cwd = place(one);
    const stdin = read(one, 'stdin');
    const columns = read(one, 'columns')?.toString();
    const result = await paylint(argsIn(one, cwd), {
      cwd: join(cwd, one.cd),
      env: one.env,
      ...(stdin === null ? {} : { stdin }),
      ...(columns === undefined ? {} : { columns: Number(columns) }),
    });
    if (UPDATE) update(one, result, cwd);
    check(one, result, cwd);
  });
});

describe.runIf(!UPDATE && !FAST)('spawned', () => {
  it.concurrent.each(named(spawnedNow))('%s', async (_, one) => {
    const cwd = place(one);
    check(one, await run(one, cwd), cwd);
  });
});

function named(list: readonly Case[]): [string, Case][] {
  return list.map((one) => [one.name, one]);
}

async function run(one: Case, cwd: string): Promise<WorldResult> {
  const child = startIn({ PATH: process.env.PATH, ...one.env }, join(cwd, one.cd), argsIn(one, cwd));
  child.stdin!.on('error', () => {}); // not everything that is offered need be read
  child.stdin!.end(read(one, 'stdin') ?? undefined);
  const { code, stdout, stderr } = await outcomeOf(child);
  return { code: code ?? -1, stdout, stderr };
}

const MEANT = 'if the new output is meant, UPDATE_CASES=1 npx vitest run test/cases.test.ts writes it';

function check(one: Case, result: WorldResult, cwd: string): void {
  const { code, stdout, stderr } = withoutFolder(result, cwd);
  const text = (name: string): string => read(one, name)?.toString('utf8') ?? '';
  expect({ code, stderr: compared(one, stderr), stdout: compared(one, stdout) }, MEANT).toEqual({
    code: Number(text('code')),
    stderr: text('stderr'),
    stdout: text('stdout'),
  });
  const after = filesIn(one, join(one.folder, 'after'));
  const before = Object.entries(filesIn(one, one.folder)).filter(([name]) => !NOT_DATA.has(name.split('/')[0]!));
  expect(filesIn(one, cwd, cwd)).toEqual({ ...Object.fromEntries(before), ...after });
}

/** Contents by path, in which `cwd` is `$PWD`. */
function filesIn(one: Case, folder: string, cwd?: string): Record<string, string> {
  const files: Record<string, string> = {};
  if (!existsSync(folder)) return files;
  // Not readdir's own recursion, which follows links to folders, and so may never end.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) files[entry.name] = contentOf(one, path, cwd);
    else if (entry.isSymbolicLink()) files[entry.name] = `-> ${readlinkSync(path)}`;
    else
      for (const [name, content] of Object.entries(filesIn(one, path, cwd))) files[`${entry.name}/${name}`] = content;
  }
  return files;
}

/** Text as such, and whatever is none so that no byte is lost. */
function contentOf(one: Case, path: string, cwd = '$PWD'): string {
  const bytes = readFileSync(path);
  return isUtf8(bytes) ? compared(one, bytes.toString('utf8')).replaceAll(cwd, '$PWD') : bytes.toString('base64');
}

function update(one: Case, result: WorldResult, cwd: string): void {
  const { code, stdout, stderr } = withoutFolder(result, cwd);
  const put = (name: string, text: string): void => {
    if (text === '') rmSync(join(one.folder, name), { force: true });
    else writeFileSync(join(one.folder, name), text);
  };
  put('stdout', compared(one, stdout));
  put('stderr', compared(one, stderr));
  put('code', code === 0 ? '' : `${code}\n`);
  rmSync(join(one.folder, 'after'), { recursive: true, force: true });
  const before = filesIn(one, place(one));
  for (const [name, content] of Object.entries(filesIn(one, cwd, cwd))) {
    if (before[name] === content) continue;
    const path = join(one.folder, 'after', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
}
