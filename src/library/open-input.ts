/**
 * Opens the caller's input: a path, bytes, or a stream.
 */
import { Readable } from 'node:stream';
import type { ByteReader } from '../input/byte-reader.ts';
import { openBytes, openStream } from '../input/bytes.ts';
import { MemoryBytes } from '../input/memory-reader.ts';
import type { Source } from '../types.ts';
import type { PayloadInput } from './api.ts';
import { byteChunks, isBytes } from './text-bytes.ts';

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

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
