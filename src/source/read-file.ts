/**
 * The interface of every kind of source, and files that are read whole: small ones with few system calls, others up
 * to a limited size, because a device such as /dev/zero has no end.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { unlessFailed } from '../errors.ts';
import { READ_BYTES } from '../limits.ts';

const CHUNK_BYTES = 1 << 16;

/** Null for what is missing or cannot be examined: reading it tells why. `read`: `lstatSync` does not follow a link. */
export function statsOf(path: string, read: typeof statSync = statSync): Stats | null {
  return unlessFailed(() => read(path));
}

/** The same for an open file, by its descriptor; null also if there is none. */
export function statsOfDescriptor(fd: number | undefined): Stats | null {
  return fd === undefined ? null : unlessFailed(() => fstatSync(fd));
}

/** Identifies the regular file at `path`, or of a descriptor; null: there is none, or it cannot be examined. */
export function fileKey(path: string | null, fd?: number): string | null {
  const stats = unlessFailed(() => (path === null ? fstatSync(fd ?? -1, BIG) : statSync(path, BIG)));
  if (!stats?.isFile()) return null;
  // Some Windows drives number every file 0.
  return stats.ino === 0n ? path : `${stats.dev}:${stats.ino}`;
}

const BIG = { bigint: true } as const;

export function isPipe(path: string): boolean {
  return statsOf(path)?.isFIFO() === true;
}

export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** The content of a file or of a pipe, such as `<(jq …)`. Throws an Error for others and for more than `most` bytes. */
export function readFileOrPipe(path: string, most: number): Buffer {
  // Opening a device could block, so it is checked before.
  const stats = statSync(path);
  if (stats.isDirectory()) throw new Error('is a folder, not a file');
  if (!stats.isFile() && !stats.isFIFO()) throw new Error('is neither a file nor a pipe');
  return readLimited(path, most);
}

/** The content of a file of any kind. Throws an Error if it is larger than `most` bytes. */
export function readLimited(path: string, most = READ_BYTES): Buffer {
  const fd = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= most; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(fd, chunk);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    throw new Error(`is larger than ${most >> 20} MiB`);
  } finally {
    closeRead(fd);
  }
}

/** Closes a descriptor to which nothing was written. Never throws: the bytes that were read are right. */
export function closeRead(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // For example, a network drive was disconnected. The descriptor is free all the same.
  }
}

/** Flags to open a file for reading without waiting for a writer or a modem. Windows has only the first. */
export const NEVER_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A file of this many bytes or more is not small. The window has room for it without growing. */
export const SMALL_FILE_BYTES = 125 << 10;

/**
 * Reads the regular file at `path` into `into[0, limit)` and returns the number of bytes. Null if that fails, or the file
 * fills it or is compressed: then open it like any other. Never throws. It makes as few system calls as possible:
 * for thousands of files, they take most of the time.
 */
export function readSmallFile(path: string, into: Uint8Array, limit: number): number | null {
  const fd = unlessFailed(() => openSync(path, NEVER_BLOCKING));
  if (fd === null) return null;
  try {
    const count = readSync(fd, into, 0, limit, 0);
    return count === limit || (count >= 2 && isGzip(into)) ? null : count;
  } catch {
    return null;
  } finally {
    closeRead(fd);
  }
}

/** Which file it is, and its size in bytes. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
}

/** A source's bytes, decompressed, in order. One read at a time. */
export interface ByteReader {
  /**
   * Reads available bytes into `into`, from `at` up to `into.length`: at least one byte, unless the source has ended. Resolves to
   * the number of bytes, 0 at the end. Rejects with a `SourceError` if the source fails, with `Interrupted` as soon as the
   * interrupt signal aborts, and with a `RangeError` if `into` has no room. A source in memory needs no promise.
   */
  read(into: Uint8Array, at: number): Promise<number> | number;
  /** Bytes read so far from the file itself (compressed, if it is) and its size, if known. */
  readonly progress: { readonly bytes: number; readonly size: number | null };
  /** The source is compressed, so what is read are not its own bytes; absent: it is not. */
  readonly isCompressed?: true;
  /** Frees the descriptor, or destroys the stream, so that the process can end. It may be called twice. */
  close(): Promise<void>;
}

/** Bytes before decompression. */
export interface RawBytes extends ByteReader {
  /** Puts back bytes just read, to be read again. The reader keeps the memory. */
  unread(bytes: Uint8Array): void;
}

/** The room from `at` in bytes. Without room, a read would look like the end, so this throws: it is a bug of the caller. */
export function freeBytes(into: Uint8Array, at: number): number {
  const free = into.length - at;
  if (!(free > 0)) throw new RangeError(`no room to read into: ${into.length} bytes, filled to ${at}`);
  return free;
}

/** Whether these are the first bytes of gzip data. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Reads bytes that are in memory, without waiting. They must not change meanwhile. */
export class MemoryBytes implements ByteReader {
  readonly #bytes: Uint8Array;
  #taken = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get progress(): ByteReader['progress'] {
    return { bytes: this.#taken, size: this.#bytes.length };
  }

  read(into: Uint8Array, at: number): number {
    const count = Math.min(freeBytes(into, at), this.#bytes.length - this.#taken);
    into.set(this.#bytes.subarray(this.#taken, this.#taken + count), at);
    this.#taken += count;
    return count;
  }

  async close(): Promise<void> {}
}
