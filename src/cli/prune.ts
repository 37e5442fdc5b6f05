/** `paylint prune`: payloads without the members that their schemas do not allow; everything else is as for `fill`. */
import type { Io } from '../source/io.ts';
import { repair } from './fill.ts';
import type { PruneFlags } from './verb-flags.ts';

export function prune(paths: readonly string[], typed: PruneFlags, io: Io): Promise<number> {
  return repair('prune', paths, typed, io);
}
