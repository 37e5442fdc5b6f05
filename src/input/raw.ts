/**
 * A path -> its bytes as they stand, by what is there: a regular file, a device, a FIFO or a terminal.
 *
 * Regular files are read at once into the caller's buffer: from the page cache that is ten times as fast as a
 * stream. Everything is opened without blocking, so that nothing here can hang where no interrupt is heard.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import type { ByteReader } from './bytes.ts';
import { codeOf, Interrupted, SourceError, sourceError } from './failure.ts';
import { StreamBytes } from './raw-stream.ts';

/** Bytes before decompression, which can be put back. */
export interface RawBytes extends ByteReader {
  /** Puts back bytes just read, to be read again. Takes possession of them. */
  unread(bytes: Uint8Array): void;
  /** Whether `rewind` works. */
  readonly canRewind: boolean;
  /** Goes back to the first byte; false where that is impossible. */
  rewind(): boolean;
}

/** The room from `at` in bytes. None would make a read look like the end, so that is a bug of the caller. */
export function roomIn(into: Uint8Array, at: number): number {
  const room = into.length - at;
  if (!(room > 0)) throw new RangeError(`no room to read into: ${into.length} bytes, filled to ${at}`);
  return room;
}

/** Opens a path; throws a `SourceError`. Blocks for no writer, no modem and no network. */
export function openPath(path: string, interrupt: AbortSignal): RawBytes {
  // Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    throw sourceError(error);
  }
  try {
    return readerOf(fd, fstatSync(fd), path, interrupt);
  } catch (error) {
    closeSync(fd);
    throw sourceError(error);
  }
}

/**
 * Opens the stream given as standard input. Where it is Node's own for a regular file and untouched, the
 * file is read instead, from where its descriptor stands: ten times as fast as the stream.
 */
export function openStdin(stdin: Readable & { readonly fd?: number }, interrupt: AbortSignal): RawBytes {
  const untouched = !stdin.readableDidRead && stdin.readableLength === 0 && !stdin.destroyed;
  const stats = untouched && typeof stdin.fd === 'number' ? statsOf(stdin.fd) : null;
  if (stats?.isFile()) {
    return new FileBytes(stdin.fd!, { size: stats.size, seeks: false, owns: false }, interrupt);
  }
  return new StreamBytes(stdin, interrupt);
}

/** Null where the number is not that of an open file: then the stream says what is wrong. */
function statsOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

function readerOf(fd: number, stats: Stats, path: string, interrupt: AbortSignal): RawBytes {
  if (stats.isDirectory()) throw new SourceError('is a folder, not a file');
  if (stats.isFile()) return new FileBytes(fd, { size: stats.size, seeks: true, owns: true }, interrupt);
  if (stats.isFIFO()) return openFifo(fd, path, interrupt);
  if (isatty(fd)) return new StreamBytes(new ReadStream(fd), interrupt);
  return new FileBytes(fd, { size: null, seeks: false, owns: true }, interrupt);
}

/**
 * The first read tells whether anybody writes: nothing to read yet is an error (EAGAIN), no writer is the end.
 * Waiting for a writer that never comes is what this avoids: a poll would not return. A pipe under /dev or
 * /proc had its writer when the shell made it, and on macOS keeps blocking, so there the socket is asked first.
 */
function openFifo(fd: number, path: string, interrupt: AbortSignal): RawBytes {
  const first = Buffer.allocUnsafe(64 << 10);
  let count = 0;
  if (!/^\/(?:dev|proc)\//.test(path)) {
    try {
      count = readSync(fd, first);
      if (count === 0) return new FileBytes(fd, { size: null, seeks: false, owns: true }, interrupt);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
    }
  }
  const socket = new Socket({ fd, readable: true, writable: false });
  return new StreamBytes(socket, interrupt, first.subarray(0, count));
}

/** Linux reads at most 2 GiB less a page at once, and Node refuses to ask for more. */
const MAX_READ_BYTES = 1 << 30;

/** How long to wait before asking a device again that had nothing yet, in milliseconds. */
const DEVICE_PAUSE_MS = 20;

interface FileFacts {
  /** In bytes; null where it has none. */
  readonly size: number | null;
  /** Whether it is read by position; else from where the descriptor stands. */
  readonly seeks: boolean;
  /** Whether closing the reader closes the descriptor. */
  readonly owns: boolean;
}

class FileBytes implements RawBytes {
  readonly #fd: number;
  readonly #facts: FileFacts;
  readonly #interrupt: AbortSignal;
  #position = 0;
  #furthest = 0;
  #putBack: Uint8Array = new Uint8Array(0);
  #closed = false;
  #atEnd = false;

  constructor(fd: number, facts: FileFacts, interrupt: AbortSignal) {
    this.#fd = fd;
    this.#facts = facts;
    this.#interrupt = interrupt;
  }

  get canRewind(): boolean {
    return this.#facts.seeks;
  }

  get progress(): { readonly bytes: number; readonly size: number | null } {
    return { bytes: this.#furthest, size: this.#facts.size };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    const room = roomIn(into, at);
    const back = this.#takeBack(into, at, room);
    if (back === room) return back;
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#readNow(into, at + back, room - back);
      if (count !== null) return back + count;
      if (back > 0) return back;
      await setTimeout(DEVICE_PAUSE_MS, undefined, { signal: this.#interrupt }).catch(() => {});
    }
  }

  unread(bytes: Uint8Array): void {
    this.#putBack = Buffer.concat([bytes, this.#putBack]);
  }

  rewind(): boolean {
    if (!this.#facts.seeks) return false;
    this.#position = 0;
    this.#putBack = new Uint8Array(0);
    this.#atEnd = false;
    return true;
  }

  async close(): Promise<void> {
    if (this.#closed || !this.#facts.owns) return;
    this.#closed = true;
    closeSync(this.#fd);
  }

  #takeBack(into: Uint8Array, at: number, room: number): number {
    const count = Math.min(this.#putBack.length, room);
    if (count > 0) {
      into.set(this.#putBack.subarray(0, count), at);
      this.#putBack = this.#putBack.subarray(count);
    }
    return count;
  }

  /** Null: nothing yet. Once at the end, it stays there: a FIFO may find another writer. */
  #readNow(into: Uint8Array, at: number, room: number): number | null {
    if (this.#atEnd) return 0;
    try {
      const position = this.#facts.seeks ? this.#position : null;
      const count = readSync(this.#fd, into, at, Math.min(room, MAX_READ_BYTES), position);
      this.#atEnd = count === 0;
      this.#position += count;
      this.#furthest = Math.max(this.#furthest, this.#position);
      return count;
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return null;
      throw sourceError(error);
    }
  }
}
