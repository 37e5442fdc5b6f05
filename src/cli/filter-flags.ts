/**
 * The flags that only `filter` has, as data; those of all verbs that read payloads are in `flags.ts`, which every start
 * loads.
 */
import { CHECK_FLAGS, type FlagGroup } from './flags.ts';

/** The flags of `FilterFlags`. */
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
