/**
 * The structure of the source: imports point one way, only bin/ uses the process, each file says what it is for.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stepsIn } from '../scripts/console-blocks.js';
import { roomsIn } from '../scripts/rooms.js';
import { programsOf } from './tools.ts';

const SRC = join(import.meta.dirname, '../src');
const SCRIPTS = join(import.meta.dirname, '../scripts');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .sort();

// Folders of one level only: what other tests write below test/tmp comes and goes.
const TESTS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'tmp'
      ? readdirSync(join(import.meta.dirname, entry.name)).map((name) => `${entry.name}/${name}`)
      : entry.name,
  )
  .filter((name) => name.endsWith('.ts'));

function read(name: string): string {
  return readFileSync(join(SRC, name), 'utf8');
}

/** A part of the source: the deepest folder below `src/` that is a room, or the file if it is in `src/` itself. */
function partOf(name: string): string {
  const folders = name.split('/').slice(0, -1);
  while (folders.length > 1 && !RANKS.has(folders.join('/'))) folders.pop();
  return folders.length === 0 ? name : folders.join('/');
}

/** What is written for the program where the code starts one, or calls one of `others`, which do. */
function programsStartedBy(code: string, ...others: string[]): string[] {
  const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork', ...others];
  const calls = code.matchAll(new RegExp(`(?<![.\\w]|function )(?:${starters.join('|')})\\(\\s*([^,\\s]+)`, 'g'));
  return [...calls].map(([, program]) => program!);
}

/** The files of ours that a file imports, dynamically or not. */
function importsOf(name: string): string[] {
  const specifiers = read(name).matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...specifiers].map(([, specifier]) =>
    relative(SRC, join(SRC, dirname(name), specifier!)).replaceAll('\\', '/'),
  );
}

/** The rooms in their order, as the map of the source has them. A file may import from its own room, and from rooms before it. */
const ROOMS = roomsIn(readFileSync(join(SRC, '../docs/internals/architecture.md'), 'utf8'));

const RANKS = new Map(ROOMS.flatMap((rooms, rank) => rooms.map((room) => [room, rank])));

