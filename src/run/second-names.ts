/** Finds files that a run reads under a second name, which a link gives: their values were compared under the first. */
import { statSync } from 'node:fs';
import type { Source } from '../types.ts';

export class SecondNames {
  /** By device and inode. */
  readonly #first = new Map<string, Source>();
  readonly #known = new Map<string, Source | null>();
  readonly #found: (source: Source, first: Source) => void;

  /** `found` is told once of each file with a second name. */
  constructor(found: (source: Source, first: Source) => void) {
    this.#found = found;
  }

  /** Sources come in their order. */
  has(source: Source): boolean {
    const { path } = source;
    if (path === null) return false;
    let first = this.#known.get(path);
    if (first === undefined) {
      first = this.#firstOf(source, path);
      this.#known.set(path, first);
      if (first !== null) this.#found(source, first);
    }
    return first !== null;
  }

  /** The source with another name and the same file; null: there is none before. */
  #firstOf(source: Source, path: string): Source | null {
    const key = fileKey(path);
    if (key === null) return null;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, source);
    return first ?? null;
  }
}

/** Null: it is not known which file it is. Some file systems have no inodes, and say 0. */
function fileKey(path: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.ino !== 0n ? `${stats.dev}:${stats.ino}` : null;
  } catch {
    return null;
  }
}
