/**
 * The flags that only `convert` has, as data; those of all verbs that read payloads are in `flags.ts`, which every
 * start loads.
 */
import { CHECK_FLAGS, type FlagGroup } from './flags.ts';

/** The flags of `ConvertFlags`. */
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
