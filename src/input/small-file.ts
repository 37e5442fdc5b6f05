/**
 * Reads a small file whole, with as few system calls as possible: for thousands of files, they take most of the time.
 */
import { constants, openSync, readSync } from 'node:fs';
import { closeRead } from './close.ts';

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0); // Windows has only the first

/** A file of this many bytes or more is not small. */
export const SMALL_FILE_BYTES = 1 << 16;

/**
 * Reads the regular file at `path` into `into[0, room)` and returns the number of bytes. Null if that fails, or the
 * file fills the room or is compressed: then open it like any other. Never throws.
 */
export function readSmallFile(path: string, into: Uint8Array, room: number): number | null {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch {
    return null;
  }
  try {
    const count = readSync(fd, into, 0, room, 0);
    const isGzip = count >= 2 && into[0] === 0x1f && into[1] === 0x8b;
    return count === room || isGzip ? null : count;
  } catch {
    return null;
  } finally {
    closeRead(fd);
  }
}
