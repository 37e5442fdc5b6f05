/**
 * Command lines that are read without commander are read as commander reads them.
 */

import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Parsed, quickParse } from '../../src/cli/command-line.ts';
import { addFlags } from '../../src/cli/program.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { type FlagGroup, VALIDATE_FLAGS } from '../../src/config/flags.ts';
import { rounds } from '../rounds.ts';

/** What commander makes of the arguments of a verb; null if it complains. */
function byCommander(args: readonly string[], groups: readonly FlagGroup[]): Parsed | null {
  let parsed: Parsed | null = null;
  const command = new Command('verb').argument('[path...]').exitOverride();
  command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  addFlags(command, groups);
  command.action((paths: string[], flags: Record<string, unknown>) => {
    parsed = { paths, flags };
  });
  try {
    command.parse(args, { from: 'user' });
  } catch {
    return null;
  }
  return parsed;
}

const quick = (...args: string[]) => quickParse(args, VALIDATE_FLAGS);
const namesOf = (groups: readonly FlagGroup[]) =>
  groups.flatMap(({ flags }) => flags.map((flag) => flag.flags.match(/--[\w-]+/)![0]));

const WITH_PATHS = VERBS.filter(({ takes }) => takes === 'paths');

describe('a command line', () => {
  const names = namesOf(VALIDATE_FLAGS);
  const value = fc.constantFrom('json', 'lines', '1', '0', '7', '-1', 'x', '', '-', '1/2', '--quiet', 'a=b', '1e3');
  const wordFor = (names: readonly string[]) =>
    fc.oneof(
      fc.constantFrom(...names),
      fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => `${name}=${text}`),
      value,
      fc.constantFrom('a.json', 'b/**', '!c', '--', '-h', '--help', '-V', '--no-quiet', '--quite', '--no', '-q'),
    );

  it.each(WITH_PATHS)('of $name that is read quickly is read as commander reads it', ({ flags }) => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(wordFor(namesOf(flags)), { maxLength: 5 }), (args) => {
        const parsed = quickParse(args, flags);
        if (parsed === null) return;
        read++;
        expect(parsed).toEqual(byCommander(args, flags));
      }),
      { numRuns: rounds(2000), seed: 8 },
    );
    expect(read).toBeGreaterThan(rounds(300));
  });

  it.each(names)('with %s is read quickly', (name) => {
    const flag = VALIDATE_FLAGS.flatMap(({ flags }) => flags).find(
      ({ flags }) => flags.match(/--[\w-]+/)![0] === name,
    )!;
    const text = flag.choices?.[0] ?? (name === '--shard' ? '1/2' : '1');
    const args = flag.flags.includes('<') ? [name, text, 'a.json'] : [name, 'a.json'];
    expect(quick(...args)).toEqual(byCommander(args, VALIDATE_FLAGS));
    expect(quick(...args)).toMatchObject({ paths: ['a.json'] });
  });

  it.each([
    ['help', '--help'],
    ['a flag that does not exist', '--quite'],
    ['a value that is missing', '--kind'],
    ['a value that is wrong', '--threads', '0'],
    ['a value that is not among the choices', '--input', 'xml'],
    ['a value for a flag that takes none', '--quiet=yes'],
    ['the end of the flags', '--', 'a.json'],
    ['two flags that contradict each other', '--color', '--no-color'],
  ])('with %s is left to commander', (_, ...args) => {
    expect(quick(...args)).toBeNull();
  });
});
