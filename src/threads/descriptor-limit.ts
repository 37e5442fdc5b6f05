/**
 * How many more threads the process has room for, by the limits that the system sets it. Under `ulimit -n 64` many cores would
 * leave no descriptors to read the files with; under `ulimit -v` V8 ends the process if it cannot reserve what a thread asks for.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors of one of Node's threads, measured: four for good, and some more for the modules that it loads at first. */
const DESCRIPTORS_OF_A_THREAD = 12;
/** Left for files. */
const DESCRIPTORS_KEPT = 16;

/** Address space of a thread, in bytes: 10 GiB are reserved for a WebAssembly memory, and some for V8's heap and code. */
const ADDRESSES_OF_A_THREAD = 12 * 2 ** 30;

/** Infinity where the system does not say. */
export function threadsAllowed(): number {
  try {
    return threadsWithin(
      readFileSync('/proc/self/limits', 'utf8'),
      readdirSync('/proc/self/fd').length,
      readFileSync('/proc/self/status', 'utf8'),
    );
  } catch {
    return Number.POSITIVE_INFINITY; // no Linux
  }
}

/** `limits` and `status`: the text of these files in `/proc/self`; `open`: how many descriptors are in use. */
export function threadsWithin(limits: string, open: number, status: string): number {
  const descriptors = softLimit(limits, 'Max open files') - open - DESCRIPTORS_KEPT;
  const used = 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  const addresses = softLimit(limits, 'Max address space') - used;
  const room = Math.min(descriptors / DESCRIPTORS_OF_A_THREAD, addresses / ADDRESSES_OF_A_THREAD);
  return Math.max(0, Math.floor(room));
}

/** Infinity for `unlimited`. */
function softLimit(limits: string, name: string): number {
  const text = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limits)?.[1];
  return text === undefined ? Number.POSITIVE_INFINITY : Number(text);
}
