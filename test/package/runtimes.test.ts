/**
 * `scripts/matrix.sh` and `scripts/one-file.sh` try every verb and every format of the tables. They need a network, so no test
 * runs them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHELLS } from '../../src/cli/command-line.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { AUTO, FORMAT_NAMES } from '../../src/report/report-formats.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../scripts', name), 'utf8');
/** The arguments of each command. */
const MATRIX = [
  .../<<'END'\n(paylint --version\n.*?)^END$/ms.exec(read('matrix.sh'))![1]!.matchAll(/\bpaylint ([^;|\n]*)/g),
].map(([, args]) => args!);
const ALONE = [...read('one-file.sh').matchAll(/\bexpect \d (?:'[^']*'|"[^"]*"|\S+) (.*)|\/paylint" (lsp)/g)].map(
  ([, args, lsp]) => (args ?? lsp)!,
);
const formatsOf = (commands: readonly string[]): string[] =>
  commands.flatMap((args) => [...args.matchAll(/--format (\w+)/g)].map(([, name]) => name!));

describe.each([
  ['matrix.sh', MATRIX, formatsOf(MATRIX), [...FORMAT_NAMES, AUTO]],
  [
    'one-file.sh',
    ALONE,
    [...formatsOf(ALONE), .../for format in (.*?);/.exec(read('one-file.sh'))![1]!.split(' ')],
    FORMAT_NAMES,
  ],
])('%s', (_, commands, tried, formats) => {
  it('tries every verb', () => {
    expect(commands.length).toBeGreaterThan(10);
    const verbs = commands.map((args) => args.split(' ')[0]);
    const missing = VERBS.map(({ name }) => name).filter((name) => !verbs.includes(name));
    expect(missing, 'each verb has a command in the script').toEqual([]);
  });

  it('tries every format', () => {
    const missing = formats.filter((name) => !tried.includes(name));
    expect(missing, 'each format has a command in the script').toEqual([]);
  });
});

it('matrix.sh completes in every shell, watches and ends by signals', () => {
  for (const shell of SHELLS) expect(MATRIX).toContain(`completion ${shell}`);
  expect(MATRIX.filter((args) => args.includes('--watch')).map((args) => args.split(' ')[0])).toEqual([
    'validate',
    'fill',
  ]);
  expect(read('matrix.sh').match(/^signal \w+$/gm)).toEqual(['signal TERM', 'signal INT']);
});
