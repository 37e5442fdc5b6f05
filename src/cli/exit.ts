/**
 * Exit codes: 0 all valid, 1 violations, 2 the job could not be done; 2 beats 1.
 */

import type { Io } from '../input/io.ts';
import type { Counts } from '../run/counts.ts';
import type { CheckFlags } from './flags.ts';

/** The exit code that the counts ask for; says on standard error why nothing was checked, where that is so. */
export function exitCode(counts: Counts, flags: CheckFlags, io: Io): 0 | 1 | 2 {
  if (counts.failures > 0) return 2;
  if (counts.total === 0 && !flags.allowEmpty) {
    io.stderr.write(
      'paylint: nothing to check: there was no payload in the input (--allow-empty accepts that)\n',
    );
    return 2;
  }
  return counts.invalid > 0 ? 1 : 0;
}
