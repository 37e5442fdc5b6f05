/**
 * Exit codes: 0 all valid, 1 violations, 2 the job could not be done; 2 beats 1.
 */

import type { Io } from '../input/io.ts';
import type { Counts } from '../run/counts.ts';
import type { CheckFlags } from './flags.ts';
import type { Found } from './settings.ts';

/** The exit code that the counts ask for; says on standard error why nothing was checked, if that is so. */
export function exitCode(counts: Counts, flags: CheckFlags, { leftOutBy }: Found, io: Io): 0 | 1 | 2 {
  if (counts.failures > 0) return 2;
  if (counts.total === 0 && !flags.allowEmpty) {
    const why =
      leftOutBy.length === 0
        ? 'there was no payload in the input'
        : `all files are left out by ${leftOutBy.join(', ')}`;
    io.stderr.write(`paylint: nothing to check: ${why} (--allow-empty accepts that)\n`);
    return 2;
  }
  return counts.invalid > 0 ? 1 : 0;
}
