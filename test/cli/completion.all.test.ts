/**
 * `paylint completion`: what the shells themselves propose with the scripts, compared with the help of commander, which has its flags by
 * another way. PowerShell is not run: its script is read as text.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHELLS } from '../../src/cli/command-line.ts';
import { completions, flagsOf } from '../../src/cli/completion/rows.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { VERDICTS } from '../../src/library/verdicts.ts';
import { FORMAT_NAMES } from '../../src/report/report-formats.ts';
import { FRAMINGS } from '../../src/types.ts';
import { sh } from '../spawned.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = [...VERBS.map(({ name }) => name), 'help'];
const KINDS = VERDICTS.map(({ name }) => name).sort();
const FORMATS = [...FORMAT_NAMES, 'auto'];
/** The long flags of each verb, as its help lists them. */
const helpFlags = new Map<string, string[]>();
let rules: string[] = [];

beforeAll(async () => {
  for (const { name } of VERBS) {
    const { stdout } = await paylint([name, '--help'], { cwd: folder });
    helpFlags.set(name, [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!).sort());
  }
  const { stdout } = await paylint(['explain', '--format', 'json'], { cwd: folder });
  rules = (JSON.parse(stdout) as { rules: { rule: string }[] }).rules.map(({ rule }) => rule); // our own
  for (const shell of SHELLS)
    writeFileSync(join(folder, `script.${shell}`), (await paylint(['completion', shell], { cwd: folder })).stdout);
  mkdirSync(join(folder, 'files/sub.json'), { recursive: true });
  mkdirSync(join(folder, 'files/deep'));
  for (const name of ['a.json', 'a b.ndjson', 'c.jsonl.gz', 'README', '[x].json', 'a.schema'])
    writeFileSync(join(folder, 'files', name), '');
});

/** What a shell proposes at the end of each line. */
type Propose = (lines: readonly string[]) => readonly (readonly string[])[];

const bash = needs('bash');
const fish = needs('fish');
const zsh = needs('zsh', 'stty');

const inFiles = () => ({ cwd: join(folder, 'files') });
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Calls the function as bash does, for which `=` is a word of its own. */
const inBash: Propose = (lines) =>
  lines.map((line) => {
    const words = line
      .split(/ |(=)/)
      .filter((word, i, all) => word !== undefined && (word !== '' || i === all.length - 1));
    const capture = join(import.meta.dirname, '../completion/capture.bash');
    return linesOf(bash.run('bash', [capture, join(folder, 'script.bash'), ...words], inFiles()));
  });

const inFish: Propose = (lines) => {
  const program = 'source $argv[1]; for line in $argv[2..]; complete -C $line; echo ===; end';
  const printed = fish.run('fish', ['--no-config', '-c', program, join(folder, 'script.fish'), ...lines], inFiles());
  return partsOf(printed).map((found) => found.map((line) => line.split('\t')[0]!));
};

const inZsh: Propose = (lines) => {
  const capture = join(import.meta.dirname, '../completion/capture.zsh');
  return partsOf(zsh.run('zsh', ['-f', capture, join(folder, 'script.zsh'), ...lines], inFiles()));
};

function partsOf(printed: string): string[][] {
  return printed.split('===\n').slice(0, -1).map(linesOf);
}

const sorted = (words: readonly string[]): string[] => [...new Set(words)].sort();

