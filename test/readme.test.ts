/**
 * The documents say what is so: their commands print what stands below them, their links lead somewhere, and every verb,
 * flag, format, rule and field that there is stands in the reference, and no other.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import fastGlob from 'fast-glob';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandsIn, redraw, withoutTimes, withPaylint } from '../scripts/console-blocks.js';
import { draw } from '../scripts/screenshot.js';
import { createProgram } from '../src/cli/program.ts';
import { FORMAT_NAMES } from '../src/report/index.ts';
import { BUILTIN_RULES, type Io } from '../src/types.ts';
import { paylint } from './world.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const README = read('README.md');
const CLI = read('docs/cli.md');
const DOCUMENTS = ['README.md', 'CHANGELOG.md', ...fastGlob.sync('docs/*.md', { cwd: ROOT }).sort()];

describe('commands and their output', () => {
  beforeAll(() => {
    if (spawnSync('jq', ['--version']).status === 0) return;
    throw new Error('jq is not installed, and the recipes of the README need it: apt-get install jq');
  });

  it.each([
    ['README.md', 5],
    ['docs/cli.md', 5],
  ])('%s: as printed now (node scripts/console-blocks.js redraws it)', (name, least) => {
    const text = read(name);
    expect(commandsIn(text).length).toBeGreaterThanOrEqual(least);
    expect(redraw(text)).toBe(text);
  });

  it('docs/terminal.svg: as printed now (node scripts/screenshot.js redraws it)', () => {
    const times = (svg: string): string => withoutTimes(svg.replace(/>([\d.]+ m?s)<\/text>/g, '>\n$1\n<'));
    expect(times(draw())).toBe(times(read('docs/terminal.svg')));
  });

  it('the two commands of the README', () => {
    expect(README).toContain("npm ci && npx paylint validate 'fixtures/*/valid/**'\nnpm ci && npm test\n");
    const printed = withPaylint((run) => run("paylint validate 'fixtures/*/valid/**'; echo exit code $?"));
    expect(printed).toMatch(/^✓ [\d,]+ payloads valid in \d+ files · .*\nexit code 0\n$/);
    const ci = read('.ci/run').split('\n');
    expect(ci).toEqual(expect.arrayContaining(['npm ci', expect.stringMatching(/^npm test /)]));
  });

  it('the recipes for CI', () => {
    const blocks = [...README.matchAll(/^```(?:yaml|sh)\n([\s\S]*?)^```$/gm)]
      .map(([, text]) => text)
      .join('');
    const recipes = [...blocks.matchAll(/npx (paylint validate payloads\/.*)$/gm)].map(
      ([, command]) => command!,
    );
    expect(recipes).toHaveLength(2);
    const folder = mkdtempSync(join(tmpdir(), 'paylint-recipes-'));
    try {
      mkdirSync(join(folder, 'payloads'));
      writeFileSync(join(folder, 'payloads/a.json'), '{"@context":"c","@type":"Emoji","emoji":"👍"}');
      for (const recipe of recipes) {
        const printed = withPaylint((run) =>
          run(`cd '${folder}' && ${recipe}; echo exit code $?; ls; rm *.ndjson`),
        );
        expect(printed).toMatch(/^✓ 1 payload valid · .*\nexit code 0\npaylint\.ndjson\npayloads\n$/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
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

describe('docs/cli.md is complete', () => {
  const program = createProgram(nowhere(), { exitCode: 0, text: '' });
  const flags = new Set(program.commands.flatMap(flagsOf));

  it('verbs', () => {
    for (const verb of program.commands) {
      expect(CLI).toContain(`\n    paylint ${verb.name()}`);
      expect(README).toContain(`\n| \`paylint ${verb.name()}`);
    }
    const named = [...`${CLI}\n${README}`.matchAll(/^(?: {4}|\| `)paylint ([a-z]+)/gm)].map(
      ([, verb]) => verb!,
    );
    const verbs = [...program.commands.map((verb) => verb.name()), 'help'];
    expect(named.filter((verb) => !verbs.includes(verb))).toEqual([]);
  });

  it('flags', () => {
    const table = [...CLI.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/--[a-z-]+/g)!);
    expect(table.sort()).toEqual([...flags].sort());
  });

  it('no document has a flag that is not there', () => {
    const others = ['--version', '--help', '--save-dev'];
    for (const name of [
      'README.md',
      'CHANGELOG.md',
      'docs/cli.md',
      'docs/decisions.md',
      'docs/architecture.md',
    ]) {
      const named = read(name).match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
      expect([name, named.filter((flag) => !flags.has(flag) && !others.includes(flag))]).toEqual([name, []]);
    }
  });

  it('formats', () => {
    const table = [...CLI.matchAll(/^\| `(\w+)` \| (?:for people|one violation|one document|one object)/gm)];
    expect(table.map(([, name]) => name)).toEqual(FORMAT_NAMES);
  });

  it("paylint's own rules", () => {
    const table = CLI.slice(
      CLI.indexOf("paylint's own rules:"),
      CLI.indexOf("The facts of the schema's rules"),
    );
    expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)).toEqual(BUILTIN_RULES);
  });

  it('fields of the reports', () => {
    const { $defs } = JSON.parse(read('schemas/report.schema.json')) as {
      $defs: Record<string, { properties: Record<string, unknown>; required: string[] }>; // our own schema
    };
    const violation = CLI.slice(CLI.indexOf('## Violations'), CLI.indexOf('The place is that of'));
    expect(namesIn(violation)).toEqual(Object.keys($defs.violation!.properties));
    for (const object of ['failure', 'source', 'summary']) {
      const row = new RegExp(`^\\| \`${object}\` \\| (.*?)(;.*)? \\|$`, 'm').exec(CLI)![1]!;
      expect(row.match(/\w+/g)).toEqual($defs[object]!.required);
    }
  });

  it('keys of the config, in a table and in an example that works', async () => {
    const { properties } = JSON.parse(read('schemas/config.schema.json')) as {
      properties: Record<string, unknown>; // our own schema
    };
    const section = CLI.slice(CLI.indexOf('## Config file'), CLI.indexOf('## Violations'));
    expect(['$schema', ...namesIn(section)]).toEqual(Object.keys(properties));
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
    return { args: [], stdin, stdout, stderr, env: {}, cwd: ROOT, interrupt: new AbortController().signal };
  }
});

it('docs/decisions.md has the decisions that the schemas refer to', () => {
  const schemas = fastGlob.sync('schemas/*.json', { cwd: ROOT }).map(read).join('');
  const referred = [...schemas.matchAll(/"Decision (\d+)/g)].map(([, number]) => Number(number));
  const open = /^## Open points[\s\S]*?(?=^## )/m.exec(read('docs/decisions.md'))![0];
  const decided = [...open.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(decided).toEqual([...new Set(referred)].sort());
});

it('docs/decisions.md has a reason for every dependency', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }; // our own
  const table = read('docs/decisions.md').split('\n## Dependencies')[1]!;
  const cells = [...table.matchAll(/^\| (?!package|-)(.*?) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  expect(cells.map((cell) => cell.replace(/ \d+$/, '')).sort()).toEqual(Object.keys(devDependencies).sort());
});
