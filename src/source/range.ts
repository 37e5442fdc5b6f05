/** The lines of a file that begin in a range of its bytes: ranges side by side contain every line once. */
import { fstatSync, openSync, readSync } from 'node:fs';
import { LINE_FEED } from '../json/skip.ts';
import { type ByteReader, closeRead, type FileState, statsOf } from './read-file.ts';
import { changedError, sourceError } from './system-errors.ts';

/** Buffer sizes for the search for a line end: a small one first, then larger ones. */
const LOOK = { first: Buffer.alloc(1 << 12), next: 1 << 16 };

/**
 * Opens the lines of the file at `path` whose first byte is in [from, to). The last line is read to its end, wherever
 * that is. Throws SourceError, also if the file is not `planned` or is shorter. `planned` null means any file.
 */
export function openRange(path: string, from: number, to: number, planned: FileState | null = null): Range {
  let fd: number | null = null;
  try {
    fd = openSync(path, 'r');
    const stats = fstatSync(fd);
    const { dev, ino, size } = stats;
    // It must be the file that was planned, and no shorter.
    const isPlanned = planned === null || (dev === planned.dev && ino === planned.ino && size >= planned.size);
    if (!isPlanned) throw changedError();
    const start = lineStart(fd, from, Math.min(to, size));
    // A line over several ranges is read by the range in which it begins.
    return start < to ? new Range(fd, start, Math.min(to, size), size) : new Range(fd, start, start);
  } catch (error) {
    if (fd !== null) closeRead(fd);
    throw sourceError(error);
  }
}

/** The first offset from `from` on at which a line begins; `limit` or more if there is none before. */
function lineStart(fd: number, from: number, limit: number): number {
  if (from === 0) return 0;
  let bytes = LOOK.first;
  // The byte before `from` may be a line feed, so that a line begins at `from`.
  for (let at = from - 1; at < limit; ) {
    const count = readSync(fd, bytes, 0, bytes.length, at);
    if (count === 0) throw changedError(); // `limit` is inside the file as it was opened
    const lineFeed = bytes.subarray(0, count).indexOf(LINE_FEED);
    if (lineFeed >= 0) return at + lineFeed + 1;
    at += count;
    if (bytes === LOOK.first) bytes = Buffer.allocUnsafe(LOOK.next);
  }
  return limit;
}

/** Reads a file from `start` on, and closes it. */
export class Range implements ByteReader {
  /** Offset in the file of the first byte that is read. */
  readonly start: number;
  readonly #fd: number;
  readonly #to: number;
  #end: number;
  #at: number;
  #open = true;

  /** Reads [start, to) and the rest of the last line in it, but nothing from `end` on. */
  constructor(fd: number, start: number, to: number, end = to) {
    this.#fd = fd;
    this.start = start;
    this.#at = start;
    this.#to = to;
    this.#end = end;
  }

  /** Up to the line's end, the size is an estimate: the bytes that are certainly read, and the next search for that end. */
  get progress(): { readonly bytes: number; readonly size: number } {
    const known = Math.min(this.#end, Math.max(this.#to, this.#at) + LOOK.next);
    return { bytes: this.#at - this.start, size: known - this.start };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    // The end of the last line is usually near.
    const end = this.#at < this.#to ? Math.min(this.#end, this.#to + LOOK.first.length) : this.#end;
    const free = Math.min(into.length - at, end - this.#at);
    if (free === 0) return 0;
    try {
      const count = readSync(this.#fd, into, at, free, this.#at);
      if (count === 0) throw changedError();
      this.#findEnd(into.subarray(at, at + count));
      const taken = Math.min(count, this.#end - this.#at);
      this.#at += taken;
      return taken;
    } catch (error) {
      throw sourceError(error);
    }
  }

  /** The line feed at `to - 1` or after it ends the range. `bytes`: those from the present place on. */
  #findEnd(bytes: Uint8Array): void {
    const from = Math.max(0, this.#to - 1 - this.#at);
    const lineFeed = from < bytes.length ? bytes.indexOf(LINE_FEED, from) : -1;
    if (lineFeed >= 0) this.#end = this.#at + lineFeed + 1;
  }

  async close(): Promise<void> {
    if (this.#open) closeRead(this.#fd);
    this.#open = false;
  }
}

/** A file, with the size and the time of its last change. */
export interface FileTime extends FileState {
  readonly mtimeMs: number;
}

/** Null if it is no regular file, or cannot be accessed: reading tells why. */
export function timeOf(path: string): FileTime | null {
  const stats = statsOf(path);
  if (!stats?.isFile()) return null;
  const { dev, ino, size, mtimeMs } = stats;
  return { dev, ino, size, mtimeMs };
}

/** Whether the file at `path` is no longer as it was `before`. */
export function isRewritten(path: string, before: FileTime): boolean {
  const now = timeOf(path);
  return now === null || FIELDS.some((field) => now[field] !== before[field]);
}

const FIELDS = ['dev', 'ino', 'size', 'mtimeMs'] as const;
