/**
 * What every kind of source gives before decompression: its bytes as they stand, some of which can be put back.
 */

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
