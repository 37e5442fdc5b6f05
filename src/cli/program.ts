/**
 * The command line as commander reads it, and one sentence about a mistake, with the probable intention. Common command
 * lines are read without it (`quickParse`), since loading it takes as long as checking a small file.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { accepted, chosen, type FlagGroup, type FlagSpec, longName, takesValue } from '../config/flags.ts';
import { UsageError } from '../errors.ts';
import { version } from '../package.ts';
import type { Io } from '../source/io.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { argumentOf, type Verb } from './command-line.ts';
import { print } from './outputs.ts';
import { widthOf } from './terminal.ts';
import { VERBS } from './verbs.ts';

export interface CommandOutcome {
  exitCode: number;
  /** Help or version, which the user asked for. It is not written to standard output yet. */
  text: string;
}

/** Throws the errors of verbs. */
export async function runProgram(io: Io): Promise<number> {
  const outcome: CommandOutcome = { exitCode: 0, text: '' };
  try {
    const program = createProgram(io, outcome);
    refuseOthers(io);
    await program.parseAsync(io.args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws to end the run after help or the version.
    if (error.exitCode !== 0 && error.code !== 'commander.help') throw usageError(error, io.args);
    if (error.exitCode !== 0) return 2;
  }
  if (outcome.text !== '') await print(outcome.text, io);
  return outcome.exitCode;
}

/** Throws UsageError for a path in place of a verb, and for help about a verb that does not exist. */
function refuseOthers(io: Io): void {
  const { args } = io;
  const [first, second] = args;
  const isVerb = (name: string): boolean => name === 'help' || VERBS.some((verb) => verb.name === name);
  if (first === 'help' && second !== undefined && !isVerb(second)) throw new UsageError(unknownVerb(second));
  if (first === undefined || first.startsWith('-') || isVerb(first) || !existsSync(resolve(io.cwd, first))) return;
  // Arguments that a shell would split or expand are not suggested as a command line.
  const isPlain = args.every((arg) => /^[\w@%+=:,./-]+$/.test(arg));
  const meant = isPlain ? args.join(' ') : 'FILE';
  throw new UsageError(`"${visible(first)}" is not a verb; did you mean paylint validate ${meant}?`);
}

export function createProgram(io: Io, outcome: CommandOutcome): Command {
  const program = new Command('paylint')
    .description(
      'Validates JSON and NDJSON against JSON Schema, and fills in defaults; schemas of three kinds are built in.',
    )
    .usage('[options] <verb>')
    .commandsGroup('Verbs:')
    .helpCommand('help [verb]', 'show the help of a verb')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        outcome.text += text;
      },
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {}, // runProgram writes the message
      getOutHelpWidth: () => widthOf(io.stdout, io.env),
      getErrHelpWidth: () => widthOf(io.stderr, io.env),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  if (io.args.includes('--version') || io.args.includes('-V')) program.version(version(), '-V, --version');
  else program.option('-V, --version', 'show the version');

  for (const verb of VERBS) addVerb(program, verb, io, outcome);
  return program;
}

function addVerb(program: Command, verb: Verb, io: Io, outcome: CommandOutcome): void {
  const command = addFlags(program.command(verb.name), verb.flags).description(verb.description);
  if (verb.name === 'validate') command.addHelpText('after', VALIDATE_EXAMPLES);
  const argument = argumentOf(verb);
  if (argument !== null) command.argument(argument.name, argument.description);
  command.action(async (...given: unknown[]) => {
    const [subject, flags] = argument === null ? [undefined, given[0]] : given;
    // They have the types of the verb's row and of its table of flags.
    outcome.exitCode = await (await verb.load())(subject as never, flags as never, io);
  });
}

export function addFlags(command: Command, groups: readonly FlagGroup[]): Command {
  const names = namesIn(groups);
  for (const { heading, flags } of groups) {
    command.optionsGroup(heading);
    for (const flag of flags) {
      const option = new Option(flag.flags, flag.description);
      if (flag.choices !== undefined) option.choices(flag.choices); // for help
      option.argParser((value, previous) => readValue(flag, value, previous, names));
      if (flag.default !== undefined) option.default(flag.default.value, flag.default.text);
      command.addOption(option);
      // For commander, `true` is the default of a `--no-` flag, and only means that the flag was not typed.
      const isAlone = option.negate && command.getOptionValueSource(option.attributeName()) === 'default';
      if (isAlone) command.setOptionValue(option.attributeName(), undefined);
    }
  }
  return command;
}

