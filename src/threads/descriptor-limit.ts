/**
 * How many more threads the process can have within its resource limits. Under `ulimit -n 64`, many threads would leave
 * no descriptors for files. Under `ulimit -v`, V8 ends the process if it cannot reserve the addresses for a thread.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors of one Node thread, measured: four permanently, and some more while it loads modules. */
const DESCRIPTORS_OF_A_THREAD = 12;
/** Descriptors kept for files. */
const DESCRIPTORS_KEPT = 16;

/** Address space of a thread, in bytes: 10 GiB for a WebAssembly memory, the rest for V8's heap and code. */
const ADDRESSES_OF_A_THREAD = 12 * 2 ** 30;

/** Infinity if the system does not report its limits. */
export function threadsAllowed(): number {
  try {
    return threadsWithin(
      readFileSync('/proc/self/limits', 'utf8'),
      readdirSync('/proc/self/fd').length,
      readFileSync('/proc/self/status', 'utf8'),
    );
  } catch {
    return Number.POSITIVE_INFINITY; // not Linux
  }
}

/** `limits` and `status`: the text of these files in `/proc/self`; `open`: number of descriptors in use. */
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
