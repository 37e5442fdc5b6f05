/**
 * The documents are true: their commands print the output that they show, their links lead somewhere, and the reference has
 * every verb, flag, format, rule and field, and no others.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { redraw, replay, stepsIn, withoutTimes, withPaylint as withPaylintIn } from '../../scripts/console-blocks.js';
import { draw } from '../../scripts/screenshot.js';
import { createProgram } from '../../src/cli/program.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/report-formats.ts';
import type { Io } from '../../src/source/io.ts';
import { OWN_RULES } from '../../src/words/own-rules.ts';
import { shellWords } from '../case-files.ts';
import { times } from '../rounds.ts';
import { type Need, needs } from '../tools.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const README = read('README.md');
/** The reference: each page in the order of what it says. */
const REFERENCE = [
  'reference/cli',
  'reference/lsp',
  'reference/filter',
  'reference/fill',
  'reference/schema-verbs',
  'reference/input',
  'reference/kinds',
  'reference/config',
  'guides/checks',
  'reference/checks',
  'guides/schemas',
  'guides/repair',
  'guides/baseline',
  'reference/reports',
].map((page) => `docs/${page}.md`);
const CLI = REFERENCE.map(read).join('\n');
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...fastGlob.sync('docs/**/*.md', { cwd: ROOT }).sort(),
];