describe.each([
  ['bash', bash, inBash],
  ['fish', fish, inFish],
  ['zsh', zsh, inZsh],
] as const)('%s', (_, need, propose) => {
  it.skipIf(need.missing)(`proposes every flag of every verb${need.note}`, () => {
    const verbs = [...helpFlags.keys()];
    const found = propose(verbs.map((verb) => `paylint ${verb} --`));
    expect(verbs.map((verb, i) => [verb, sorted(found[i]!)])).toEqual([...helpFlags]);
  });

  const WORDS: readonly (readonly [line: string, words: () => readonly string[]])[] = [
    ['paylint ', () => NAMES],
    ['paylint fil', () => ['fill', 'filter']],
    ['paylint validate --input ', () => FRAMINGS],
    ['paylint validate --input=', () => FRAMINGS],
    ['paylint fill --kind ', () => KINDS],
    ['paylint filter a.json --format ', () => FORMATS],
    ['paylint filter a.json -f ', () => FORMATS],
    ['paylint coverage --format ', () => ['pretty', 'json', 'lcov', 'html']],
    ['paylint coverage -f ', () => ['pretty', 'json', 'lcov', 'html']],
    ['paylint compare --against aj', () => ['ajv']],
    ['paylint explain --format ', () => ['text', 'json']],
    ['paylint kinds -f ', () => ['text', 'json']],
    ['paylint convert --split-by ', () => ['kind']],
    ['paylint explain ', () => [...rules, ...KINDS]],
    ['paylint explain uniq', () => ['uniqueItems']],
    ['paylint completion ', () => SHELLS],
    ['paylint help ', () => NAMES.slice(0, -1)],
    ['paylint validate --threads ', () => []],
  ];

  it.skipIf(need.missing)(`proposes verbs, kinds, formats, framings and rules${need.note}`, () => {
    const found = propose(WORDS.map(([line]) => line));
    const bare = (word: string): string => word.replace(/^--\w+=/, '');
    expect(WORDS.map(([line], i) => [line, sorted(found[i]!.map(bare))])).toEqual(
      WORDS.map(([line, words]) => [line, sorted(words())]),
    );
  });

  const SOURCES = ['[x].json', 'a b.ndjson', 'a.json', 'c.jsonl.gz', 'deep', 'sub.json'];
  const FILES: readonly (readonly [line: string, names: readonly string[]])[] = [
    ['paylint validate ', SOURCES],
    ['paylint fill --write a.json ', SOURCES],
    ['paylint validate REA', ['README']], // none has such an ending
    ['paylint render ', [...SOURCES, 'README', 'a.schema']],
    ['paylint validate --schema a.s', ['a.schema']],
    ['paylint validate --schema=a.s', ['a.schema']],
    ['paylint validate -s a.s', ['a.schema']],
    ['paylint compare --against a.s', ['a.schema']],
    ['paylint convert --out-dir ', ['deep', 'sub.json']],
    ['paylint validate -- ', SOURCES],
  ];

  it.skipIf(need.missing)(`proposes files with the endings of payloads, or others${need.note}`, () => {
    const found = propose(FILES.map(([line]) => line));
    const name = (word: string): string =>
      word
        .replace(/^(?:--\w+=)?(?:\w+=)?/, '')
        .replace(/\/$/, '')
        .replaceAll('\\', '');
    expect(FILES.map(([line], i) => [line, sorted(found[i]!.map(name))])).toEqual(
      FILES.map(([line, names]) => [line, sorted(names)]),
    );
  });
});

describe('the script for PowerShell, as text', () => {
  const script = async () => (await paylint(['completion', 'powershell'], { cwd: folder })).stdout;

  it('has every flag of every verb', async () => {
    const text = await script();
    for (const [verb, flags] of helpFlags) {
      const [, table] = new RegExp(`^    '${verb}' = \\[ordered\\]@{\\n([\\s\\S]*?)^    }`, 'm').exec(text)!;
      const names = [...table!.matchAll(/^ +'(--[\w-]+)' = '/gm)].map(([, name]) => name!);
      expect([verb, names.sort()]).toEqual([verb, flags]);
    }
  });

  it('has the words of values, and closes what it opens', async () => {
    const text = await script();
    expect(text).toContain(`'validate --format' = @(${FORMATS.map((name) => `'${name}'`).join(', ')})`);
    expect(text).toContain(`'validate --kind' = @('content', 'contract', 'emoji')`);
    expect(text).toContain(`'completion' = @('bash', 'zsh', 'fish', 'powershell')`);
    const code = text.replace(/'(?:[^']|'')*'/g, '');
    for (const [open, close] of ['()', '{}', '[]']) expect(code.split(open!).length).toBe(code.split(close!).length);
  });
});

it('is made from words that need no quotes in any shell', () => {
  const words = completions(VERBS, KINDS).flatMap((verb) => [
    verb.name,
    ...[verb.arguments, ...flagsOf(verb).map(({ values }) => values)].flatMap((values) =>
      typeof values === 'string' ? [] : values,
    ),
    ...flagsOf(verb).map(({ long }) => long),
  ]);
  expect(words.length).toBeGreaterThan(300);
  expect(words.filter((word) => !/^[\w./-]+$/.test(word))).toEqual([]);
});

describe('the man page', () => {
  const page = join(import.meta.dirname, '../../dist/paylint.1');

  it('is in the package, and has every flag of every verb', () => {
    const { man } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      man: string[];
    }; // our own
    // A list: of a mere text, npm installs no page.
    expect(man.map((path) => join(import.meta.dirname, '../..', path))).toEqual([page]);
    const text = readFileSync(page, 'utf8').replaceAll('\\-', '-');
    for (const [verb, flags] of helpFlags) {
      const [, part] = text.split(`.SH "PAYLINT ${verb.toUpperCase()}"\n`);
      const names = [...part!.split('\n.SH ')[0]!.matchAll(/\\fB(--[\w-]+)\\fR/g)].map(([, name]) => name!);
      expect([verb, [...names, '--help'].sort()]).toEqual([verb, flags]);
    }
  });

  const mandoc = needs('mandoc');
  it.skipIf(mandoc.missing)(`has no fault that mandoc finds${mandoc.note}`, async () => {
    const { stdout, stderr } = await sh(folder, `mandoc -Tlint '${page}'`, mandoc);
    // A version that is not released yet has no date.
    expect([linesOf(stdout).filter((line) => !line.includes('missing date')), stderr]).toEqual([[], '']);
    expect((await sh(folder, `mandoc -Tascii '${page}'`, mandoc)).stdout).toContain('PAYLINT(1)');
  });
});
