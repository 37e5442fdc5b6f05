/**
 * Opens a path, or standard input, for its raw bytes: a regular file, a device, a FIFO or a terminal.
 *
 * Everything is opened without blocking, so that an interrupt is always handled.
 */

import { constants, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { SourceError } from '../errors.ts';
import type { RawBytes } from './byte-reader.ts';
import { closeRead } from './close.ts';
import { FileBytes } from './file-reader.ts';
import { seldom } from './seldom.ts';
import { StreamBytes } from './stream-reader.ts';
import { sourceError } from './system-errors.ts';

/** Opens a path. Throws a `SourceError`. Opening does not wait for a writer or a modem; reading waits for a writer. */
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
    closeRead(fd);
    throw sourceError(error);
  }
}

/**
 * Opens the stream of standard input. If it is Node's own, for a regular file, and unread, the file itself is read from
 * the descriptor's position: ten times as fast as the stream.
 */
export function openStdin(stdin: Readable & { readonly fd?: number }, interrupt: AbortSignal): RawBytes {
  const untouched = !stdin.readableDidRead && stdin.readableLength === 0 && !stdin.destroyed;
  const stats = untouched && typeof stdin.fd === 'number' ? statsOf(stdin.fd) : null;
  if (stats?.isDirectory()) throw new SourceError('is a folder, not a file');
  if (stats?.isFile()) {
    return new FileBytes(stdin.fd!, { size: stats.size, file: null, owns: false, isThere: null }, interrupt);
  }
  return new StreamBytes(stdin, interrupt);
}

/** Null if the number is not an open file: then the stream reports what is wrong. */
function statsOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

function readerOf(fd: number, stats: Stats, path: string, interrupt: AbortSignal): RawBytes {
  if (stats.isFile()) {
    const { dev, ino, size } = stats;
    // Threads open a large file repeatedly, and fail if the path leads to another file by then. One thread behaves in
    // the same way.
    const isThere = size > LARGE_BYTES ? () => isAt(path, stats) : null;
    return new FileBytes(fd, { size, file: { dev, ino, size }, owns: true, isThere }, interrupt);
  }
  if (stats.isFIFO()) return openFifo(fd, interrupt);
  const tty = seldom('node:tty');
  if (tty.isatty(fd)) return new StreamBytes(new tty.ReadStream(fd), interrupt);
  return new FileBytes(fd, { size: null, file: null, owns: true, isThere: null }, interrupt);
}

/** Files up to this size, in bytes, are read by one thread. */
const LARGE_BYTES = 1 << 20;

function isAt(path: string, { dev, ino }: Stats): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  return now !== undefined && now.dev === dev && now.ino === ino;
}

/**
 * A socket is used because it, too, waits for the first writer, and because an interrupt can end that wait. A poll of
 * the descriptor gives nothing until a writer has come, and the end after the last one has closed it.
 */
function openFifo(fd: number, interrupt: AbortSignal): RawBytes {
  const net = seldom('node:net');
  return new StreamBytes(new net.Socket({ fd, readable: true, writable: false }), interrupt);
}
