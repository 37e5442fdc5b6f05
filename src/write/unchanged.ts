/**
 * Whether files are still the ones that were read: their identities before the first of them is read, and after the
 * last byte of each. The inode's change time belongs to it, because programs can set the modification time back.
 */
import fs, { type BigIntStats } from 'node:fs';
import type { Source } from '../types.ts';

/** The file system calls it needs, so that tests can replace them. */
export type StatDisk = Pick<typeof fs, 'statSync'>;

const STAT_NAMES = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

type Identity = Pick<BigIntStats, (typeof STAT_NAMES)[number]>;

export class Unchanged {
  /** Null for a file without `stat`. */
  readonly #before = new Map<Source, Identity | null>();
  readonly #disk: StatDisk;

  /** `sources`: files, none of which was read yet. */
  constructor(sources: readonly Source[], disk: StatDisk = fs) {
    this.#disk = disk;
    for (const source of sources) this.#before.set(source, statsOf(source.path!, disk)); // files have paths
  }

  /** True if the file at the path of `source` is the same as at first, and unchanged. */
  has(source: Source): boolean {
    const before = this.#before.get(source) ?? null;
    const now = statsOf(source.path!, this.#disk); // files have paths
    return before !== null && now !== null && STAT_NAMES.every((name) => before[name] === now[name]);
  }

  /** In bytes; Infinity if that is not known. */
  sizeOf(source: Source): number {
    const before = this.#before.get(source) ?? null;
    return before === null ? Number.POSITIVE_INFINITY : Number(before.size);
  }
}

/** Null if there is no such file, or it cannot be accessed. */
function statsOf(path: string, disk: StatDisk): Identity | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = disk.statSync(path, { bigint: true });
    return { dev, ino, size, mtimeNs, ctimeNs };
  } catch {
    return null;
  }
}
