/**
 * Pieces of work for one thread: each source whole, one after another. This is all that a run of one small file needs;
 * `plan.ts` divides the work among threads, and is loaded for that.
 */
import { statSync } from 'node:fs';
import type { PlannedFile } from '../input/range.ts';
import { SMALL_FILE_BYTES } from '../input/small-file.ts';
import type { Source } from '../types.ts';

/** A source, or the lines of it that begin in a range of its bytes. */
export interface Part {
  readonly source: Source;
  /** Null: all of the source. */
  readonly range: { readonly from: number; readonly to: number; readonly file: PlannedFile } | null;
  /** True for the part with which its source is done. */
  readonly last: boolean;
  /** True for a regular file that can probably be read in one go. */
  readonly small: boolean;
}

/** Parts that one thread does in one go. */
export interface Batch {
  readonly parts: readonly Part[];
  /** True where it may be large and cannot be divided: its results go out as they come, when it is its turn. */
  readonly serial: boolean;
}

/** A larger file is not part of a batch of several. In bytes. */
export const SHARED_BYTES = 1 << 20;

/** Bytes of a regular file; null for anything else. A file that is not there counts as small: opening it says why. */
export function sizeOf({ path }: Source): number | null {
  if (path === null) return null;
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : null;
  } catch {
    return 0;
  }
}

/** Files of one JSON text, of which most are small: opening one shows whether it is not. For thousands of files this saves a system call each. */
export function isSmallByLook({ name, regular, framing }: Source): boolean {
  return regular && framing === 'json' && !GZIP_NAME.test(name);
}

const GZIP_NAME = /\.gz$/i;

/** All of the sources, one after another: for a run with one thread. */
export function planSerial(sources: readonly Source[]): Batch[] {
  return sources.map((source) => ({
    parts: [whole(source, isSmallByLook(source) ? 0 : sizeOf(source))],
    serial: true,
  }));
}

/** All of a source; `size` in bytes, null if it is not known. */
export function whole(source: Source, size: number | null): Part {
  return { source, range: null, last: true, small: size !== null && size < SMALL_FILE_BYTES };
}