describe('commands and their output', () => {
  const documents = [
    ['README.md', 1],
    ['docs/guides/repair.md', 3],
    ['docs/reference/cli.md', 1],
    ['docs/reference/fill.md', 1],
    ['docs/reference/schema-verbs.md', 1],
    ['docs/reference/input.md', 1],
    ['docs/reference/kinds.md', 1],
    ['docs/reference/config.md', 1],
    ['docs/guides/checks.md', 1],
    ['docs/reference/reports.md', 1],
    ['docs/internals/compiled-engine.md', 1],
    ['docs/reference/formats.md', 4],
    ['docs/guides/schemas.md', 1],
    ['docs/guides/recipes.md', 15],
  ] as const;

  describe.each(documents)('%s', (name, least) => {
    const steps = stepsIn(read(name));

    it('has console blocks as redrawn by node scripts/console-blocks.js', async () => {
      const text = read(name);
      expect(steps.length).toBeGreaterThanOrEqual(least);
      expect(await redraw(text, (command) => steps.find((step) => step.command === command)!.below)).toBe(text);
    });

    for (const { command, below } of steps) {
      const line = command.replace(/\\\n\s*/g, '');
      const programs = programsIn(command);
      const need = needs(...programs);
      it.skipIf(need.missing)(`prints what it says for: ${line}${need.note}`, async () => {
        const printed = (await printedHere(command, ROOT, need)) ?? withPaylint((run) => run(command), need);
        expect(withoutTimes(printed.trimEnd())).toBe(withoutTimes(below));
      });
      // The recipes are about the real jq; that of npm has not all of its flags. It is used anyway where there is no other.
      if (times(1, 0) === 0 || !programs.includes('jq') || name === 'docs/guides/recipes.md') continue;
      const without = needs(...programs.filter((program) => program !== 'jq'));
      it.skipIf(without.missing)(`with the jq of npm, too: ${line}${without.note}`, () => {
        const printed = withPaylint((run) => run(command), without);
        expect(withoutTimes(printed.trimEnd())).toBe(withoutTimes(below));
      });
    }
  });

  /** The programs that a command line runs, but for paylint and Node. */
  function programsIn(command: string): string[] {
    const bare = command.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'x').replaceAll('\\\n', ' ');
    const words = bare.split(/\|\|?|&&|;/).map((part) => part.trim().split(/\s+/)[0]!);
    return words.filter((word) => !['paylint', 'node', 'cd', 'echo'].includes(word));
  }

  /** What a call of paylint prints on both streams, run in this process; null: the shell has more to do. */
  async function printedHere(command: string, cwd: string, { folder }: Need): Promise<string | null> {
    const line = command.replace(/\\\n\s*/g, '');
    const [, call, isQuiet, saysCode] = /^paylint (.*?)( 2>\/dev\/null)?(; echo "exit code \$\?")?$/.exec(line) ?? [];
    const bare = call?.replace(/'[^']*'|"[^"$`]*"/g, 'x') ?? '$';
    if (/[|<>;&$`*?]/.test(bare)) return null;
    const both: Buffer[] = [];
    const { code, stdout } = await paylint(shellWords(call!), { cwd, both, stdin: '', env: { PATH: folder } });
    const text = isQuiet === undefined ? Buffer.concat(both).toString() : stdout;
    return text + (saysCode === undefined ? '' : `exit code ${code}\n`);
  }

  /** With no other programs than those that are needed. */
  function withPaylint<T>(use: (run: (command: string) => string) => T, need: Need = needs()): T {
    return withPaylintIn(use, need.folder);
  }

  describe.each(fastGlob.sync('docs/start/*.md', { cwd: ROOT }).sort())('%s', (name) => {
    const steps = stepsIn(read(name));
    const need = needs(...new Set(steps.flatMap(({ command }) => programsIn(command))));

    it.skipIf(need.missing)(`prints what it says, step by step in an empty folder${need.note}`, async () => {
      expect(steps.length).toBeGreaterThan(4);
      const here = (command: string, cwd: string) => printedHere(command, cwd, need);
      expect(await replay(read(name), need.folder, here)).toBe(read(name));
    });
  });

  it('docs/terminal.svg: as printed now (node scripts/screenshot.js redraws it)', () => {
    const times = (svg: string): string => withoutTimes(svg.replace(/>([\d.]+ m?s)<\/text>/g, '>\n$1\n<'));
    expect(times(draw())).toBe(times(read('docs/terminal.svg')));
  });

  it('the recipes for pull requests use no config that comes with one', () => {
    const blocks = ['README.md', 'docs/guides/ci.md', 'docs/guides/scale.md'].flatMap((name) => [
      ...read(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
    ]);
    const runs = blocks.flatMap(
      ([, text]) => text!.match(/npx --no -- paylint (?:validate|fill|filter|convert) .*/g) ?? [],
    );
    expect(runs.length).toBeGreaterThan(4);
    const inCi = runs.filter((line) => !line.includes('{staged_files}'));
    expect(inCi.filter((line) => !line.includes(' --no-config '))).toEqual([]);
  });

  it('each recipe for a CI system is in one document', () => {
    const blocks = [
      'README.md',
      'docs/guides/ci.md',
      'docs/reference/formats.md',
      'docs/guides/scale.md',
      'docs/guides/recipes.md',
    ].flatMap((name) =>
      [...read(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => ({ name, text: text! })),
    );
    expect(blocks.filter(({ name }) => name === 'docs/reference/formats.md')).toEqual([]);
    const commands = blocks.flatMap(({ name, text }) =>
      (text.match(/npx --no -- paylint .*/g) ?? []).map((command) => [command, name] as const),
    );
    const pages = (command: string) => new Set(commands.filter(([one]) => one === command).map(([, name]) => name));
    expect(commands.filter(([command]) => pages(command).size > 1)).toEqual([]);
  });

  it('the problem matcher for Visual Studio Code', () => {
    const [, block] = /^```json\n(\{\n {2}"label"[\s\S]*?)^```$/m.exec(read('docs/reference/formats.md'))!;
    const { pattern } = JSON.parse(block!).problemMatcher;
    const regexp = new RegExp(pattern.regexp);
    const printed = withPaylint((run) =>
      run('paylint validate docs/examples docs/advice.json --advice --quiet --format line; true'),
    );
    const found = printed
      .trimEnd()
      .split('\n')
      .map((line) => regexp.exec(line)!);
    expect(found.map((groups) => groups[pattern.severity])).toContain('warning');
    expect(found.map((groups) => groups[pattern.severity])).toContain(undefined);
    expect(found.map((groups) => groups[pattern.code])).toEqual(
      expect.arrayContaining(['check/content-age-order', 'required', 'json-syntax']),
    );
  });
});

describe('links', () => {
  it.each(DOCUMENTS)('%s', (name) => {
    const links = [...read(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !leadsSomewhere(link, name))).toEqual([]);
  });

  function leadsSomewhere(link: string, from: string): boolean {
    const [path, anchor] = link.split('#');
    const target = path === '' ? from : join(dirname(from), path!);
    if (!existsSync(join(ROOT, target))) return false;
    if (anchor === undefined) return true;
    const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
    return headings.some((heading) => slug(heading) === anchor);
  }

  /** As GitHub makes anchors of headings. */
  function slug(heading: string): string {
    return heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  }
});

describe('docs/reference/cli.md is complete', () => {
  const program = createProgram(nowhere(), { exitCode: 0, text: '' });
  const flags = new Set(program.commands.flatMap(flagsOf));

  it('verbs', () => {
    const missing = program.commands.flatMap((verb) => [
      ...(CLI.includes(`\n    paylint ${verb.name()}`) ? [] : [`docs/reference/cli.md: ${verb.name()}`]),
      ...(README.includes(`\n| \`paylint ${verb.name()}`) ? [] : [`README.md: ${verb.name()}`]),
    ]);
    expect(missing).toEqual([]);
    const named = [...`${CLI}\n${README}`.matchAll(/^(?: {4}|\| `)paylint ([a-z]+)/gm)].map(([, verb]) => verb!);
    const verbs = [...program.commands.map((verb) => verb.name()), 'help'];
    expect(named.filter((verb) => !verbs.includes(verb))).toEqual([]);
  });

  it('flags', () => {
    const table = [...CLI.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/--[a-z-]+/g)!);
    expect(table.sort()).toEqual([...flags].sort());
  });

  it('no document has a flag that is not there', () => {
    const git = ['--cached', '--name-only', '--diff-filter'];
    const node = ['--permission', '--allow-fs-read', '--allow-worker', '--jitless'];
    const genhtml = ['--branch-coverage', '--output-directory'];
    const peers = ['--speed', '--http', '--offline']; // of the script that compares, and of others
    const others = ['--version', '--help', '--save-dev', '--plant-all', '--no', ...git, ...node, ...peers, ...genhtml];
    for (const name of [
      'README.md',
      'CHANGELOG.md',
      ...REFERENCE,
      'docs/internals/decisions.md',
      'docs/internals/decisions-code.md',
      'docs/internals/compiled-engine.md',
    ]) {
      const named = read(name).match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
      expect([name, named.filter((flag) => !flags.has(flag) && !others.includes(flag))]).toEqual([name, []]);
    }
  });

  it('formats', () => {
    const table = CLI.slice(CLI.indexOf('| format | what it is |'), CLI.indexOf('`auto` is'));
    const names = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(names).toEqual(FORMAT_NAMES);
    // Those for other programs have a section. json and ndjson are described in docs/reference/cli.md.
    const shown = FORMAT_NAMES.filter((name) => FORMATS[name].machine && !/json$/.test(name));
    expect(shown.filter((name) => !read('docs/reference/formats.md').includes(`--format ${name}`))).toEqual([]);
  });

  it("paylint's own rules", () => {
    const table = CLI.slice(CLI.indexOf("paylint's own rules:"), CLI.indexOf("The facts of the schema's rules"));
    expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)).toEqual(Object.keys(OWN_RULES));
  });

  it('the checks of --advice', () => {
    const checks = JSON.parse(read('schemas/payload.checks.json')) as { id: string }[]; // our own file
    const table = [...CLI.matchAll(/^\| `check\/.*?\|/gm)].join();
    const names = [...table.matchAll(/`check\/([\w-]+)`/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(checks.map(({ id }) => id).sort());
  });

  it('fields of the reports', () => {
    const { $defs } = JSON.parse(read('schemas/report.schema.json')) as {
      $defs: Record<string, { properties: Record<string, unknown>; required: string[] }>; // our own schema
    };
    const violation = CLI.slice(CLI.indexOf('## Violations'), CLI.indexOf('The place is where'));
    expect(namesIn(violation)).toEqual(Object.keys($defs.violation!.properties));
    for (const object of ['failure', 'fill', 'prune', 'source', 'summary']) {
      const row = new RegExp(`^\\| \`${object}\` \\| (.*?)(;.*)? \\|$`, 'm').exec(CLI)![1]!;
      expect(row.match(/\w+/g)).toEqual($defs[object]!.required);
    }
    expect(/^\| `source` \| .*$/m.exec(CLI)![0]).toContain('with `fill` also `filled`');
  });

  it('keys of the config, in a table and in an example that works', async () => {
    const { properties } = JSON.parse(read('schemas/config.schema.json')) as {
      properties: Record<string, unknown>; // our own schema
    };
    const section = read('docs/reference/config.md');
    expect(['$schema', '$comment', ...namesIn(section)]).toEqual(Object.keys(properties));
    const example = /^```json\n([\s\S]*?)^```$/m.exec(section)![1]!;
    const judged = await paylint(['validate', '--schema', 'schemas/config.schema.json', '--no-config'], {
      cwd: ROOT,
      stdin: example,
    });
    expect(judged).toMatchObject({ code: 0, stderr: '' });
  });

  /** The names in the first column of the tables in a part of the document. */
  function namesIn(part: string): string[] {
    const cells = [...part.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!);
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  }

  function flagsOf(verb: Command): string[] {
    return verb.options.map((option) => option.long!);
  }

  function nowhere(): Io {
    const { stdin, stdout, stderr } = process;
    return {
      args: [],
      stdin,
      stdout,
      stderr,
      env: {},
      cwd: ROOT,
      now: Date.now,
      interrupt: new AbortController().signal,
    };
  }
});

