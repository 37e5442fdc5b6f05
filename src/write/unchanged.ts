/**
 * Whether files are still the ones that were read. Their identity is recorded before the first of them is read, and
 * compared after the last byte of each. It includes the inode's change time, because programs can set the modification
 * time back.
 */
import fs, { type BigIntStats } from 'node:fs';
import type { Source } from '../types.ts';

/** The file system calls it needs, so that tests can replace them. */
export type StatDisk = Pick<typeof fs, 'statSync'>;

type Identity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export class Unchanged {
  /** Null for a file without `stat`. */
  readonly #before = new Map<Source, Identity | null>();
  /** Sources that are names of the same file, by file. */
  readonly #linked = new Map<string, Source[]>();
  readonly #disk: StatDisk;

  /** `sources`: files, none of which was read yet. */
  constructor(sources: readonly Source[], disk: StatDisk = fs) {
    this.#disk = disk;
    for (const source of sources) {
      const stats = statsOf(source.path!, disk); // files have paths
      this.#before.set(source, stats === null ? null : identityOf(stats));
      if (stats !== null && stats.nlink > 1n) this.#addLinked(stats, source);
    }
  }

  /** True if the file at the path of `source` is the same as at first, and unchanged. */
  has(source: Source): boolean {
    const before = this.#before.get(source) ?? null;
    const now = statsOf(source.path!, this.#disk); // files have paths
    return before !== null && now !== null && isSame(before, now) && before.ctimeNs === now.ctimeNs;
  }

  /** In bytes, as it was at first; Infinity if that is not known. */
  sizeOf(source: Source): number {
    const before = this.#before.get(source) ?? null;
    return before === null ? Number.POSITIVE_INFINITY : Number(before.size);
  }

  /**
   * The file of `source` was replaced by a new one. The old file has one name less, which changes its inode for its
   * other names.
   */
  replaced(source: Source): void {
    const before = this.#before.get(source) ?? null;
    const linked = before === null ? undefined : this.#linked.get(keyOf(before));
    for (const other of linked ?? []) {
      const now = statsOf(other.path!, this.#disk); // files have paths
      if (other !== source && now !== null && isSame(before!, now)) this.#before.set(other, identityOf(now));
    }
  }

  #addLinked(stats: BigIntStats, source: Source): void {
    const linked = this.#linked.get(keyOf(stats));
    if (linked === undefined) this.#linked.set(keyOf(stats), [source]);
    else linked.push(source);
  }
}

/** Null if there is no such file, or it cannot be accessed. */
function statsOf(path: string, disk: StatDisk): BigIntStats | null {
  try {
    return disk.statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Identity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

function isSame(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

function keyOf({ dev, ino }: Identity): string {
  return `${dev}:${ino}`;
}
