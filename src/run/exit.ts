/** The exit code of a run by its counts, and the settings behind it: one pure function for all that say it. */
import type { MaxInvalid } from '../types.ts';

/** What decides whether a run passes. */
export interface Gate {
  readonly exitZero?: boolean | undefined;
  /** A run may have no payloads. */
  readonly mayBeEmpty?: boolean;
  /** Absent: there may be as many as there are. */
  readonly maxWarnings?: number | undefined;
  /** Absent: none. */
  readonly maxInvalid?: MaxInvalid | undefined;
}

/** The counts of a run, without the violations of a baseline. */
export interface GateCounts {
  readonly payloads: number;
  readonly invalid: number;
  readonly failures: number;
  /** Sources that were not read to their end: nothing of them is tolerated. Absent: none. */
  readonly unread?: number;
  /** Absent: none. */
  readonly warnings?: number;
  /** `--check` found something to fill in or to remove. */
  readonly wouldChange?: boolean;
  /** A run was ended early, so not everything was checked. Not if `--bail` ended it. */
  readonly isCut?: boolean;
}

/** Why a run does not pass. */
type Cause = 'failures' | 'empty' | 'cut' | 'invalid' | 'warnings' | 'wouldChange';

export interface Exit {
  readonly code: 0 | 1 | 2;
  /** Empty for 0. */
  readonly causes: readonly Cause[];
  /** The settings without which the code would be a greater one. */
  readonly by: readonly ('exitZero' | 'mayBeEmpty' | 'maxInvalid')[];
}

/** 0: all is well; 1: there are violations; 2: the job could not be done, which precedes 1. */
export function exitOf(counts: GateCounts, gate: Gate): Exit {
  const { payloads, invalid, failures, unread = 0, warnings = 0, wouldChange, isCut } = counts;
  const { exitZero, mayBeEmpty, maxWarnings = Number.POSITIVE_INFINITY, maxInvalid = 0 } = gate;
  const ends = (code: 1 | 2, ...causes: Cause[]): Exit => ({ code, causes, by: [] });
  if (failures > 0) return ends(2, 'failures');
  if (payloads === 0 && !mayBeEmpty) return ends(2, 'empty');
  const isTolerated = invalid > 0 && unread === 0 && isAtMost(counts, maxInvalid);
  const causes: Cause[] = [];
  if (invalid > 0 && !isTolerated) causes.push('invalid');
  if (warnings > maxWarnings) causes.push('warnings');
  if (causes.length > 0 && !exitZero) return ends(1, ...causes);
  if (isCut) return ends(2, 'cut');
  // What would be changed is no violation.
  if (wouldChange) return ends(1, 'wouldChange');
  const by: Exit['by'][number][] = [];
  if (payloads === 0) by.push('mayBeEmpty');
  if (isTolerated) by.push('maxInvalid');
  if (causes.length > 0) by.push('exitZero');
  return { code: 0, causes: [], by };
}

/** Exact: a percentage such as 0.07 % has no double. */
function isAtMost({ invalid, payloads }: GateCounts, limit: MaxInvalid): boolean {
  if (typeof limit === 'number') return invalid <= limit;
  const [whole = '', decimals = ''] = limit.slice(0, -1).split('.');
  const scale = 10n ** BigInt(decimals.length);
  return BigInt(invalid) * 100n * scale <= BigInt(whole + decimals) * BigInt(payloads);
}
