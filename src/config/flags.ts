/**
 * The table of flags: those of most verbs, as data, for command lines, the config, the library and help. Values are checked one
 * by one here; `cli/options.ts` checks what they mean together.
 */
import { UsageError } from '../errors.ts';
import { LARGEST_PAYLOAD_BYTES, PAYLOAD_BYTES, PAYLOAD_LEVELS, PRETTY_VIOLATIONS, THREADS } from '../limits.ts';
import { AUTO, FORMAT_NAMES } from '../report/report-formats.ts';
import { DRAFT_ALIASES, DRAFT_NAMES, type DraftName } from '../schema/names.ts';
import type { Shard } from '../source/shard.ts';
import { FRAMING_ALIASES, FRAMINGS, type Framing, type MaxInvalid } from '../types.ts';
import { nearMiss } from '../words/near.ts';
import { sizeFrom, sizeText } from '../words/number-text.ts';
import { type Config, placeInConfig } from './config.ts';

export interface CheckFlags {
  readonly ignore?: readonly string[];
  readonly listFiles?: true;
  readonly null?: true;
  /** A file, or `-`. */
  readonly filesFrom?: string;
  readonly shard?: Shard;
  readonly input?: Framing;
  readonly whole?: true;
  readonly stdinFilename?: string;
  readonly maxPayloadBytes?: number;
  readonly maxDepth?: number;
  readonly kind?: string;
  readonly schema?: string;
  readonly draft?: DraftName;
  /** Each a path, or `URI=PATH`. */
  readonly ref?: readonly string[];
  /** False for `--no-assert-formats`. */
  readonly assertFormats?: boolean;
  readonly strictSchema?: true;
  /** False for `--no-config`. */
  readonly config?: string | false;
  readonly printConfig?: true;
  readonly format?: readonly string[];
  readonly quiet?: true;
  readonly stats?: true;
  readonly maxViolations?: number;
  readonly redact?: true;
  readonly color?: boolean;
  readonly bail?: true;
  readonly allowEmpty?: true;
  readonly exitZero?: true;
  readonly maxInvalid?: MaxInvalid;
  readonly threads?: number;
  readonly baseline?: string;
  readonly advice?: true;
  readonly fix?: true;
  readonly watch?: true;
  readonly withDefaults?: true;
}

export interface ValidateFlags extends CheckFlags {
  readonly updateBaseline?: true;
  readonly maxWarnings?: number;
}

export interface FlagSpec {
  /** As help shows it: `--max-depth <n>`, `--quiet`, `--no-config`. */
  readonly flags: string;
  readonly description: string;
  /** `previous`: the result for an earlier occurrence of the flag. Throws InvalidValue. Absent: the text is the value. */
  readonly parse?: (value: string, previous: unknown) => unknown;
  readonly choices?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
  /** The value if the flag is absent, and how the help shows it. */
  readonly default?: { readonly value: unknown; readonly text?: string };
  /** The calls of the library that have it as an option; absent: none. */
  readonly calls?: readonly LibraryCall[];
  /** Its name there; absent: that in the config. */
  readonly option?: string;
}

export type LibraryCall = 'openPaylint' | 'payloads' | 'validateFiles';
const OPEN = ['openPaylint'] as const;

export interface FlagGroup {
  readonly heading: string;
  readonly flags: readonly FlagSpec[];
}

/** A value that a flag does not accept. The message says what it accepts: `expected …`. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/** What `read` returns. `at`: the beginning of the message about a value that is not accepted. Throws UsageError. */
export function accepted<T>(read: () => T, at: string, found: () => string): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    throw new UsageError(`${at}: ${cause.message}, found ${found()}`, { cause });
  }
}

export const SCHEMA_FLAGS: FlagGroup = {
  heading: 'Schemas:',
  flags: [
    {
      flags: '-s, --schema <file>',
      calls: OPEN,
      description: 'your own schema (draft-04, 06, 07, 2019-09, 2020-12), or another entry schema',
    },
    {
      flags: '--draft <draft>',
      calls: OPEN,
      description: 'draft of schemas without $schema (default: 2020-12)',
      choices: DRAFT_NAMES,
      aliases: DRAFT_ALIASES,
    },
    {
      flags: '--ref <path>',
      calls: OPEN,
      option: 'refs',
      description: 'file, folder or glob with schemas that others refer to by $id; or URI=PATH (repeatable)',
      parse: collect,
    },
    {
      flags: '--config <file>',
      calls: OPEN,
      description: 'this config file instead of the nearest paylint.config.json',
    },
    { flags: '--no-config', description: 'use no config file' },
  ],
};

