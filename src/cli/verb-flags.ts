/**
 * The flags that only `fill`, `filter`, `convert` or `render` have, as data; those of all verbs that read payloads are in
 * `flags.ts`, which every start loads.
 */
import {
  CHECK_FLAGS,
  type CheckFlags,
  collect,
  type FlagGroup,
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
      { flags: '--output <file>', description: 'into this file, whole or not at all' },
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
  readonly watch?: true;
  readonly write?: true;
  readonly check?: true;
  readonly diff?: true;
  readonly deep?: true;
  /** Pointers and names. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

export const FILL_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Filling:',
    flags: [
      { flags: '--write', description: 'write back into the files, each whole or not at all' },
      { flags: '--check', description: 'write nothing; exit 1 if anything would be filled in' },
      { ...WATCH_FLAG, description: `with --check: ${WATCH_FLAG.description}` },
      { flags: '--diff', description: 'a unified diff of what would be filled in' },
      { flags: '--deep', description: 'also make required objects whose defaults alone make them valid' },
      {
        flags: '--only <pointer>',
        description: 'fill in only this member and what is in it (repeatable; * is any name or index)',
        parse: collect,
      },
      {
        flags: '--except <pointer>',
        description: 'leave out this member and what is in it (repeatable)',
        parse: collect,
      },
    ],
  },
  ...CHECK_FLAGS,
];

export interface FilterFlags extends CheckFlags {
  readonly withDefaults?: true;
  readonly invert?: true;
  /** Files. */
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

/** Those of reports, which do not change what is checked. */
export type RenderFlags = Pick<
  ValidateFlags,
  | 'allowEmpty'
  | 'baseline'
  | 'color'
  | 'exitZero'
  | 'format'
  | 'maxInvalid'
  | 'maxViolations'
  | 'maxWarnings'
  | 'quiet'
  | 'redact'
  | 'stats'
  | 'updateBaseline'
>;

const NAMES = [
  '--allow-empty',
  '--exit-zero',
  '--max-invalid',
  '--color',
  '--no-color',
  '--format',
  '--max-violations',
  '--quiet',
  '--redact',
  '--stats',
  '--baseline',
  '--update-baseline',
  '--max-warnings',
];

export const RENDER_FLAGS: readonly FlagGroup[] = VALIDATE_FLAGS.flatMap(({ heading, flags }) => {
  const taken = flags.filter(({ flags: name }) => NAMES.includes(name.split(' ')[0]!));
  return taken.length === 0 ? [] : [{ heading, flags: taken }];
});
