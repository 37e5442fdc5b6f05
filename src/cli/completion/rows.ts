/**
 * What can be completed, as data: the tables of verbs and flags, with the words and files that each value may be. The
 * scripts for shells and the man page are written from it, so none has a list of its own.
 */

import { collect, type FlagSpec } from '../../config/flags.ts';
import { RULES } from '../../keywords/rules.ts';
import { COVERAGE_FORMATS } from '../../report/coverage-formats.ts';
import { AUTO, FORMAT_NAMES } from '../../report/report-formats.ts';
import { argumentOf, SHELLS, type Verb } from '../command-line.ts';

/** One of these words, a name on the disk, or free text. `payloads` are files with our endings; `schema`: a file, or `ajv`. */
export type Values = readonly string[] | 'payloads' | 'files' | 'folders' | 'schema' | 'text';

export interface FlagRow {
  readonly long: string;
  readonly short: string | null;
  /** The value as help shows it: `<n>`; empty if the flag takes none. */
  readonly value: string;
  readonly isRepeatable: boolean;
  readonly description: string;
  readonly values: Values;
}

export interface VerbRow {
  readonly name: string;
  readonly description: string;
  /** The arguments as help shows them: `[path...]`; empty if there are none. */
  readonly argument: string;
  readonly argumentText: string;
  readonly arguments: Values;
  readonly groups: readonly { readonly heading: string; readonly flags: readonly FlagRow[] }[];
}

const HELP: FlagRow = {
  long: '--help',
  short: '-h',
  value: '',
  isRepeatable: false,
  description: 'show the help',
  values: 'text',
};

export const TOP_FLAGS: readonly FlagRow[] = [
  HELP,
  { ...HELP, long: '--version', short: '-V', description: 'show the version' },
];

/** All verbs, and `help`. `kinds`: the names of the kinds. */
export function completions(verbs: readonly Verb[], kinds: readonly string[]): readonly VerbRow[] {
  const names = verbs.map(({ name }) => name);
  return [
    ...verbs.map((verb) => rowOf(verb, kinds)),
    {
      name: 'help',
      description: 'Show the help of a verb.',
      argument: '[verb]',
      argumentText: 'a verb',
      arguments: names,
      groups: [],
    },
  ];
}

function rowOf(verb: Verb, kinds: readonly string[]): VerbRow {
  const groups = [...verb.flags, { heading: 'Options:', flags: [] }].map(({ heading, flags }) => ({
    heading,
    flags: flags.map((spec) => flagRow(spec, verb, kinds)),
  }));
  groups.at(-1)!.flags.push(HELP);
  const { name: argument, description: argumentText } = argumentOf(verb) ?? { name: '', description: '' };
  const { name, description } = verb;
  return { name, description, groups, argument, argumentText, arguments: argumentValues(verb, kinds) };
}

function argumentValues(verb: Verb, kinds: readonly string[]): Values {
  if (verb.takes === null) return 'text';
  if (verb.takes === 'paths') return verb.argument === undefined ? 'payloads' : 'files';
  return verb.name === 'completion' ? SHELLS : [...RULES.keys(), ...kinds];
}

function flagRow(spec: FlagSpec, verb: Verb, kinds: readonly string[]): FlagRow {
  const [, short, long, value = ''] = /^(?:(-\w), )?(--[\w-]+)(?: (.+))?$/.exec(spec.flags)!;
  return {
    long: long!,
    short: short ?? null,
    value,
    isRepeatable: spec.parse === collect,
    description: spec.description,
    values: spec.choices ?? valuesOf(long!, value, { verb, kinds }),
  };
}

function valuesOf(
  long: string,
  value: string,
  { verb, kinds }: { readonly verb: Verb; readonly kinds: readonly string[] },
): Values {
  if (long === '--kind') return kinds;
  if (long === '--format') return verb.name === 'coverage' ? COVERAGE_FORMATS : [...FORMAT_NAMES, AUTO];
  if (long === '--against') return 'schema';
  if (/^<(?:file|path)>$/.test(value)) return 'files';
  return value === '<folder>' ? 'folders' : 'text';
}

export function flagsOf({ groups }: VerbRow): readonly FlagRow[] {
  return groups.flatMap(({ flags }) => flags);
}