export const CHECK_FLAGS: readonly FlagGroup[] = [
  {
    ...SCHEMA_FLAGS,
    flags: [
      ...SCHEMA_FLAGS.flags,
      { flags: '--print-config', description: 'print the settings in force and where each is from, and stop' },
      {
        flags: '--kind <name>',
        calls: ['openPaylint', 'payloads'],
        description: 'check every payload as this kind, without detecting it',
      },
      { flags: '--no-assert-formats', calls: OPEN, description: 'do not assert the keyword format' },
      { flags: '--strict-schema', calls: OPEN, description: 'warnings about the schemas are errors' },
    ],
  },
  {
    heading: 'Input:',
    flags: [
      {
        flags: '--ignore <glob>',
        calls: ['validateFiles'],
        description: 'exclude files and folders that match (repeatable)',
        parse: collect,
      },
      {
        flags: '--input <framing>',
        calls: ['payloads', 'validateFiles'],
        description: 'framing of the input; else by file name or content (ndjson and jsonl are lines)',
        choices: FRAMINGS,
        aliases: FRAMING_ALIASES,
      },
      {
        flags: '--whole',
        calls: ['payloads', 'validateFiles'],
        description: 'a top-level array is itself the payload',
      },
      { flags: '--stdin-filename <name>', description: 'name of standard input in reports and for the config' },
      {
        flags: '--max-payload-bytes <size>',
        calls: OPEN,
        description: `largest payload, in bytes or as 512K, 64M (default: ${sizeText(PAYLOAD_BYTES)})`,
        parse: payloadSize,
      },
      {
        flags: '--max-depth <n>',
        calls: OPEN,
        description: `deepest nesting of objects and arrays (default: ${PAYLOAD_LEVELS})`,
        parse: wholeNumber(1),
      },
      {
        flags: '--files-from <file>',
        description: 'read PATHs from this file (- is standard input), one per line or NUL-separated',
      },
      {
        flags: '--shard <k/n>',
        description: 'only the k-th of n shards of the sources, balanced by size',
        parse: parseShard,
      },
      { flags: '--list-files', description: 'print what would be read, and stop' },
      { flags: '-0, --null', description: 'with --list-files: a NUL after each name' },
      {
        flags: '--threads <n>',
        calls: ['validateFiles'],
        description: `at most this many threads (default: one per core, at most ${THREADS})`,
        parse: wholeNumber(1),
      },
      { flags: '--exit-zero', description: 'exit 0 even if there are violations' },
      {
        flags: '--max-invalid <n|p%>',
        description: 'exit 0 while no more payloads are invalid: N, or P % of all payloads',
        parse: maxInvalid,
      },
      { flags: '--allow-empty', description: 'exit 0 if there is nothing to check' },
    ],
  },
  {
    heading: 'Report:',
    flags: [
      {
        flags: '-f, --format <name[=file]>',
        description: `${FORMAT_NAMES.join(', ')}, ${AUTO} (repeatable, one to stdout; default: pretty)`,
        parse: collect,
      },
      {
        flags: '--max-violations <n>',
        description: `show at most N violations, 0 for all (default: ${PRETTY_VIOLATIONS} in pretty, else all)`,
        parse: wholeNumber(0),
      },
      { flags: '-q, --quiet', description: 'nothing but violations' },
      { flags: '--stats', description: 'add counts by kind, rule and pointer' },
      { flags: '--redact', calls: OPEN, description: 'no payload text in any report' },
      { flags: '--bail', description: 'stop at the first invalid payload' },
      { flags: '--color', description: 'colour, even if standard output is not a terminal' },
      { flags: '--no-color', description: 'no colour' },
    ],
  },
];

export const WATCH_FLAG: FlagSpec = {
  flags: '--watch',
  description: 'again whenever a file changes, until q or the end of standard input',
};

export const VALIDATE_FLAGS: readonly FlagGroup[] = [
  ...CHECK_FLAGS,
  {
    heading: 'Report:',
    flags: [{ flags: '--with-defaults', description: 'check payloads as they would be after fill' }, WATCH_FLAG],
  },
  {
    heading: 'Gate:',
    flags: [
      {
        flags: '--advice',
        calls: OPEN,
        description: 'also warn of deprecated members and of what is valid but probably wrong',
      },
      {
        flags: '--baseline <file>',
        calls: OPEN,
        description: 'violations in this file are known and do not fail the run',
      },
      { flags: '--update-baseline', description: 'write the violations found now into that file' },
      {
        flags: '--max-warnings <n>',
        description: 'exit 1 if there are more warnings than this',
        parse: wholeNumber(0),
      },
    ],
  },
];

