/**
 * A source -> its bytes in order, decompressed where they are gzip, which is told by content alone.
 *
 * Nothing is buffered beyond what one read needs. A fault comes as a `SourceError`, after every byte before it
 * has been read; an interrupt comes as `Interrupted`, at once.
 */
import type { Readable } from 'node:stream';
import type { Source } from '../types.ts';
import { openPath, openStdin } from './open.ts';
import type { RawBytes } from './raw-bytes.ts';

/** A source's bytes, decompressed, in order. One read at a time. */
export interface ByteReader {
  /**
   * Fills `into` from `at` up to `into.length` as far as bytes are at hand, at least one unless at the end;
   * resolves to how many, 0 at the end. Rejects with a `SourceError` where the source fails, with
   * `Interrupted` as soon as the interrupt signal aborts, and with a `RangeError` where there is no room.
   */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Bytes read so far from the file itself (compressed, if it is) and its size, if known. */
  readonly progress: { readonly bytes: number; readonly size: number | null };
  /** Frees the descriptor, or destroys the stream, so that the process can end. Twice does no harm. */
  close(): Promise<void>;
}

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
