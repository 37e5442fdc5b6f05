/** The flags that only some verbs have, as data; those of all are in `flags.ts`, which every start loads. */
import {
  CHECK_FLAGS,
  type CheckFlags,
  collect,
  type FlagGroup,
  type FlagSpec,
  flagKey,
  InvalidValue,
  longName,
  VALIDATE_FLAGS,
  type ValidateFlags,
  WATCH_FLAG,
} from './flags.ts';

export interface ConvertFlags extends CheckFlags {
  readonly to: 'ndjson' | 'json';
  readonly pretty?: true;
  readonly splitBy?: 'kind';
  readonly outDir?: string;
  readonly output?: string;
  readonly gzip?: true;
}

export const CONVERT_FLAGS: readonly FlagGroup[] = [
  ...CHECK_FLAGS.map((group) => ({
    ...group,
    flags: group.flags.map((flag) =>
      flag.flags === '--kind <name>' ? { ...flag, description: 'only payloads of this kind' } : flag,
    ),
  })),
  {
    heading: 'Converting:',
    flags: [
      {
        flags: '--to <framing>',
        description: 'one payload per line, or one array',
        choices: ['ndjson', 'json'],
        aliases: { jsonl: 'ndjson' },
        default: { value: 'ndjson' },
      },
      { flags: '--pretty', description: 'with --to json: laid out with two spaces' },
      { flags: '-o, --output <file>', description: 'into this file, whole or not at all' },
      { flags: '--gzip', description: 'compressed; so is a file whose name ends in .gz' },
      {
        flags: '--split-by <what>',
        description: 'a file for each kind, and unknown.ndjson for the others',
        choices: ['kind'],
      },
      { flags: '--out-dir <folder>', description: 'with --split-by: the folder of the files' },
    ],
  },
];

export interface FillFlags extends CheckFlags {
  readonly write?: true;
  readonly check?: true;
  readonly diff?: true;
  readonly deep?: true;
  readonly prune?: true;
  readonly removed?: string;
}

export type PruneFlags = Omit<FillFlags, 'deep' | 'prune'>;

/** `changed`: what is done to members, as a participle. */
const writing = (changed: string): readonly FlagSpec[] => [
  { flags: '--write', description: 'write back into the files, each whole or not at all' },
  { flags: '--fix', description: `as --write, and report only what cannot be ${changed}` },
  { flags: '--check', description: `write nothing; exit 1 if anything would be ${changed}` },
  { ...WATCH_FLAG, description: `with --check: ${WATCH_FLAG.description}` },
  { flags: '--diff', description: `a unified diff of what would be ${changed}` },
];

const REMOVED_FLAG: FlagSpec = {
  flags: '--removed <file>',
  description: 'append each removed member to this file, as a line of JSON',
};

export const FILL_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Filling:',
    flags: [
      ...writing('filled in'),
      { flags: '--deep', description: 'also make required objects whose defaults alone make them valid' },
      { flags: '--prune', description: 'first remove the members that the schema does not allow, as prune does' },
      { ...REMOVED_FLAG, description: `with --prune: ${REMOVED_FLAG.description}` },
    ],
  },
  ...CHECK_FLAGS,
];

export const PRUNE_FLAGS: readonly FlagGroup[] = [
  { heading: 'Pruning:', flags: [...writing('removed'), REMOVED_FLAG] },
  ...CHECK_FLAGS,
];

export interface FilterFlags extends CheckFlags {
  readonly invert?: true;
  readonly rejects?: string;
  readonly reasons?: string;
}

export const FILTER_FLAGS: readonly FlagGroup[] = [
  ...CHECK_FLAGS,
  {
    heading: 'Filtering:',
    flags: [
      { flags: '--invert', description: 'the invalid payloads, not the valid ones' },
      { flags: '--rejects <file>', description: 'the other payloads, untouched, into this file' },
      { flags: '--reasons <file>', description: 'what is wrong with them, as an NDJSON report' },
      { flags: '--with-defaults', description: 'check payloads as they would be after fill' },
    ],
  },
];

export interface CompareFlags extends ValidateFlags {
  /** A file, perhaps with a pointer, or `REV:PATH`. */
  readonly against?: string;
  readonly rejects?: string;
}

/** What is compared is the payloads as they are, by the schemas that the flags name. */
const NOT_OF_COMPARE = ['--advice', '--watch', '--with-defaults'];

