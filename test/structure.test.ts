/**
 * The house: imports point one way, only the wire touches the process, each file says what it is for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stepsIn } from '../scripts/console-blocks.js';
import { programsOf } from './tools.ts';

const SRC = join(import.meta.dirname, '../src');
const SCRIPTS = join(import.meta.dirname, '../scripts');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .sort();

function read(name: string): string {
  return readFileSync(join(SRC, name), 'utf8');
}

/** A part of the house: the folder below `src/`, or the file where it stands in `src/` itself. */
function partOf(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? name : name.slice(0, slash);
}

/** What is written for the program where the code starts one, or calls one of `others`, which do. */
function programsStartedBy(code: string, ...others: string[]): string[] {
  const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork', ...others];
  const calls = code.matchAll(
    new RegExp(`(?<![.\\w]|function )(?:${starters.join('|')})\\(\\s*([^,\\s]+)`, 'g'),
  );
  return [...calls].map(([, program]) => program!);
}

/** The files of ours that a file imports, dynamically or not. */
function importsOf(name: string): string[] {
  const specifiers = read(name).matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...specifiers].map(([, specifier]) =>
    relative(SRC, join(SRC, dirname(name), specifier!)).replaceAll('\\', '/'),
  );
}

/**
 * What each part may import, parts or single files, besides itself and the glossary. Whatever is not named here may import
 * everything. How accept's memory is laid out is known to the window too, since the bytes that are read lie in it.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'types.ts': [],
  json: [],
  words: [],
  wasm: [],
  automaton: [],
  report: ['words'],
  schema: ['automaton', 'json', 'words', 'input/close.ts'],
  input: ['json', 'words', 'accept/layout.ts'],
  accept: ['automaton', 'json', 'words', 'schema', 'wasm'],
  examine: ['json', 'words', 'schema'],
  fill: ['json', 'words', 'schema', 'examine', 'accept', 'input', 'output.ts'],
};

describe('imports', () => {
  it.each(Object.entries(ALLOWED))('of %s point one way', (part, allowed) => {
    const wrong = FILES.filter((name) => partOf(name) === part).flatMap((name) =>
      importsOf(name)
        .filter(
          (target) => ![part, 'types.ts', ...allowed].some((one) => one === target || one === partOf(target)),
        )
        .map((target) => `${name} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are found at all', () => {
    expect(importsOf('run.ts')).toContain('types.ts');
    expect(importsOf('cli/program.ts')).toContain('cli/validate.ts');
    for (const part of Object.keys(ALLOWED)) expect(FILES.map(partOf)).toContain(part);
  });

  it('of the library reach neither the command line nor the reports', () => {
    const reached = new Set(['index.ts']);
    for (const name of reached) for (const target of importsOf(name)) reached.add(target);
    expect(
      [...reached].filter((name) => ['cli', 'report', 'run.ts', 'main.ts', 'workers'].includes(partOf(name))),
    ).toEqual([]);
  });

  it('of the workers are for the run and the commands', () => {
    const users = FILES.filter(
      (name) => partOf(name) !== 'workers' && importsOf(name).some((target) => partOf(target) === 'workers'),
    );
    expect(users.filter((name) => !['run.ts', 'desk.ts', 'main.ts', 'cli'].includes(partOf(name)))).toEqual(
      [],
    );
  });
});

describe('files', () => {
  it.each(FILES)('%s opens with what it is for', (name) => {
    const opening = /^\/\*\*([\s\S]*?)\*\//.exec(read(name))?.[1] ?? '';
    expect(opening.replace(/[\s*]+/g, ' ').trim().length).toBeGreaterThan(30);
  });

  it('are not called after nothing in particular', () => {
    expect(FILES.filter((name) => /(?:^|\/)(?:utils?|helpers?|common|misc|shared)\.ts$/.test(name))).toEqual(
      [],
    );
  });

  it('leave the process to the wire', () => {
    const code = (name: string): string => read(name).replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g, '');
    expect(
      FILES.filter((name) => /\bprocess\b\s*[.[]|['"]node:process['"]|\bconsole\./.test(code(name))),
    ).toEqual([]);
  });

  it('escape nothing from the type checker', () => {
    expect(
      FILES.filter((name) =>
        /@ts-(?:ignore|nocheck|expect-error)|\bas any\b|: any(?=[\s;,)\]=>])/.test(read(name)),
      ),
    ).toEqual([]);
  });
});

describe('tests', () => {
  const TESTS = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'));
  const test = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

  it('are all run', () => {
    const left = TESTS.filter((name) =>
      /\b(?:it|test|describe)(?:\.concurrent)?\.(?:only|skip|todo)\b/.test(test(name)),
    );
    expect(left).toEqual([]);
  });

  // Anything else may be missing: `needs` of tools.ts finds it or has the test skipped, and `sh` of spawned.ts hides what was not asked for.
  const ANYWHERE = ["'npm'", "'sh'"];

  const SCRIPT_FILES = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' })
    .map((name) => `scripts/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:js|ts)$/.test(name));

  it.each([...TESTS.map((name) => `test/${name}`), ...SCRIPT_FILES])(
    '%s names no program to start but npm and sh',
    (name) => {
      const code = readFileSync(join(SRC, '..', name), 'utf8');
      const literals = programsStartedBy(code).filter((program) => /^['"`]/.test(program));
      // No test runs the public suites, which are checked out by git.
      const allowed = name === 'scripts/suites/report.js' ? ["'git'"] : ANYWHERE;
      expect(literals.filter((program) => !allowed.includes(program))).toEqual([]);
    },
  );

  const INSTALLED = [
    ...readFileSync(join(SRC, '../.ci/run'), 'utf8').matchAll(/^ {2}([\w-]+):[\w-]+$/gm),
  ].map(([, name]) => name!);
  const NEEDED = TESTS.flatMap((name) => {
    const calls = [...test(name).matchAll(/\bneeds\(\s*((?:'[^']+'(?:,\s*)?)+)\)/g)];
    return calls.flatMap(([, names]) => [...names!.matchAll(/'([^']+)'/g)].map(([, one]) => one!));
  })
    .filter((name) => !['no-such-program', 'sh'].includes(name)) // of tools.test.ts
    .flatMap(programsOf);

  it('have every program that one of them needs installed by .ci/run', () => {
    expect(NEEDED).toEqual(expect.arrayContaining(['patch', 'setfacl', 'unshare']));
    expect(NEEDED.filter((name) => !INSTALLED.includes(name))).toEqual([]);
  });

  it('need every program that .ci/run installs, or show it in a document', () => {
    const shown = ['README.md', 'docs/cli.md', 'docs/architecture.md']
      .flatMap((name) => stepsIn(readFileSync(join(SRC, '..', name), 'utf8')))
      .flatMap(({ command }) => command.match(/\w+/g) ?? []);
    // Not needed by tests that do not run as root.
    const known = ['setpriv', ...NEEDED, ...shown];
    expect(INSTALLED.length).toBeGreaterThan(10);
    expect(INSTALLED.filter((name) => !known.includes(name))).toEqual([]);
  });
});
