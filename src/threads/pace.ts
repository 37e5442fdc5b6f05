/**
 * How many threads to start, by the work that is left and its pace. Starting a thread costs about 60 ms of a core and 9
 * MB.
 */

/** When other threads are started, and how many. In milliseconds. */
export interface Pace {
  /** Time before threads are considered: by then the pace is known. */
  readonly patience: number;
  /** Work that must be left, at that pace: several times the cost of a start. */
  readonly worth: number;
  /** Time that one more thread must save; 0: no limit. */
  readonly gain: number;
}

/** For parts of large files. */
const PACE: Pace = { patience: 10, worth: 160, gain: 20 };
/** For small files: most of their time is spent in the system, and two threads are hardly faster there than one. */
const PACE_OF_FILES: Pace = { patience: 40, worth: 1000, gain: 20 };

/** From this number of ranges on, threads are started before the pace is known. */
const SURELY = 256;
/** Milliseconds for a range of valid payloads, at best. */
const RANGE_AT_BEST = 1;

/** Batches taken in `elapsed` milliseconds, and those left. */
export interface Work {
  readonly ofFiles: boolean;
  readonly elapsed: number;
  readonly taken: number;
  readonly left: number;
}

/**
 * How many threads should share the rest, including the main thread. 1 until another thread saves more time than its
 * start costs.
 */
export function threadsWorth({ ofFiles, elapsed, taken, left }: Work, pace: Pace | null = null): number {
  const { patience, worth, gain } = pace ?? (ofFiles ? PACE_OF_FILES : PACE);
  const isSure = !ofFiles && left >= SURELY;
  const remaining = Math.max((elapsed / taken) * left, isSure ? left * RANGE_AT_BEST : 0);
  if (remaining <= worth || !(isSure || elapsed > patience)) return 1;
  // From n threads to n + 1, the rest takes 1 / n - 1 / (n + 1) of its time less, which is about 1 / n².
  return gain === 0 ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(Math.sqrt(remaining / gain)));
}