export const COMPARE_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Comparing:',
    flags: [
      {
        flags: '--against <old>',
        description: 'the schema to compare with: a file, REV:PATH as git names it, or ajv; --schema is the new one',
      },
      { flags: '--rejects <file>', description: 'the payloads that break, untouched, into this file' },
    ],
  },
  ...without(VALIDATE_FLAGS, NOT_OF_COMPARE),
];

const MIN_FLAG: FlagSpec = {
  flags: '--min <p%>',
  description: 'exit 1 if fewer than P % of the places of the schemas are reached',
  parse: percent,
};

export interface TestFlags extends CheckFlags {
  readonly grep?: RegExp;
  readonly schemasOnly?: true;
  readonly coverage?: true;
  readonly coverageFormat?: readonly string[];
  readonly min?: Percent;
}

/** A test says what its payload is, and which schema is for it. */
const NOT_OF_TEST = ['--input', '--kind', '--stdin-filename', '--whole'];

export const TEST_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Testing:',
    flags: [
      {
        flags: '--grep <regexp>',
        description: 'only tests whose description matches, or whose file if it has none',
        parse: regularExpression,
      },
      {
        flags: '--schemas-only',
        description: 'each path is a schema: that it can be used, and its defaults and examples fit it',
      },
      { flags: '--coverage', description: 'also show which parts of the schemas the tests exercise' },
      {
        flags: '--coverage-format <name[=file]>',
        description: 'with --coverage: pretty, json, lcov, html (repeatable)',
        parse: collect,
      },
      { ...MIN_FLAG, description: `with --coverage: ${MIN_FLAG.description}` },
    ],
  },
  ...without(CHECK_FLAGS, NOT_OF_TEST),
];

export interface CoverageFlags extends CheckFlags {
  readonly min?: Percent;
}

/** Violations are only counted, and payloads are not changed. */
const NOT_OF_COVERAGE = ['--format', '--max-violations', '--stats', '--bail', '--exit-zero', '--max-invalid'];

export const COVERAGE_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Coverage:',
    flags: [
      {
        flags: '-f, --format <name[=file]>',
        description: 'pretty, json, lcov, html (repeatable, one to stdout; default: pretty)',
        parse: collect,
      },
      MIN_FLAG,
    ],
  },
  ...without(CHECK_FLAGS, NOT_OF_COVERAGE),
];

/** A percentage that has no double, such as 0.07 %: `digits` divided by `scale`, in percent. */
export interface Percent {
  readonly text: string;
  readonly digits: bigint;
  readonly scale: bigint;
}

function percent(value: string): Percent {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,15}))?%?$/.exec(value) ?? [];
  const digits = BigInt(whole + decimals);
  const scale = 10n ** BigInt(decimals.length);
  if (whole !== '' && digits <= 100n * scale) return { text: value.replace(/%?$/, '%'), digits, scale };
  throw new InvalidValue('expected a percentage, such as 90%');
}

function regularExpression(value: string): RegExp {
  try {
    return new RegExp(value, 'u');
  } catch {
    throw new InvalidValue('expected a regular expression');
  }
}

function without(groups: readonly FlagGroup[], names: readonly string[]): readonly FlagGroup[] {
  return taken(groups, (flag) => !names.includes(longName(flag)));
}

function taken(groups: readonly FlagGroup[], isWanted: (flag: FlagSpec) => boolean): readonly FlagGroup[] {
  return groups
    .map(({ heading, flags }) => ({ heading, flags: flags.filter(isWanted) }))
    .filter(({ flags }) => flags.length > 0);
}

/** Those of reports, which do not change what is checked. */
const OF_RENDER = [
  ...(['allowEmpty', 'baseline', 'color', 'exitZero', 'format', 'maxInvalid', 'maxViolations'] as const),
  ...(['maxWarnings', 'quiet', 'redact', 'stats', 'updateBaseline'] as const),
];

export type RenderFlags = Pick<ValidateFlags, (typeof OF_RENDER)[number]> & Pick<CoverageFlags, 'min'>;

export const RENDER_FLAGS: readonly FlagGroup[] = [
  ...taken(VALIDATE_FLAGS, (flag) => OF_RENDER.some((key) => key === flagKey(flag))),
  { heading: 'Coverage:', flags: [MIN_FLAG] },
];
