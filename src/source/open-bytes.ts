/**
 * Opens a source and gives its bytes in order, decompressed if they are gzip. gzip is detected by content alone.
 *
 * Everything is opened without blocking, so that an interrupt is always handled. Only the bytes of one read are
 * buffered. A fault is thrown as a `SourceError` after every byte before it has been read. An interrupt is thrown as
 * `Interrupted` at once.
 */
import { fstatSync, openSync, ReadStream, readSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Interrupted, SourceError } from '../errors.ts';
import { nodeModule } from '../json/on-demand.ts';
import type { Source } from '../json/vocabulary.ts';
import { sizeText } from '../words/number-text.ts';
import {
  type ByteReader,
  closeRead,
  freeBytes,
  isGzip,
  NEVER_BLOCKING,
  type RawBytes,
  statsOfDescriptor,
} from './read-file.ts';
import { StreamBytes } from './stream-reader.ts';
import { changedError, codeOf, sourceError } from './system-errors.ts';

/** Opens a source and waits for its first byte. `stdin` may be null for a file. Throws SourceError and Interrupted. */
export async function openBytes(
  source: Source,
  stdin: (Readable & { readonly fd?: number }) | null,
  interrupt: AbortSignal,
): Promise<ByteReader> {
  return unpacked(source.path === null ? openStdin(stdin!, interrupt) : openPath(source.path, interrupt), interrupt);
}

/** Bytes requested at once from the stream of a file: its own 64 KiB per turn of the loop are a third slower. */
const FILE_CHUNK_BYTES = 1 << 20;

/** The same for any stream, which is read as it is. */
export async function openStream(stream: Readable, interrupt: AbortSignal): Promise<ByteReader> {
  const size = stream instanceof ReadStream ? FILE_CHUNK_BYTES : undefined;
  return unpacked(new StreamBytes(stream, interrupt, size), interrupt);
}

async function unpacked(raw: RawBytes, interrupt: AbortSignal): Promise<ByteReader> {
  try {
    if (!(await beginsAsGzip(raw))) return raw;
    const { GunzipBytes } = await import('./gunzip.ts');
    return new GunzipBytes(raw, interrupt);
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/** Reads the first bytes: two, or one if that is enough, or as many as the source gives at once. */
async function beginsAsGzip(raw: RawBytes): Promise<boolean> {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  let count = 0;
  while (count < 2) {
    const more = await raw.read(head, count);
    count += more;
    if (more === 0 || head[0] !== 0x1f) break;
  }
  raw.unread(head.subarray(0, count));
  return count >= 2 && isGzip(head);
}

/** Enough for most small files, which need only one read then. */
const HEAD_BYTES = 4096;

/** Opens a path. Throws a `SourceError`. Opening does not wait for a writer or a modem; reading waits for a writer. */
export function openPath(path: string, interrupt: AbortSignal): RawBytes {
  let fd: number;
  try {
    fd = openSync(path, NEVER_BLOCKING);
  } catch (error) {
    throw sourceError(error);
  }
  try {
    return readerOf(fd, fstatSync(fd), path, interrupt);
  } catch (error) {
    closeRead(fd);
    throw sourceError(error);
  }
}

/** Opens standard input. If that is an unread regular file, it is read from its descriptor, ten times as fast. */
export function openStdin(stdin: Readable & { readonly fd?: number }, interrupt: AbortSignal): RawBytes {
  const untouched = !stdin.readableDidRead && stdin.readableLength === 0 && !stdin.destroyed;
  // If the number is not an open file, the stream reports what is wrong.
  const stats = untouched ? statsOfDescriptor(stdin.fd) : null;
  if (stats?.isDirectory()) throw new SourceError('is a folder, not a file');
  if (stats?.isFile()) {
    return new FileBytes(stdin.fd!, { size: stats.size, hasPositions: false, owns: false, isThere: null }, interrupt);
  }
  return new StreamBytes(stdin, interrupt);
}

function readerOf(fd: number, stats: Stats, path: string, interrupt: AbortSignal): RawBytes {
  if (stats.isFile()) {
    const { size } = stats;
    // Threads open a large file repeatedly, and fail if the path leads to another file by then. One thread behaves in
    // the same way.
    const isThere = size > LARGE_BYTES ? () => isAt(path, stats) : null;
    return new FileBytes(fd, { size, hasPositions: true, owns: true, isThere }, interrupt);
  }
  if (stats.isFIFO()) {
    // A socket is used because it, too, waits for the first writer, and because an interrupt can end that wait. A poll of
    // the descriptor gives nothing until a writer has come, and the end after the last one has closed it.
    const net = nodeModule('node:net');
    return new StreamBytes(new net.Socket({ fd, readable: true, writable: false }), interrupt);
  }
  const tty = nodeModule('node:tty');
  if (tty.isatty(fd)) return new StreamBytes(new tty.ReadStream(fd), interrupt);
  return new FileBytes(fd, { size: null, hasPositions: false, owns: true, isThere: null }, interrupt);
}

/** Files up to this size, in bytes, are read by one thread. */
const LARGE_BYTES = 1 << 20;

function isAt(path: string, { dev, ino }: Stats): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  return now !== undefined && now.dev === dev && now.ino === ino;
}

const CHUNK_BYTES = 1 << 20;

/** Throws SourceError and Interrupted, see `openBytes`. Each chunk has memory of its own. */
export async function* reread(source: Source, interrupt: AbortSignal): AsyncGenerator<Buffer> {
  yield* chunksOf(await openBytes(source, null, interrupt), CHUNK_BYTES);
}

/** What the reader gives, in chunks of at most `bytes` with memory of their own. The reader is closed at the end. */
export async function* chunksOf(reader: ByteReader, bytes: number): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(bytes);
      const count = await reader.read(chunk, 0);
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } finally {
    await reader.close();
  }
}