/** Groups of files that import one another, directly or not: Tarjan's strongly connected components. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    path.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (path.includes(target)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = path.splice(path.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

describe('imports', () => {
  const GRAPH = new Map(FILES.map((name) => [name, importsOf(name)]));

  it('point up in the table of rooms of docs/internals/architecture.md', () => {
    const wrong = [...GRAPH].flatMap(([name, targets]) =>
      targets
        .filter((target) => RANKS.get(partOf(target))! > RANKS.get(partOf(name))!)
        .map((target) => `${name} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('make no circle, not even of types', () => {
    expect(circles(GRAPH)).toEqual([]);
  });

  it('are found at all, and circles are', () => {
    expect(GRAPH.get('run/run.ts')).toContain('types.ts');
    expect(GRAPH.get('cli/verbs.ts')).toContain('cli/validate.ts');
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circles(graph)).toEqual([['a', 'b', 'c']]);
  });

  it('are of parts that have a row there, of which each is a part', () => {
    expect(FILES.map(partOf).filter((part) => !RANKS.has(part))).toEqual([]);
    expect([...RANKS.keys()].filter((part) => !FILES.map(partOf).includes(part))).toEqual([]);
    expect(FILES.filter((name) => !name.includes('/')).length).toBeLessThanOrEqual(6);
  });

  it('of Ajv are few: its class for the guards, formats, and the second judge', () => {
    const ajv = FILES.flatMap((name) =>
      [...read(name).matchAll(/\b(?:from |import\()['"](ajv(?:-formats)?(?:\/[^'"]+)?)['"]/g)].map(([, module]) => [
        name,
        module,
      ]),
    );
    // https://ajv.js.org/json-schema.html names the class for 2020-12.
    expect(ajv).toEqual([
      ['engine/ajv-judge.ts', 'ajv'],
      ['engine/ajv-judge.ts', 'ajv/dist/2019.js'],
      ['engine/ajv-judge.ts', 'ajv/dist/2020.js'],
      ['engine/ajv-judge.ts', 'ajv/dist/refs/json-schema-draft-06.json'],
      ['engine/ajv-judge.ts', 'ajv-formats'],
      ['library/verdicts.ts', 'ajv'],
      ['library/verdicts.ts', 'ajv/dist/2020.js'],
      ['schema/formats/format-table.ts', 'ajv-formats'],
    ]);
  });

  it('of keywords are few, so that a keyword can be written knowing little else', () => {
    const targets = FILES.filter((name) => partOf(name) === 'keywords').flatMap(importsOf);
    const parts = new Set(targets.map(partOf).filter((part) => part !== 'keywords'));
    // What code for the compiled engine is made of, texts, JSON, and the nodes that keywords are members of.
    expect([...parts].sort()).toEqual(['json', 'schema', 'schema/formats', 'wasm', 'words']);
  });

  it('of the library do not reach the command line', () => {
    const reached = new Set(['index.ts']);
    for (const name of reached) for (const target of importsOf(name)) reached.add(target);
    expect([...reached].filter((name) => ['cli', 'main.ts'].includes(partOf(name)))).toEqual([]);
  });
});

describe('modules that tests replace', () => {
  it('are there: vitest says nothing of a path that leads nowhere', () => {
    const folder = join(import.meta.dirname);
    const replaced = TESTS.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^vi\.(?:un)?mock\(\s*'(\.[^']+)'/gm)].map(([, path]) =>
        resolve(folder, dirname(name), path!),
      ),
    );
    expect(replaced.length).toBeGreaterThan(5);
    expect(replaced.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('files', () => {
  it.each(FILES)('%s opens with what it is for', (name) => {
    const opening = /^\/\*\*([\s\S]*?)\*\//.exec(read(name))?.[1] ?? '';
    expect(opening.replace(/[\s*]+/g, ' ').trim().length).toBeGreaterThan(30);
  });

  it('are not called after nothing in particular', () => {
    expect(FILES.filter((name) => /(?:^|\/)(?:utils?|helpers?|common|misc|shared)\.ts$/.test(name))).toEqual([]);
  });

  it('that comments and documents name are there', () => {
    const root = join(SRC, '..');
    const below = (folder: string): string[] =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    const written = ['src', 'scripts', 'bench', 'docs', '.ci', 'bin', 'templates'].flatMap(below);
    const tests = [...TESTS, 'cases/README.md', 'messages.md', 'side-by-side.md'].map((name) => join('test', name));
    const there = [...written, ...tests, ...readdirSync(root)].map((name) => name.replaceAll('\\', '/'));
    const all = there.filter((name) => !name.startsWith('bench/data/')); // what measurements left behind
    // A file is named by the end of its path.
    const names = new Set(all.flatMap((name) => name.split('/').map((_, i, parts) => parts.slice(i).join('/'))));
    const NAME = /(?<![\w$.@/*~{}<-])(?:\.{1,2}\/)*((?:[\w-][\w.-]*\/)*\w[\w.-]*\.(?:ts|[cm]?js|sh|md))(?![\w(/])/g;
    const PROSE: Readonly<Record<string, RegExp>> = {
      ts: /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/ .*/g,
      js: /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/ .*/g,
      sh: /^#.*$/gm,
      md: /`[^`\n]+`/g,
    };
    const named = all.flatMap((name) => {
      const prose = /CHANGELOG\.md$|^test\/.*\.md$/.test(name) ? undefined : PROSE[/(?<=\.)\w+$/.exec(name)?.[0] ?? ''];
      const parts = prose === undefined ? [] : (readFileSync(join(root, name), 'utf8').match(prose) ?? []);
      return parts.flatMap((part) => [...part.matchAll(NAME)].map(([, file]) => `${name}: ${file!}`));
    });
    expect(named.length).toBeGreaterThan(300);
    // Of the build, of a user, examples.
    const ABSENT = /: (?:dist\/.*|guards\.d\.ts|worker\.sh|x\.js|tell\.cjs)$/;
    expect(named.filter((one) => !names.has(one.split(': ')[1]!) && !ABSENT.test(one))).toEqual([]);
  });

  it('leave the process to bin/', () => {
    const code = (name: string): string => read(name).replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g, '');
    expect(FILES.filter((name) => /\bprocess\b\s*[.[]|['"]node:process['"]|\bconsole\./.test(code(name)))).toEqual([]);
  });

  it('escape nothing from the type checker', () => {
    expect(
      FILES.filter((name) => /@ts-(?:ignore|nocheck|expect-error)|\bas any\b|: any(?=[\s;,)\]=>])/.test(read(name))),
    ).toEqual([]);
  });
});

describe('tests', () => {
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
      // No test runs the public suites, which are checked out by git, nor compares with a revision.
      const allowed = ['scripts/suites/report.js', 'scripts/interface.js'].includes(name) ? ["'git'"] : ANYWHERE;
      expect(literals.filter((program) => !allowed.includes(program))).toEqual([]);
    },
  );

  const INSTALLED = [...readFileSync(join(SRC, '../.ci/run'), 'utf8').matchAll(/^ {2}([\w-]+):[\w-]+$/gm)].map(
    ([, name]) => name!,
  );
  const NEEDED = TESTS.flatMap((name) => {
    const calls = [...test(name).matchAll(/\bneeds\(\s*((?:'[^']+'(?:,\s*)?)+)\)/g)];
    return calls.flatMap(([, names]) => [...names!.matchAll(/'([^']+)'/g)].map(([, one]) => one!));
  })
    .filter((name) => !['no-such-program', 'sh', 'npm'].includes(name)) // of tools.test.ts, and what comes with Node
    .flatMap(programsOf);

  it('have every program that one of them needs installed by .ci/run', () => {
    expect(NEEDED).toEqual(expect.arrayContaining(['patch', 'setfacl', 'unshare']));
    expect(NEEDED.filter((name) => !INSTALLED.includes(name))).toEqual([]);
  });

  it('say that they need git and patch if they apply a diff', () => {
    const using = TESTS.filter((name) => name.endsWith('.test.ts') && /\bapplyBoth\(/.test(test(name)));
    expect(using.length).toBeGreaterThan(2);
    expect(using.filter((name) => !test(name).includes('appliers.note'))).toEqual([]);
  });

  it('run first in .ci/run in a clone with the PATH of a slim container', () => {
    const run = readFileSync(join(SRC, '../.ci/run'), 'utf8');
    expect(run.indexOf('(cd "$clone" && env -u CI PATH="$slim" npm ci &&')).toBeGreaterThan(0);
    expect(run.indexOf('"$clone"')).toBeLessThan(run.indexOf('npm run nodes'));
  });

  it('need every program that .ci/run installs, or show it in a document', () => {
    const shown = [
      'README.md',
      ...['cli', 'fill', 'schema-verbs', 'input', 'kinds', 'config', 'reports'].map(
        (page) => `docs/reference/${page}.md`,
      ),
      ...['repair', 'schemas', 'checks'].map((page) => `docs/guides/${page}.md`),
      'docs/internals/compiled-engine.md',
      'docs/reference/formats.md',
      'docs/guides/recipes.md',
    ]
      .flatMap((name) => stepsIn(readFileSync(join(SRC, '..', name), 'utf8')))
      .flatMap(({ command }) => command.match(/\w+/g) ?? []);
    // Not needed by tests that do not run as root.
    const known = ['setpriv', ...NEEDED, ...shown];
    expect(INSTALLED.length).toBeGreaterThan(10);
    expect(INSTALLED.filter((name) => !known.includes(name))).toEqual([]);
  });
});