/** The value of a flag. `names`: of all flags: such a value means that the real one is missing. Throws UsageError. */
function readValue(flag: FlagSpec, value: string, previous: unknown, names: readonly string[]): unknown {
  const isMissing = value === '' && takesValue(flag);
  if (isMissing || names.includes(value)) throw new UsageError(`a value is missing: ${flag.flags}`);
  const read = (): unknown => (flag.parse === undefined ? value : flag.parse(value, previous));
  return accepted(flag.choices === undefined ? read : () => chosen(value, flag), longName(flag), () => quote(value));
}

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

function usageError({ code, message }: CommanderError, args: readonly string[]): UsageError {
  const [, quoted = ''] = /'(.*?)'/s.exec(message) ?? [];
  const verb = args.map((arg) => VERBS.find(({ name }) => name === arg)).find((one) => one !== undefined);
  switch (code) {
    case 'commander.unknownOption':
      return new UsageError(unknownFlag(quoted, verb, args));
    case 'commander.optionMissingArgument':
      return new UsageError(`a value is missing: ${quoted}`);
    case 'commander.unknownCommand':
      return new UsageError(unknownVerb(quoted));
    case 'commander.excessArguments':
      return new UsageError(
        `paylint ${verb?.name ?? ''} takes ${verb?.takes === null ? 'no arguments' : 'one argument'}`,
      );
    default:
      return new UsageError(message.replace(/^error: /, '').replaceAll('\n', ' '));
  }
}

function unknownVerb(name: string): string {
  const verbs = VERBS.map((verb) => verb.name);
  const near = nearMiss(name, [...verbs, 'help']);
  if (near === null && isFileName(name)) return `${quote(name)} is not a verb; did you mean paylint validate ${name}?`;
  const hint = near === null ? `there are ${verbs.join(', ')}` : `did you mean "${near}"?`;
  return `there is no verb ${quote(name)}; ${hint}`;
}

/** True if the text looks like a file name, and means the same in every shell. */
function isFileName(name: string): boolean {
  return /^[\w@%+=:,-]*[./][\w@%+=:,./-]*$/.test(name);
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
  return `there is no flag ${visible(name)}; ${otherWay(name, own, others, program)}`;
}

/** The flag of this verb that was probably meant, or how to get the effect of one of another program or verb. */
function otherWay(name: string, own: readonly string[], others: readonly Verb[], program: string): string {
  const known = own.map((flag) => flag.slice(2));
  const near = name.startsWith('--') ? nearMiss(name.slice(2), known) : null;
  if (near !== null) return `did you mean --${near}?`;
  if (Object.hasOwn(OTHER_FLAGS, name)) return OTHER_FLAGS[name]!;
  const [other] = others;
  if (other === undefined && isFileName(name)) return `did you mean the file ./${name}?`;
  return other === undefined ? `${program} --help lists the flags` : `paylint ${other.name} has it`;
}

function namesIn(groups: readonly FlagGroup[]): string[] {
  return groups.flatMap(({ flags }) => flags.map(longName));
}

const VALIDATE_EXAMPLES = `
Framings:
  json: a source is one JSON text, a payload or an array of payloads
  lines: one payload per line (NDJSON); the next line is read after a malformed one
  stream: JSON texts one after another, however they are laid out (what jq prints)

Examples:
  paylint validate payloads/
  paylint validate orders.json --schema order.schema.json
  jq -c '.items[]' dump.json | paylint validate --format ndjson`;

const EXAMPLES = `
Examples:
  paylint validate payloads/                  every *.json, *.ndjson, *.jsonl below, .gz as well
  paylint validate --schema order.schema.json 'orders/**/*.json' '!**/old/**'
  jq -c '.items[]' dump.json | paylint validate --format ndjson | jq 'select(.rule).pointer'
  paylint explain contract/coverage/maxAge

Exit codes: 0 all valid; 1 violations; 2 the job could not be done.`;
