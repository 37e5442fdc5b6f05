/**
 * How many more threads the process has file descriptors for: under `ulimit -n 64` many cores would otherwise leave none to
 * read the files with.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors of one of Node's threads, measured: four for good, and some more for the modules that it loads at first. */
const OF_A_THREAD = 12;
/** Left for files. */
const KEPT = 16;

/** Infinity where the system does not say. */
export function roomForThreads(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
    const open = readdirSync('/proc/self/fd').length;
    return Math.max(0, Math.floor((most - open - KEPT) / OF_A_THREAD));
  } catch {
    return Number.POSITIVE_INFINITY; // no Linux
  }
}
