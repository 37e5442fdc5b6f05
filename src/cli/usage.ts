/**
 * One sentence about a mistake in a command line, with the probable intention. Commander finds the mistake. Its
 * messages are replaced, so that all errors of paylint have one style.
 */
import type { CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { type FlagGroup, type FlagSpec, type InvalidValue, longName } from './flags.ts';
import type { Verb } from './verb.ts';
import { VERBS } from './verbs.ts';

/** Verbs of other programs, and the corresponding verb of paylint. */
const OTHER_VERBS: Readonly<Record<string, string>> = {
  check: 'validate',
  lint: 'validate',
  test: 'validate',
  verify: 'validate',
  fix: 'fill',
  default: 'fill',
  defaults: 'fill',
  merge: 'render',
  report: 'render',
  schema: 'kinds',
  schemas: 'kinds',
  rules: 'explain',
  rule: 'explain',
  version: '--version',
};

/** Short flags of other programs, and their long forms there. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  '-c': '--config',
  '-f': '--format',
  '-j': '--threads',
  '-k': '--kind',
  '-o': '--output',
  '-q': '--quiet',
  '-r': '--recursive',
  '-R': '--recursive',
  '-s': '--schema',
  '-v': '--verbose',
  '-w': '--write',
};

/** Long flags of other programs, and the corresponding way in paylint. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  '--all': 'every violation is found, and --max-violations 0 shows all',
  '--dry-run': 'paylint fill --check writes nothing',
  '--exclude': 'did you mean --ignore?',
  '--fix': 'paylint fill --fix adds missing defaults',
  '--jobs': 'did you mean --threads?',
  '--json': 'did you mean --format json?',
  '--output': '--format NAME=FILE writes a report into a file',
  '--recursive': 'folders are always read with the folders in them',
  '--silent': 'did you mean --quiet?',
  '--stdin': 'without a PATH, standard input is read',
  '--verbose': '--stats shows more, and --version (-V) the version',
};

/** The error for a command line that commander refuses. */
export function usageError({ code, message }: CommanderError, args: readonly string[]): UsageError {
  const [, quoted = ''] = /'(.*?)'/s.exec(message) ?? [];
  const verb = verbIn(args);
  switch (code) {
    case 'commander.unknownOption':
      return new UsageError(unknownFlag(quoted, verb, args));
    case 'commander.optionMissingArgument':
      return missingValue(quoted);
    case 'commander.unknownCommand':
      return new UsageError(unknownVerb(quoted));
    case 'commander.excessArguments':
      return new UsageError(tooMany(verb));
    default:
      return new UsageError(message.replace(/^error: /, '').replaceAll('\n', ' '));
  }
}

/** The error for a flag without its value. */
export function missingValue(flags: string): UsageError {
  return new UsageError(`a value is missing: ${flags}`);
}

/** The error for a value that a flag does not take. */
export function valueError(spec: FlagSpec, value: string, { message }: InvalidValue): UsageError {
  return new UsageError(`${longName(spec)}: ${message}, found ${quote(value)}`);
}

/** The sentence for a verb that does not exist. */
export function unknownVerb(name: string): string {
  const verbs = VERBS.map((verb) => verb.name);
  const meant =
    nearMiss(name, [...verbs, 'help']) ?? (Object.hasOwn(OTHER_VERBS, name) ? OTHER_VERBS[name] : undefined);
  if (meant === undefined && isFileName(name))
    return `${quote(name)} is not a verb; did you mean paylint validate ${name}?`;
  const hint = meant === undefined ? `there are ${verbs.join(', ')}` : `did you mean "${meant}"?`;
  return `there is no verb ${quote(name)}; ${hint}`;
}

/** True if the text looks like a file name, and means the same in every shell. */
function isFileName(name: string): boolean {
  return /^[\w@%+=:,-]*[./][\w@%+=:,./-]*$/.test(name);
}

function verbIn(args: readonly string[]): Verb | undefined {
  const first = args.find((arg) => !arg.startsWith('-') && VERBS.some(({ name }) => name === arg));
  return VERBS.find(({ name }) => name === first);
}

function unknownFlag(typed: string, verb: Verb | undefined, args: readonly string[]): string {
  const name = typed.replace(/=.*/s, '');
  const isBefore = verb === undefined || args.indexOf(typed) < args.indexOf(verb.name);
  const program = `paylint ${verb?.name ?? 'validate'}`;
  const others = VERBS.filter(({ takes, flags }) => takes === 'paths' && namesIn(flags).includes(name));
  if (isBefore && others.length > 0) return `${visible(name)} goes after the verb, as in ${program} ${name}`;
  const own = verb === undefined ? ['--help', '--version'] : [...namesIn(verb.flags), '--help'];
  if (own.includes(name)) return `${name} takes no value`;
  if (VERBS.some((one) => name === `--${one.name}`))
    return `${name} is not a flag; did you mean paylint ${name.slice(2)}?`;
  return `there is no flag ${visible(name)}; ${meantFlag(name, own) ?? otherWay(name, others, program)}`;
}

/** The flag of this verb that was probably meant. */
function meantFlag(name: string, own: readonly string[]): string | null {
  const long = Object.hasOwn(SHORT_FLAGS, name) ? SHORT_FLAGS[name]! : null;
  if (long !== null) return own.includes(long) ? `did you mean ${long}?` : null;
  const near = nearMiss(
    name.slice(2),
    own.map((flag) => flag.slice(2)),
  );
  return near === null || !name.startsWith('--') ? null : `did you mean --${near}?`;
}

/** How to get the effect of a flag of another program, or of another verb. */
function otherWay(name: string, others: readonly Verb[], program: string): string {
  const long = Object.hasOwn(SHORT_FLAGS, name) ? SHORT_FLAGS[name]! : name;
  if (Object.hasOwn(OTHER_FLAGS, long)) return OTHER_FLAGS[long]!;
  const [other] = others;
  if (other === undefined && isFileName(name)) return `did you mean the file ./${name}?`;
  return other === undefined ? `${program} --help lists the flags` : `paylint ${other.name} has it`;
}

/** The long names of flags. */
export function namesIn(groups: readonly FlagGroup[]): string[] {
  return groups.flatMap(({ flags }) => flags.map(longName));
}

function tooMany(verb: Verb | undefined): string {
  const program = `paylint ${verb?.name ?? ''}`;
  return verb?.takes === null ? `${program} takes no arguments` : `${program} takes one argument`;
}
