/** How many threads to start, by the work left, its pace and the limits of the process. One costs 60 ms and 9 MB. */
import { readdirSync, readFileSync } from 'node:fs';
import { unlessFailed } from '../../errors.ts';
import { THREAD_ADDRESSES } from '../../limits.ts';
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

/** How many threads share the rest, the main one included: 1 until another saves more time than its start costs. */
export function threadsWorth({ ofFiles, elapsed, taken, left }: Work, pace: Pace | null = null): number {
  const { patience, worth, gain } = pace ?? (ofFiles ? PACE_OF_FILES : PACE);
  const isSure = !ofFiles && left >= SURELY;
  const remaining = Math.max((elapsed / taken) * left, isSure ? left * RANGE_AT_BEST : 0);
  if (remaining <= worth || !(isSure || elapsed > patience)) return 1;
  // From n threads to n + 1, the rest takes 1 / n - 1 / (n + 1) of its time less, which is about 1 / n².
  return gain === 0 ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(Math.sqrt(remaining / gain)));
}

/** Descriptors of one Node thread, measured: four permanently, and some more while it loads modules. */
const DESCRIPTORS_OF_A_THREAD = 12;
/** Descriptors kept for files. */
const DESCRIPTORS_KEPT = 16;

/**
 * How many more threads the process can have. Under `ulimit -n 64`, many threads would leave no descriptors for files.
 * Under `ulimit -v`, V8 ends the process if it cannot reserve the addresses for a thread. Infinity if the system does not
 * report its limits.
 */
export function threadsAllowed(): number {
  const textOf = (name: string): string => readFileSync(`/proc/self/${name}`, 'utf8');
  const open = (): number => readdirSync('/proc/self/fd').length;
  return unlessFailed(() => threadsWithin(textOf('limits'), open(), textOf('status'))) ?? Number.POSITIVE_INFINITY; // not Linux
}

/** `limits` and `status`: the text of these files in `/proc/self`; `open`: number of descriptors in use. */
export function threadsWithin(limits: string, open: number, status: string): number {
  const descriptors = softLimit(limits, 'Max open files') - open - DESCRIPTORS_KEPT;
  const used = 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  const addresses = softLimit(limits, 'Max address space') - used;
  const threads = Math.min(descriptors / DESCRIPTORS_OF_A_THREAD, addresses / THREAD_ADDRESSES);
  return Math.max(0, Math.floor(threads));
}

/** Infinity for `unlimited`. */
function softLimit(limits: string, name: string): number {
  const text = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limits)?.[1];
  return text === undefined ? Number.POSITIVE_INFINITY : Number(text);
}
