/**
 * The flags that only `fill` has, as data; those of all verbs that read payloads are in `flags.ts`, which every start loads.
 */
import { CHECK_FLAGS, collect, type FlagGroup, WATCH_FLAG } from './flags.ts';

const BACKUP_SUFFIX = '~';

/** The flags of `FillFlags`. */
export const FILL_FLAGS: readonly FlagGroup[] = [
  {
    heading: 'Filling:',
    flags: [
      { flags: '--write', description: 'write back into the files, each whole or not at all' },
      {
        flags: '--backup [=suffix]',
        description: `with --write: keep the old file as FILE${BACKUP_SUFFIX}`,
        bare: BACKUP_SUFFIX,
      },
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
