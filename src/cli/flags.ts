/**
 * What was typed: the flags as commander gives them, with their values checked one by one. What they mean together
 * is for `options.ts` to say.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMAT_NAMES } from '../report/index.ts';
import type { Framing } from '../types.ts';

/** The flags of the verbs that read payloads. */
export interface CheckFlags {
  readonly ignore?: readonly string[];
  readonly listFiles?: true;
  readonly input?: Framing;
  readonly whole?: true;
  readonly stdinFilename?: string;
  readonly maxPayloadBytes: number;
  readonly maxDepth: number;
  readonly kind?: string;
  readonly schema?: string;
  /** False for `--no-config`. */
  readonly config?: string | false;
  readonly format?: readonly string[];
  readonly quiet?: true;
  readonly stats?: true;
  readonly maxViolations?: number;
  readonly redact?: true;
  readonly color?: boolean;
  readonly bail?: true;
  readonly allowEmpty?: true;
  readonly threads?: number;
}

export interface ValidateFlags extends CheckFlags {
  readonly withDefaults?: true;
}

export interface FillFlags extends CheckFlags {
  readonly write?: true;
  readonly check?: true;
  readonly diff?: true;
  readonly deep?: true;
}

/** Adds the flags of `CheckFlags` to a verb. */
export function addCheckFlags(command: Command): Command {
  return addSchemaFlags(command)
    .option('--kind <name>', 'take every payload for this kind, without the test')
    .optionsGroup('Input:')
    .option('--ignore <glob>', 'leave out files and folders that match (repeatable)', collect)
    .addOption(
      new Option('--input <framing>', 'how payloads lie in the input').choices(['json', 'lines', 'stream']),
    )
    .option('--whole', 'a top-level array is itself the payload')
    .option('--stdin-filename <name>', 'what reports call standard input')
    .addOption(
      new Option('--max-payload-bytes <n>', 'largest payload, in bytes')
        .argParser(wholeNumber(1))
        .default(64 << 20, '64 MiB'),
    )
    .option('--max-depth <n>', 'deepest nesting of objects and arrays', wholeNumber(1), 1000)
    .option('--list-files', 'print what would be read, and stop')
    .option(
      '--threads <n>',
      'threads that may share the work (default: as many as there are cores)',
      wholeNumber(1),
    )
    .option('--allow-empty', 'nothing to check is no error')
    .optionsGroup('Report:')
    .option(
      '--format <name[=file]>',
      `${FORMAT_NAMES.join(', ')} (repeatable, one to stdout; default: pretty)`,
      collect,
    )
    .option(
      '--max-violations <n>',
      'show at most so many; 0: all (default: 50 in pretty, else all)',
      wholeNumber(0),
    )
    .option('--quiet', 'nothing but violations')
    .option('--stats', 'add counts by kind, rule and pointer')
    .option('--redact', 'no payload text in any report')
    .option('--bail', 'stop at the first invalid payload')
    .option('--color', 'colour, even where standard output is no terminal')
    .option('--no-color', 'no colour');
}

/** The flags that say which schemas count. */
export function addSchemaFlags(command: Command): Command {
  return command
    .optionsGroup('Schemas:')
    .option('--schema <file>', 'another door, or any JSON Schema (draft-07, 2019-09, 2020-12)')
    .option('--config <file>', 'this config file, not the nearest paylint.config.json')
    .option('--no-config', 'no config file');
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  };
}
