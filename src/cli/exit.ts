/**
 * Exit codes: 0 all valid, 1 violations, 2 the job could not be done; 2 beats 1.
 */

import type { Io } from '../input/io.ts';
import type { Counts } from '../run/counts.ts';
import type { CheckFlags } from './flags.ts';
import type { Found } from './settings.ts';

/** The exit code that the counts ask for; says on standard error why nothing was checked, if that is so. */
export function exitCode(
  counts: Pick<Counts, 'failures' | 'total' | 'invalid'>,
  flags: Pick<CheckFlags, 'allowEmpty' | 'exitZero' | 'shard'>,
  { leftOutBy }: Pick<Found, 'leftOutBy'>,
  io: Io,
): 0 | 1 | 2 {
  if (counts.failures > 0) return 2;
  // A share may have nothing; the first one has something if there is anything.
  const mayBeEmpty = flags.allowEmpty || (flags.shard?.index ?? 1) > 1;
  if (counts.total === 0 && !mayBeEmpty) {
    const why =
      leftOutBy.length === 0
        ? 'there was no payload in the input'
        : `all files are left out by ${leftOutBy.join(', ')}`;
    io.stderr.write(`paylint: nothing to check: ${why} (--allow-empty accepts that)\n`);
    return 2;
  }
  return counts.invalid > 0 && !flags.exitZero ? 1 : 0;
}
