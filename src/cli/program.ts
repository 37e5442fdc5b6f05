/**
 * The command line: verbs, their flags and their help, as commander reads them.
 */
import { Command } from 'commander';
import { version } from '../package.ts';
import type { Io } from '../types.ts';
import { visible } from '../words/escape.ts';
import { addCheckFlags, addSchemaFlags, type FillFlags, type ValidateFlags } from './flags.ts';
import type { KindsFlags } from './kinds.ts';
import { validate } from './validate.ts';

/** What a command line came to. */
export interface Outcome {
  exitCode: number;
  /** Help or version, which the user asked for: still to be written to standard output. */
  text: string;
}

/** Makes the program; what it resolves to becomes `outcome`. */
export function createProgram(io: Io, outcome: Outcome): Command {
  const program = new Command('paylint')
    .description('Validate JSON-LD-style payloads: content items, service contracts and emoji payloads.')
    .usage('[options] <verb>')
    .commandsGroup('Verbs:')
    .helpCommand('help [verb]', 'show the help of a verb')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => {
        outcome.text += text;
      },
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(complaint(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  if (io.args.includes('--version') || io.args.includes('-V')) program.version(version(), '-V, --version');
  else program.option('-V, --version', 'show the version');

  addCheckFlags(program.command('validate'))
    .description('Report every violation of every payload.')
    .option('--with-defaults', 'judge payloads as they would be once filled')
    .argument('[path...]', 'files, folders, globs (! leaves out) or - for standard input')
    .action(async (paths: string[], flags: ValidateFlags, command: Command) => {
      const code = await validate(paths, flags, io);
      if (code === null) command.outputHelp({ error: true });
      outcome.exitCode = code ?? 2;
    });

  addCheckFlags(program.command('fill'))
    .description(
      'Fill in the members that are missing and have a default. Payloads go to standard output, nothing else is touched.',
    )
    .argument('[path...]', 'files, folders, globs (! leaves out) or - for standard input')
    .optionsGroup('Filling:')
    .option('--write', 'back into the files, each whole or not at all')
    .option('--check', 'write nothing; exit 1 if anything would be filled in')
    .option('--diff', 'a unified diff of what would be filled in')
    .option('--deep', 'also make required objects whose defaults alone make them valid')
    .action(async (paths: string[], flags: FillFlags, command: Command) => {
      const { fill } = await import('./fill.ts');
      const code = await fill(paths, flags, io);
      if (code === null) command.outputHelp({ error: true });
      outcome.exitCode = code ?? 2;
    });

  addSchemaFlags(program.command('kinds'))
    .description('List the kinds, how each is recognised, and where its schema is.')
    .option('--verbose', 'also say how each is checked, and what keeps it from being checked fast')
    .action(async (flags: KindsFlags) => {
      const { kinds } = await import('./kinds.ts');
      outcome.exitCode = await kinds(flags, io);
    });

  addSchemaFlags(program.command('explain'))
    .description('Say what a rule means, or what the schemas say about a member.')
    .argument('<rule|pointer>', 'a rule (minLength) or a member (contract/coverage/maxAge)')
    .action(async (subject: string, flags: KindsFlags) => {
      const { explain } = await import('./explain.ts');
      outcome.exitCode = await explain(subject, flags, io);
    });

  return program;
}

/** Commander's `error: …`, harmless and in the form of all our complaints. */
function complaint(text: string): string {
  const lines = text.replace(/^error: /, '').split('\n');
  return `paylint: ${lines.map(visible).join('\n')}`;
}

const EXAMPLES = `
Examples:
  paylint validate payloads/                  every *.json, *.ndjson, *.jsonl below, .gz as well
  paylint validate 'data/**/*.json' '!**/old/**'
  jq -c '.items[]' dump.json | paylint validate --format ndjson | jq 'select(.rule).pointer'
  paylint explain contract/coverage/maxAge

Exit codes: 0 all valid; 1 violations; 2 the job could not be done.`;
