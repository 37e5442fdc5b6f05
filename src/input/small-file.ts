/**
 * A small file read whole, with as few calls as there can be: for thousands of them, calls are what takes the time.
 */
import { constants, openSync, readSync } from 'node:fs';
import { closeRead } from './close.ts';

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0); // Windows has neither of the latter

/** A file so large, in bytes, is not small. */
export const SMALL_FILE_BYTES = 1 << 16;

/**
 * Reads the regular file at `path` to `into[0, room)` and answers with the number of bytes. Null where something is in the way, or it fills
 * the room, or is compressed: then it is to be opened like any other. Never throws.
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
