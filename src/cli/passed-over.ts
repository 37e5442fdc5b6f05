/**
 * The note on what folders hold that may be payloads and is not read. Loaded only if there is something.
 */
import type { Io } from '../input/io.ts';
import { plural } from '../report/numbers.ts';

/** `passedOver`: how many there are of each. */
export function notePassedOver(passedOver: ReadonlyMap<string, number>, io: Io): void {
  const sorted = [...passedOver].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = sorted.map(([what, count]) => plural(count, what));
  io.stderr.write(`paylint: note: not read in folders: ${all.join(', ')}\n`);
}
