/**
 * A source -> its bytes in order, decompressed where they are gzip, which is told by content alone.
 *
 * Nothing is buffered beyond what one read needs. A fault comes as a `SourceError`, after every byte before it
 * has been read; an interrupt comes as `Interrupted`, at once.
 */
import type { Readable } from 'node:stream';
import type { Source } from '../types.ts';
import type { ByteReader, RawBytes } from './byte-reader.ts';
import { openPath, openStdin } from './open.ts';

/**
 * Opens a source, `stdin` being the standard input (null will do for a file), and waits for its first byte.
 * Throws a `SourceError` or `Interrupted`, and leaves nothing open then.
 */
export async function openBytes(
  source: Source,
  stdin: (Readable & { readonly fd?: number }) | null,
  interrupt: AbortSignal,
): Promise<ByteReader> {
  const raw = source.path === null ? openStdin(stdin!, interrupt) : openPath(source.path, interrupt);
  try {
    if (!(await isGzip(raw))) return raw;
    const { GunzipBytes } = await import('./gunzip.ts');
    return new GunzipBytes(raw, interrupt);
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/** Looks at the first bytes: two, or one where that is enough, or whatever comes at once. */
async function isGzip(raw: RawBytes): Promise<boolean> {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  let count = 0;
  while (count < 2) {
    const more = await raw.read(head, count);
    count += more;
    if (more === 0 || head[0] !== 0x1f) break;
  }
  raw.unread(head.subarray(0, count));
  return count >= 2 && head[0] === 0x1f && head[1] === 0x8b;
}

/** Enough for most small files, which are then read with one call. */
const HEAD_BYTES = 4096;
