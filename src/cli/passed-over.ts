/**
 * The note about entries in folders that may hold payloads but are not read. Loaded only if there are any.
 */
import type { Io } from '../input/io.ts';
import { plural } from '../report/numbers.ts';

/** `passedOver`: the number of entries of each kind. */
export function notePassedOver(passedOver: ReadonlyMap<string, number>, io: Io): void {
  const sorted = [...passedOver].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = sorted.map(([what, count]) => plural(count, what));
  io.stderr.write(`paylint: note: not read in folders: ${all.join(', ')}\n`);
}
