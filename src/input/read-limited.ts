/**
 * Reads whole files of a limited size: a device such as /dev/zero has no end.
 */
import { openSync, readSync, statSync } from 'node:fs';
import { closeRead } from './close.ts';

const CHUNK_BYTES = 1 << 16;

/** True for a pipe; false for anything else, and for what cannot be examined: reading it tells why. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

/**
 * The content of a file, or of a pipe such as `<(jq …)`. Throws an Error if it is larger than `most` bytes, or not a
 * file or a pipe.
 */
export function readFileOrPipe(path: string, most: number): Buffer {
  // Opening a device could block, so it is checked before.
  const stats = statSync(path);
  if (stats.isDirectory()) throw new Error('is a folder, not a file');
  if (!stats.isFile() && !stats.isFIFO()) throw new Error('is neither a file nor a pipe');
  return readLimited(path, most);
}

/** The content of a file of any kind. Throws an Error if it is larger than `most` bytes. */
export function readLimited(path: string, most: number): Buffer {
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
