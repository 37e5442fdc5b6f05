/**
 * Exit codes: 0 all valid, 1 violations, 2 the job could not be done; 2 beats 1.
 */
import type { Io } from '../input/io.ts';
import type { Counts } from '../run/counts.ts';
import { plural } from '../words/number-text.ts';
import type { CheckFlags, GateFlags } from './flags.ts';
import type { Found } from './settings.ts';

/** The counts of a run that verbs use. */
export type RunCounts = Pick<Counts, 'payloads' | 'invalid' | 'failures' | 'warnings' | 'filled'>;

/** The counts that decide the exit code. */
export type GateCounts = Pick<Counts, 'payloads' | 'invalid' | 'failures'> &
  Partial<Pick<Counts, 'warnings'>>;

/**
 * Whether a run without payloads is allowed. A shard may be empty, except the first one: that has a source if there are
 * any.
 */
export function mayBeEmpty({ allowEmpty, shard }: Pick<CheckFlags, 'allowEmpty' | 'shard'>): boolean {
  return allowEmpty === true || (shard?.index ?? 1) > 1;
}

/** The exit code for the counts. If nothing was checked, writes the reason to standard error. */
export function exitCode(
  counts: GateCounts,
  flags: Pick<CheckFlags, 'allowEmpty' | 'exitZero' | 'shard'> & GateFlags,
  { leftOutBy }: Pick<Found, 'leftOutBy'>,
  io: Io,
): 0 | 1 | 2 {
  if (counts.failures > 0) return 2;
  if (counts.payloads === 0 && !mayBeEmpty(flags)) {
    const why =
      leftOutBy.length === 0
        ? 'there was no payload in the input'
        : `all files are left out by ${leftOutBy.join(', ')}`;
    io.stderr.write(`paylint: nothing to check: ${why} (--allow-empty accepts that)\n`);
    return 2;
  }
  const { maxWarnings = Number.POSITIVE_INFINITY, exitZero } = flags;
  const { warnings = 0 } = counts;
  const isOver = warnings > maxWarnings;
  if (isOver)
    io.stderr.write(`paylint: ${plural(warnings, 'warning')}, more than --max-warnings ${maxWarnings}\n`);
  return (counts.invalid > 0 || isOver) && !exitZero ? 1 : 0;
}
