/**
 * What every kind of source gives before decompression: its bytes as they stand, some of which can be put back.
 */
import type { ByteReader } from './bytes.ts';

/** Bytes before decompression, which can be put back. */
export interface RawBytes extends ByteReader {
  /** Puts back bytes just read, to be read again. Takes possession of them. */
  unread(bytes: Uint8Array): void;
  /** Whether `rewind` works. */
  readonly canRewind: boolean;
  /** Goes back to the first byte; false where that is impossible. */
  rewind(): boolean;
}

/** The room from `at` in bytes. None would make a read look like the end, so that is a bug of the caller. */
export function roomIn(into: Uint8Array, at: number): number {
  const room = into.length - at;
  if (!(room > 0)) throw new RangeError(`no room to read into: ${into.length} bytes, filled to ${at}`);
  return room;
}
