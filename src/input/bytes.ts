/**
 * Opens a source and gives its bytes in order, decompressed if they are gzip. gzip is detected by content alone.
 *
 * Only the bytes of one read are buffered. A fault is thrown as a `SourceError` after every byte before it has been
 * read. An interrupt is thrown as `Interrupted` at once.
 */
import { ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Source } from '../types.ts';
import type { ByteReader, RawBytes } from './byte-reader.ts';
import { openPath, openStdin } from './open.ts';
import { StreamBytes } from './stream-reader.ts';

/**
 * Opens a source and waits for its first byte. `stdin` is the standard input; it may be null for a file. Throws a
 * `SourceError` or `Interrupted`, and then leaves nothing open.
 */
export async function openBytes(
  source: Source,
  stdin: (Readable & { readonly fd?: number }) | null,
  interrupt: AbortSignal,
): Promise<ByteReader> {
  return unpacked(
    source.path === null ? openStdin(stdin!, interrupt) : openPath(source.path, interrupt),
    interrupt,
  );
}

/**
 * Bytes requested at once from the stream of a file. By itself it reads 64 KiB per turn of the event loop, which is a
 * third slower.
 */
const FILE_CHUNK_BYTES = 1 << 20;

/** The same for any stream, which is read as it is. */
export async function openStream(stream: Readable, interrupt: AbortSignal): Promise<ByteReader> {
  const size = stream instanceof ReadStream ? FILE_CHUNK_BYTES : undefined;
  return unpacked(new StreamBytes(stream, interrupt, size), interrupt);
}

async function unpacked(raw: RawBytes, interrupt: AbortSignal): Promise<ByteReader> {
  try {
    if (!(await isGzip(raw))) return raw;
    const { GunzipBytes } = await import('./gunzip.ts');
    return new GunzipBytes(raw, interrupt);
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/** Reads the first bytes: two, or one if that is enough, or as many as the source gives at once. */
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

/** Enough for most small files, which need only one read then. */
const HEAD_BYTES = 4096;
