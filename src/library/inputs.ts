/**
 * What a caller gives to read: a path, bytes, or a stream. It is opened here, and its framing is found.
 */
import { Readable } from 'node:stream';
import { type ByteReader, isGzip, MemoryBytes } from '../input/byte-reader.ts';
import { detectFraming, HEAD_BYTES } from '../input/detect-framing.ts';
import { openBytes, openStream } from '../input/open-bytes.ts';
import { framingOfName } from '../input/paths.ts';
import { seldom } from '../input/seldom.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Framing, Source } from '../types.ts';
import type { PayloadInput } from './api.ts';
import { byteChunks, bytesOf, isBytes } from './text-bytes.ts';

/** Waits for the first byte. Throws SourceError, and Interrupted. */
export async function openInput(
  input: PayloadInput,
  source: Source,
  interrupt: AbortSignal,
): Promise<ByteReader> {
  if (typeof input === 'string') return openBytes(source, null, interrupt);
  if (isBytes(input))
    return isGzip(input) ? openStream(Readable.from([input]), interrupt) : new MemoryBytes(input);
  return openStream(givesBytes(input) ? input : Readable.from(byteChunks(input)), interrupt);
}

/** Whether it is an unread Node stream of bytes. */
function givesBytes(input: object): input is Readable {
  return (
    input instanceof Readable &&
    input.readableEncoding === null &&
    !input.readableObjectMode &&
    !input.readableDidRead &&
    !input.destroyed
  );
}

/**
 * `name`: the name of the file. If it is undefined or has an unknown extension, the content decides, which may be gzip.
 * Throws a TypeError if `input` is neither text nor bytes.
 */
export function framingOf(input: string | Uint8Array, name: string | undefined): Framing {
  // A code unit is at least one byte, so this is enough text.
  const bytes = unzipped(bytesOf(typeof input === 'string' ? input.slice(0, HEAD_BYTES + 1) : input));
  const named = name === undefined ? null : framingOfName(name);
  if (named !== null) return named;
  const head = bytes.subarray(byteOrderMark(bytes), HEAD_BYTES);
  return detectFraming(head, bytes.length <= HEAD_BYTES);
}

/**
 * The beginning of the decompressed content, if the bytes are gzip. Other bytes, and gzip that is damaged from its
 * start, are returned unchanged.
 */
function unzipped(bytes: Buffer): Buffer {
  if (!isGzip(bytes)) return bytes;
  const { gunzipSync, constants } = seldom('node:zlib');
  try {
    return gunzipSync(bytes.subarray(0, HEAD_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}
