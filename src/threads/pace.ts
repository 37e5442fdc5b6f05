/**
 * How many threads the work is worth, by how much is left of it and how fast it goes. A thread costs what its start takes, some
 * 60 ms of a core and 9 MB, whatever it finds to do.
 */

/** When other threads are started, and how many. In milliseconds. */
export interface Pace {
  /** Work before they are thought of: by then its pace is known. */
  readonly patience: number;
  /** Work that must be left, at that pace: some times what starting one costs. */
  readonly worth: number;
  /** What one thread more must save; 0: as many as there may be. */
  readonly gain: number;
}

/** While there are parts of large files to do. */
const PACE: Pace = { patience: 10, worth: 160, gain: 20 };
/** While there are small files: most of their time is the system's, and two threads are hardly quicker at it than one. */
const PACE_OF_FILES: Pace = { patience: 40, worth: 1000, gain: 20 };

/** With so many ranges to do, there is no need to know the pace. */
const SURELY = 256;
/** Milliseconds of a range that holds nothing but valid payloads. */
const RANGE_AT_BEST = 1;

/** Batches that have been taken in some milliseconds, and those that are left. */
export interface Work {
  readonly ofFiles: boolean;
  readonly elapsed: number;
  readonly taken: number;
  readonly left: number;
}

/** How many threads should share what is left, the main thread included: 1 until more are worth their start. */
export function threadsWorth({ ofFiles, elapsed, taken, left }: Work, pace: Pace | null = null): number {
  const { patience, worth, gain } = pace ?? (ofFiles ? PACE_OF_FILES : PACE);
  const isSure = !ofFiles && left >= SURELY;
  const remaining = Math.max((elapsed / taken) * left, isSure ? left * RANGE_AT_BEST : 0);
  if (remaining <= worth || !(isSure || elapsed > patience)) return 1;
  // From n threads to n + 1, what is left takes 1 / n - 1 / (n + 1) of its time less, which is about 1 / n².
  return gain === 0 ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(Math.sqrt(remaining / gain)));
}
