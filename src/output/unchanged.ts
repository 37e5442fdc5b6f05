/**
 * Whether files are still the ones that were read: what identifies each is kept before the first of them is read, and compared after the
 * last byte of it was. The time of the last change of the inode is part of it: programs can set the time of modification back.
 */
import fs, { type BigIntStats } from 'node:fs';
import type { Source } from '../types.ts';

/** What is asked of the file system, so that tests can answer in its place. */
export type StatDisk = Pick<typeof fs, 'statSync'>;

type Identity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export class Unchanged {
  /** Null for a file that could not be looked at. */
  readonly #before = new Map<Source, Identity | null>();
  /** The sources that have more than one name on disk, by file. */
  readonly #linked = new Map<string, Source[]>();
  readonly #disk: StatDisk;

  /** `sources`: files, none of them read yet. */
  constructor(sources: readonly Source[], disk: StatDisk = fs) {
    this.#disk = disk;
    for (const source of sources) {
      const stats = statsOf(source.path!, disk); // files have paths
      this.#before.set(source, stats === null ? null : identityOf(stats));
      if (stats !== null && stats.nlink > 1n) this.#addLinked(stats, source);
    }
  }

  /** True if the file at the path of `source` is the one that was there at first, and nothing of it has changed since. */
  has(source: Source): boolean {
    const before = this.#before.get(source) ?? null;
    const now = statsOf(source.path!, this.#disk); // files have paths
    return before !== null && now !== null && isSame(before, now) && before.ctimeNs === now.ctimeNs;
  }

  /** A new file has been put in the place of `source`. Its old one has a name less, which changes it under its other names. */
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

/** Null if there is no such file, or none that may be looked at. */
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
