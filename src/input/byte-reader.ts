/**
 * The interface of every kind of source. Before decompression, bytes that were read can be put back.
 */

/** Which file it is, and its size in bytes. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
}

/** A source's bytes, decompressed, in order. One read at a time. */
export interface ByteReader {
  /**
   * Reads available bytes into `into`, from `at` up to `into.length`: at least one byte, unless the source has ended.
   * Resolves to the number of bytes, 0 at the end. Rejects with a `SourceError` if the source fails, with `Interrupted`
   * as soon as the interrupt signal aborts, and with a `RangeError` if `into` has no room. A source in memory needs no
   * promise.
   */
  read(into: Uint8Array, at: number): Promise<number> | number;
  /** Bytes read so far from the file itself (compressed, if it is) and its size, if known. */
  readonly progress: { readonly bytes: number; readonly size: number | null };
  /** The source is compressed, so what is read are not its own bytes; absent: it is not. */
  readonly isCompressed?: true;
  /** Frees the descriptor, or destroys the stream, so that the process can end. It may be called twice. */
  close(): Promise<void>;
}

/** Bytes before decompression. */
export interface RawBytes extends ByteReader {
  /** Puts back bytes just read, to be read again. The reader keeps the memory. */
  unread(bytes: Uint8Array): void;
}

/**
 * The room from `at` in bytes. Without room, a read would look like the end, so this throws: it is a bug of the caller.
 */
export function roomIn(into: Uint8Array, at: number): number {
  const room = into.length - at;
  if (!(room > 0)) throw new RangeError(`no room to read into: ${into.length} bytes, filled to ${at}`);
  return room;
}

/** Whether these are the first bytes of gzip data. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Reads bytes that are in memory, without waiting. They must not change meanwhile. */
export class MemoryBytes implements ByteReader {
  readonly #bytes: Uint8Array;
  #taken = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get progress(): ByteReader['progress'] {
    return { bytes: this.#taken, size: this.#bytes.length };
  }

  read(into: Uint8Array, at: number): number {
    const count = Math.min(roomIn(into, at), this.#bytes.length - this.#taken);
    into.set(this.#bytes.subarray(this.#taken, this.#taken + count), at);
    this.#taken += count;
    return count;
  }

  async close(): Promise<void> {}
}
