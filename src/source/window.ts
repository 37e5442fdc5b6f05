/**
 * A sliding view of a source's bytes: payloads are cut as ranges in it, and bytes before them are dropped. One memory
 * serves a whole run; it grows only for a payload that is larger. It is a WebAssembly memory, so that accept functions
 * read the bytes in place.
 */

import { EnvironmentError, SourceError } from '../errors.ts';
import { PADDING, PAGES, WINDOW } from '../wasm/layout.ts';
import { type ByteReader, readSmallFile } from './read-file.ts';

const CHUNK_BYTES = 1 << 20;
const PAGE_BYTES = 1 << 16;
/** Bytes kept before `start`, to show the line of a place. */
export const KEPT_BYTES = 480;
/** Room that `more` leaves for `ahead`. */
const SPARE_BYTES = 1024;

/** Memory that a writer needs for each byte of the window: a text of two bytes gets a third one. */
const OUTPUT_SHARE = 1.5;
/** Additional memory of a writer, in bytes. */
const OUTPUT_BYTES = 64;

/** Allocates the memory of a run. Throws EnvironmentError if this Node has no WebAssembly, or not enough memory. */
export function reserveMemory(pages: number): WebAssembly.Memory {
  if (typeof WebAssembly === 'undefined') {
    throw new EnvironmentError(
      'this Node runs without WebAssembly, which paylint needs; leave out --jitless and --no-expose-wasm',
    );
  }
  try {
    return new WebAssembly.Memory({ initial: pages });
  } catch (cause) {
    throw new EnvironmentError(
      'there is not enough address space for WebAssembly, which reserves 10 GB and uses little of it; ' +
        'raise the limit (ulimit -v), or set NODE_OPTIONS=--disable-wasm-trap-handler',
      { cause },
    );
  }
}

export class Window {
  readonly memory = reserveMemory(PAGES + 2);
  /** `bytes[start, end)` is the current content. `bytes[0]` is at address `WINDOW` of the memory. */
  bytes: Buffer;
  start = 0;
  end = 0;
  /** Offset in the source of `bytes[0]`. */
  base = 0;
  /** True if the source has no more bytes than those in the window. */
  atEnd = false;
  #reader: ByteReader | null = null;
  /** An error in `ahead`, which `more` will throw. */
  #failure: unknown = null;
  /** Bytes of memory for each byte of the window. */
  readonly #share: number;

  /** `writes`: the memory has room for what is written from the bytes, from `outputAt` on. */
  constructor(writes = false) {
    this.#share = writes ? 1 + OUTPUT_SHARE : 1;
    this.bytes = this.#view();
  }

  /** Address after the window's bytes. */
  get outputAt(): number {
    return WINDOW + this.bytes.length;
  }

