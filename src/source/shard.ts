/** Shards of the sources, complete, disjoint and about equally large, by the names and sizes of the files alone. */
import type { Source } from '../json/vocabulary.ts';
import { statsOf } from './read-file.ts';

/** The shard `index` of `count`; `index` is 1-based. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The fixed cost of a file, in bytes: about as many as are read in the time that opening a file takes. */
const FILE_COST = 1 << 14;

/** The sources of a shard, in their order. `sizeOf`: in bytes; 0 if it is not known. */
export function sourcesOfShard(
  sources: readonly Source[],
  { index, count }: Shard,
  sizeOf: (source: Source) => number = ({ path }) => (path === null ? 0 : (statsOf(path)?.size ?? 0)),
): Source[] {
  const costs = sources.map((source, i) => ({ i, name: source.name, cost: FILE_COST + sizeOf(source) }));
  // The largest first, each to the shard that has least so far.
  costs.sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.i - b.i));
  const loads = new Float64Array(Math.min(count, costs.length));
  const mine = new Set<number>();
  for (const { i, cost } of costs) {
    let least = 0;
    for (let shard = 1; shard < loads.length; shard++) if (loads[shard]! < loads[least]!) least = shard;
    loads[least]! += cost;
    if (least === index - 1) mine.add(i);
  }
  return sources.filter((_, i) => mine.has(i));
}
