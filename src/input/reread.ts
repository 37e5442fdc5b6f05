/**
 * Reads the bytes of a file again, decompressed: to compare with it or to copy from it.
 */
import { openSync, readSync } from 'node:fs';
import type { Source } from '../types.ts';
import { isGzip } from './byte-reader.ts';
import { openBytes } from './open-bytes.ts';
import { closeRead } from './read-file.ts';

const CHUNK_BYTES = 1 << 20;

/** Throws SourceError and Interrupted, see `openBytes`. Each chunk has memory of its own. */
export async function* reread(source: Source, interrupt: AbortSignal): AsyncGenerator<Buffer> {
  const reader = await openBytes(source, null, interrupt);
  try {
    for (;;) {
      const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = await reader.read(bytes, 0);
      if (count === 0) return;
      yield bytes.subarray(0, count);
    }
  } finally {
    await reader.close();
  }
}

/** True if the file's content is gzip data. Throws the errors of the file system. */
export function isCompressed(path: string): boolean {
  const head = Buffer.alloc(2);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, head.length, 0);
  } finally {
    closeRead(fd);
  }
  return isGzip(head);
}
