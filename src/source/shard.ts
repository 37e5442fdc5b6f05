/**
 * A share of the sources, so that several machines can divide a run. The shares are complete, disjoint and about
 * equally large, and depend only on the names and sizes of the files.
 */
import { statSync } from 'node:fs';
import type { Source } from '../types.ts';

/** The share `index` of `count`; `index` is 1-based. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The fixed cost of a file, in bytes: about as many as are read in the time that opening a file takes. */
const FILE_COST = 1 << 14;

/** The sources of a share, in their order. `sizeOf`: in bytes; 0 if it is not known. */
export function sourcesOfShard(
  sources: readonly Source[],
  { index, count }: Shard,
  sizeOf: (source: Source) => number = fileSize,
): Source[] {
  const costs = sources.map((source, i) => ({ i, name: source.name, cost: FILE_COST + sizeOf(source) }));
  // The largest first, each to the share that has least so far.
  costs.sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.i - b.i));
  const loads = new LeastFirst(count);
  const mine = new Set<number>();
  for (const { i, cost } of costs) if (loads.give(cost) === index - 1) mine.add(i);
  return sources.filter((_, i) => mine.has(i));
}

/** A heap of shares by their load; of shares with the same load, the first comes first. */
class LeastFirst {
  readonly #heap: { readonly share: number; load: number }[];

  constructor(count: number) {
    this.#heap = Array.from({ length: count }, (_, share) => ({ share, load: 0 }));
  }

  /** Adds `cost` to the share with the least load, and returns the number of that share. */
  give(cost: number): number {
    const heap = this.#heap;
    const [top] = heap;
    const { share } = top!; // there is at least one
    top!.load += cost;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = left + 1 < heap.length && this.#isLess(left + 1, left) ? left + 1 : left;
      if (child >= heap.length || !this.#isLess(child, at)) return share;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  }

  #isLess(a: number, b: number): boolean {
    const one = this.#heap[a]!;
    const other = this.#heap[b]!;
    return one.load < other.load || (one.load === other.load && one.share < other.share);
  }
}

/** 0 for standard input and for missing files: opening the file reports why. */
function fileSize({ path }: Source): number {
  try {
    return path === null ? 0 : statSync(path).size;
  } catch {
    return 0;
  }
}