/** All chunks as one. Throws SourceError if there are more bytes than `most`. */
export async function joined(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    all.push(chunk);
    size += chunk.length;
    if (size > most) throw new SourceError(`is larger than ${sizeText(most)}`);
  }
  return Buffer.concat(all);
}

/** True if the file's content is gzip data. Throws the errors of the file system. */
export function isCompressed(path: string): boolean {
  return isGzip(headOf(path));
}

/** More than the first header of a file that bgzip has made. */
const PACKED_HEAD_BYTES = 1024;

/** The first bytes of a file, at most `bytes` of them. Throws the errors of the file system. */
export function headOf(path: string, bytes = PACKED_HEAD_BYTES): Buffer {
  const head = Buffer.allocUnsafe(bytes);
  const fd = openSync(path, 'r');
  try {
    return head.subarray(0, readSync(fd, head, 0, head.length, 0));
  } finally {
    closeRead(fd);
  }
}

/** Linux reads at most 2 GiB less a page per call, and Node refuses to ask for more. */
const MAX_READ_BYTES = 1 << 30;

/** Milliseconds before a device without bytes is read again. */
const DEVICE_PAUSE_MS = 20;

interface FileFacts {
  /** In bytes; null if it has no size. */
  readonly size: number | null;
  /** Read by position; false: read from the descriptor's current position. */
  readonly hasPositions: boolean;
  /** Whether closing the reader closes the descriptor. */
  readonly owns: boolean;
  /** Whether the path still leads to this file; null: not checked. */
  readonly isThere: (() => boolean) | null;
}

/**
 * Reads a descriptor synchronously into the caller's buffer: from the page cache, that is ten times as fast as a
 * stream. For regular files, and for devices, which are read again later if they have no bytes yet.
 */
class FileBytes implements RawBytes {
  readonly #fd: number;
  readonly #facts: FileFacts;
  readonly #interrupt: AbortSignal;
  #position = 0;
  #putBack: Uint8Array = new Uint8Array(0);
  #closed = false;
  #atEnd = false;

  constructor(fd: number, facts: FileFacts, interrupt: AbortSignal) {
    this.#fd = fd;
    this.#facts = facts;
    this.#interrupt = interrupt;
  }

  get progress(): { readonly bytes: number; readonly size: number | null } {
    return { bytes: this.#position, size: this.#facts.size };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
    const free = freeBytes(into, at);
    const back = Math.min(this.#putBack.length, free);
    if (back > 0) {
      into.set(this.#putBack.subarray(0, back), at);
      this.#putBack = this.#putBack.subarray(back);
    }
    if (back === free) return back;
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#readNow(into, at + back, free - back);
      if (count !== null) return back + count;
      if (back > 0) return back;
      await pause(this.#interrupt);
    }
  }

  unread(bytes: Uint8Array): void {
    this.#putBack = Buffer.concat([bytes, this.#putBack]);
  }

  async close(): Promise<void> {
    if (this.#closed || !this.#facts.owns) return;
    this.#closed = true;
    closeRead(this.#fd);
  }

  /** Returns 0. Throws SourceError if the file was replaced or became shorter, by its size now: some are not exact. */
  #end(): number {
    const { size, isThere } = this.#facts;
    if (isThere?.() === false) throw changedError();
    if (size !== null && this.#position < size && fstatSync(this.#fd).size < size) throw changedError();
    return 0;
  }

  /** Null: no bytes yet. After the end it always returns 0, although a terminal could give more. */
  #readNow(into: Uint8Array, at: number, free: number): number | null {
    try {
      if (this.#atEnd) return this.#end();
      const position = this.#facts.hasPositions ? this.#position : null;
      const wanted = Math.min(free, MAX_READ_BYTES);
      const count = readSync(this.#fd, into, at, wanted, position);
      // A regular file returns fewer bytes than requested only at its end, so a small file takes one read.
      this.#atEnd = count === 0 || (this.#facts.hasPositions && count < wanted);
      this.#position += count;
      return count === 0 ? this.#end() : count;
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return null;
      throw sourceError(error);
    }
  }
}

/** Waits a moment, or until the interrupt. */
async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(DEVICE_PAUSE_MS, undefined, { signal }).catch(() => {});
}