  #view(): Buffer {
    const { buffer } = this.memory;
    const available = buffer.byteLength - WINDOW;
    const size = this.#share === 1 ? available : Math.floor((available - OUTPUT_BYTES) / this.#share);
    return Buffer.from(buffer, WINDOW, size);
  }

  /** Starts another source; `base`: the offset in it of the first byte that is read. Null: it is in the window. */
  reset(reader: ByteReader | null, base = 0): void {
    this.#reader = reader;
    this.#failure = null;
    this.start = 0;
    this.end = 0;
    this.base = base;
    this.atEnd = false;
  }

  /** Starts with the whole content of a small file; false if that is not possible and the file must be opened. */
  readSmall(path: string): boolean {
    const count = readSmallFile(path, this.bytes, this.#readEnd);
    if (count === null) return false;
    this.reset(null);
    this.end = count;
    this.atEnd = true;
    this.bytes.fill(0, count, count + PADDING);
    return true;
  }

  /** The bytes of the source; null: not known. If they are known, reading does not wait for a writer. */
  get size(): number | null {
    return this.#reader === null ? this.end : this.#reader.progress.size;
  }

  /** False if the source is compressed: offsets are in its content then, not in its own bytes. */
  get hasOwnBytes(): boolean {
    return this.#reader?.isCompressed !== true;
  }

  /** Bytes read of the source; compressed bytes if it is compressed. */
  get bytesRead(): number {
    return this.#reader === null ? this.end : this.#reader.progress.bytes;
  }

  /** Drops what is before `start`, except its last `KEPT_BYTES`, and reads more. False at the end of the source. */
  more(): Promise<boolean> | boolean {
    if (this.#failure !== null) throw this.#failure;
    if (this.#reader === null || this.atEnd) return false;
    this.settle();
    this.#growFor(this.#reader);
    return this.#read(this.#reader, this.#readEnd);
  }

  /** The same, but false after an error, which the next call of `more` will throw. */
  tryMore(): Promise<boolean> | boolean {
    return this.#failure !== null ? false : this.#unlessFailed(() => this.more());
  }

  #unlessFailed(read: () => Promise<boolean> | boolean): Promise<boolean> | boolean {
    const failed = (failure: unknown): false => {
      this.#failure = failure;
      return false;
    };
    try {
      const result = read();
      return typeof result === 'boolean' ? result : result.catch(failed);
    } catch (failure) {
      return failed(failure);
    }
  }

  /** Reads more; indexes stay valid. False at the end of the source, and after an error, which `more` will throw. */
  ahead(): Promise<boolean> | boolean {
    const reader = this.#reader;
    if (reader === null || this.atEnd || this.#failure !== null) return false;
    return this.#unlessFailed(() => {
      if (this.end === this.bytes.length - PADDING) this.#grow(PAGE_BYTES);
      const to = this.end < this.#readEnd ? this.#readEnd : this.bytes.length - PADDING;
      return this.#read(reader, to);
    });
  }

  /** True if `ahead` has used up its room. Then call `settle`. */
  get isTight(): boolean {
    return this.end > this.#readEnd;
  }

  /** Drops what `more` would drop. */
  settle(): void {
    const dropped = this.start - KEPT_BYTES;
    if (dropped <= 0) return;
    this.bytes.copyWithin(0, dropped, this.end);
    this.base += dropped;
    this.start -= dropped;
    this.end -= dropped;
    this.bytes.fill(0, this.end, this.end + PADDING);
  }

  /** Index up to which `more` reads. */
  get #readEnd(): number {
    return this.bytes.length - PADDING - SPARE_BYTES;
  }

  #read(reader: ByteReader, to: number): Promise<boolean> | boolean {
    const count = reader.read(this.bytes.subarray(0, to), this.end);
    return typeof count === 'number' ? this.#took(count) : count.then((bytes) => this.#took(bytes));
  }

  #took(count: number): boolean {
    this.end += count;
    this.bytes.fill(0, this.end, this.end + PADDING);
    if (count === 0) this.atEnd = true;
    return count > 0;
  }

  #growFor({ progress }: ByteReader): void {
    const free = this.#readEnd - this.end;
    const left = Math.min(CHUNK_BYTES, (progress.size ?? Number.POSITIVE_INFINITY) - progress.bytes);
    // Doubles the memory, so that a large payload is not copied once per chunk.
    if (free < Math.max(1, Math.min(left, CHUNK_BYTES - (this.end - this.start))))
      this.#grow(Math.max(CHUNK_BYTES, this.bytes.length));
  }

  #grow(bytes: number): void {
    try {
      this.memory.grow(Math.ceil((bytes * this.#share) / PAGE_BYTES));
    } catch (cause) {
      const size = Math.floor((this.end - this.start) / 2 ** 20);
      const message = `there is no memory for the rest of a payload of more than ${size} MiB; --max-payload-bytes sets a limit`;
      throw new SourceError(message, { cause });
    }
    this.bytes = this.#view();
  }
}

/** If more bytes than this are left in the window, the payload is cut at once. */
const MOST_LEFT_BYTES = 1 << 16;

/**
 * The last payload in a window usually continues after the window. To read more and accept it whole is faster than to
 * cut its beginning first, byte by byte. The function returns true if more bytes should be read before the payload at
 * `window.start` is cut: it was not accepted, and may continue after the window. True once per payload at most, and only
 * for files: other sources may be slow, and their available payloads must be reported.
 */
export function createWaits(window: Window): () => boolean {
  let last = -1;
  return () => {
    const { base, start, end } = window;
    if (end - start > MOST_LEFT_BYTES || window.atEnd || window.size === null) return false;
    if (base + start === last) return false;
    last = base + start;
    return true;
  };
}