it('no page has more than 400 lines', () => {
  const pages = DOCUMENTS.filter((name) => name.startsWith('docs/'));
  const long = pages.filter((name) => read(name).trimEnd().split('\n').length > 400);
  expect(pages.length).toBeGreaterThan(20);
  expect(long).toEqual([]);
});

it('docs/internals/decisions.md has the decisions that the schemas refer to', () => {
  const schemas = fastGlob.sync('schemas/*.json', { cwd: ROOT }).map(read).join('');
  const referred = [...schemas.matchAll(/"Decision (\d+)/g)].map(([, number]) => Number(number));
  const open = /^## Open points[\s\S]*?(?=^## )/m.exec(read('docs/internals/decisions.md'))![0];
  const decided = [...open.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(decided).toEqual([...new Set(referred)].sort());
});

it('docs/internals/decisions.md has a reason for every dependency', () => {
  const used = ['package.json', 'editors/vscode/package.json'].flatMap((file) => {
    const { devDependencies } = JSON.parse(read(file)) as { devDependencies: Record<string, string> }; // our own
    return Object.keys(devDependencies);
  });
  const table = read('docs/internals/decisions.md').split('\n## Dependencies')[1]!;
  const cells = [...table.matchAll(/^\| (?!package|-)(.*?) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  expect(cells.map((cell) => cell.replace(/ \d+$/, '')).sort()).toEqual([...new Set(used)].sort());
});