export function collect(value: string, previous: unknown): readonly string[] {
  return [...((previous as readonly string[] | undefined) ?? []), value]; // the result of an earlier call
}

function parseShard(value: string): Shard {
  const [, index = '0', count = '0'] = /^(\d{1,7})\/(\d{1,7})$/.exec(value) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new InvalidValue('expected K/N with K from 1 to N, such as 1/4');
}

/** `65536`, `64K`, `64M` or `1G`, in bytes. */
function payloadSize(value: string): number {
  const size = sizeFrom(value);
  if (size > LARGEST_PAYLOAD_BYTES) {
    const most = LARGEST_PAYLOAD_BYTES >> 20;
    throw new InvalidValue(`expected at most ${most}M (${most} MiB)`);
  }
  if (size >= 1) return size;
  throw new InvalidValue('expected a size of at least 1 byte, such as 65536, 512K or 64M');
}

/** `20` or `0.5%`. */
function maxInvalid(value: string): MaxInvalid {
  const [, digits, decimals = '', isShare] = /^(\d{1,15})(\.\d{1,15})?(%?)$/.exec(value) ?? [];
  const number = Number(digits);
  if (digits !== undefined && !isShare && decimals === '') return number;
  if (isShare && Number(digits + decimals) <= 100) return `${digits}${decimals}%` as `${number}%`; // digits, as tested
  throw new InvalidValue('expected a number of payloads or a percentage, such as 20 or 0.5%');
}

function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidValue(`expected a whole number, at least ${least}`);
  };
}

/** `--max-depth` of `--max-depth <n>`, `--null` of `-0, --null`. */
export function longName({ flags }: FlagSpec): string {
  const from = flags.indexOf('--');
  const space = flags.indexOf(' ', from);
  return space < 0 ? flags.slice(from) : flags.slice(from, space);
}

/** `maxDepth` of `--max-depth`, `config` of `--no-config`. Compiling a regular expression would take longer than this. */
export function keyOf(name: string): string {
  const [first = '', ...others] = name.slice(name.startsWith('--no-') ? 5 : 2).split('-');
  return others.reduce((key, word) => key + word.charAt(0).toUpperCase() + word.slice(1), first);
}

/** The key of the config for a flag: `maxDepth` of `--max-depth <n>`, `assertFormats` of `--no-assert-formats`. */
export function flagKey(spec: FlagSpec): string {
  return keyOf(longName(spec));
}

/** The names of the options of a call of the library that are flags. */
export function flagOptions(call: LibraryCall): string[] {
  const specs = VALIDATE_FLAGS.flatMap(({ flags }) => flags).filter(({ calls }) => calls?.includes(call));
  return specs.map((spec) => spec.option ?? flagKey(spec));
}

/** The choice of a flag that `value` names. Throws InvalidValue, which names the near miss. */
export function chosen(value: string, { choices = [], aliases = {} }: Pick<FlagSpec, 'choices' | 'aliases'>): string {
  if (choices.includes(value)) return value;
  if (Object.hasOwn(aliases, value)) return aliases[value]!;
  const near = nearMiss(value, choices);
  const guess = near === null ? '' : ` (did you mean ${near}?)`;
  throw new InvalidValue(`expected ${choices.join(', ').replace(/, ([^,]*)$/, ' or $1')}${guess}`);
}

export function takesValue({ flags }: FlagSpec): boolean {
  return flags.includes('<');
}

/** Of the config, those that `groups` have and that were not typed, read as if they were. Throws UsageError. */
export function configFlags(
  typed: object,
  config: Config,
  groups: readonly FlagGroup[],
): Readonly<Record<string, unknown>> {
  const specs = groups.flatMap(({ flags }) => flags);
  const flags: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config.flags)) {
    // Of --color and --no-color, the first one takes what the config says.
    const spec = specs.find((one) => flagKey(one) === key);
    if (spec === undefined || (typed as Record<string, unknown>)[key] !== undefined) continue;
    const read = readFlag(spec, value, config, key);
    if (read !== undefined) flags[key] = read;
  }
  return flags;
}

/** The value that the flag would have on the command line; undefined if it would not be given there. */
function readFlag(spec: FlagSpec, value: unknown, config: Config, key: string): unknown {
  const { parse, flags, aliases } = spec;
  if (!takesValue(spec)) return value === false && !/^--(no-|color)/.test(flags) ? undefined : value;
  if (parse === undefined) return aliases?.[String(value)] ?? String(value);
  return accepted(
    () => parse(String(value), undefined),
    placeInConfig(config, `/${key}`),
    () => JSON.stringify(value),
  );
}
