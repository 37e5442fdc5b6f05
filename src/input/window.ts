/**
 * A sliding view on a source's bytes: payloads are cut as ranges in it, and what is behind them is let go.
 * One memory serves a whole run; it grows only for a payload that is larger than it. The bytes lie in a WebAssembly memory,
 * so that accept functions read them where they are.
 */

import { SourceError } from '../errors.ts';
import { PADDING, WINDOW } from '../wasm/layout.ts';
import type { ByteReader } from './byte-reader.ts';
import { reserveMemory } from './environment.ts';
import { readSmallFile } from './small-file.ts';

/** What is read at once, at most. */
const CHUNK_BYTES = 1 << 20;
const PAGE_BYTES = 1 << 16;
/** What stays at hand before `start`, for those who show the line that a place is in. */
export const KEPT_BYTES = 480;
/** Room that `more` leaves for `ahead`. */
const SPARE_BYTES = 1024;

export class Window {
  readonly memory = reserveMemory(3);
  /** `bytes[start, end)` is what is at hand; at address `WINDOW` of the memory. */
  bytes: Buffer = Buffer.from(this.memory.buffer, WINDOW);
  start = 0;
  end = 0;
  /** Offset in the source of `bytes[0]`. */
  base = 0;
  /** True once the source has no more bytes than those at hand. */
  atEnd = false;
  #reader: ByteReader | null = null;
  /** What went wrong in `ahead`, and is for `more` to throw. */
  #failure: unknown = null;

  /** Begins with another source; `base`: the offset in it of the first byte that is read. */
  reset(reader: ByteReader, base = 0): void {
    this.#begin(reader, base);
  }

  /** Begins with all of a small file; false where that cannot be, and it is to be opened. */
  readSmall(path: string): boolean {
    const count = readSmallFile(path, this.bytes, this.#room);
    if (count === null) return false;
    this.#begin(null, 0);
    this.end = count;
    this.atEnd = true;
    this.bytes.fill(0, count, count + PADDING);
    return true;
  }

  /** Begins with bytes that are at hand; false if they are more than fit, and are to be read. */
  readBytes(bytes: Uint8Array): boolean {
    if (bytes.length > this.#room) return false;
    this.#begin(null, 0);
    this.bytes.set(bytes);
    this.end = bytes.length;
    this.atEnd = true;
    this.bytes.fill(0, this.end, this.end + PADDING);
    return true;
  }

  #begin(reader: ByteReader | null, base: number): void {
    this.#reader = reader;
    this.#failure = null;
    this.start = 0;
    this.end = 0;
    this.base = base;
    this.atEnd = false;
  }

  /** True if the source has a known size: then reading it does not wait for anyone. */
  get hasSize(): boolean {
    return this.#reader === null || this.#reader.progress.size !== null;
  }

  /** Bytes read of the source, compressed if it is. */
  get bytesRead(): number {
    return this.#reader === null ? this.end : this.#reader.progress.bytes;
  }

  /** Lets go of what is before `start`, all but its last `KEPT_BYTES`, and reads on. False at the end of the source. */
  async more(): Promise<boolean> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#reader === null || this.atEnd) return false;
    this.#letGo();
    this.#makeRoom(this.#reader);
    return this.#read(this.#reader, this.#room);
  }

  /**
   * Reads on and lets go of nothing, so that indexes stay good. False at the end of the source, and where it fails, which
   * `more` will say.
   */
  async ahead(): Promise<boolean> {
    if (this.#reader === null || this.atEnd || this.#failure !== null) return false;
    const room = this.bytes.length - PADDING;
    try {
      if (this.end === room) this.#grow(PAGE_BYTES);
      return await this.#read(this.#reader, this.end < this.#room ? this.#room : this.bytes.length - PADDING);
    } catch (failure) {
      this.#failure = failure;
      return false;
    }
  }

  /** True where `ahead` has used up its room: `settle` makes new. */
  get isTight(): boolean {
    return this.end > this.#room;
  }

  /** Lets go of what `more` would let go of. */
  settle(): void {
    this.#letGo();
  }

  /** Index up to which `more` reads. */
  get #room(): number {
    return this.bytes.length - PADDING - SPARE_BYTES;
  }

  async #read(reader: ByteReader, room: number): Promise<boolean> {
    const count = await reader.read(this.bytes.subarray(0, room), this.end);
    this.end += count;
    this.bytes.fill(0, this.end, this.end + PADDING);
    if (count === 0) this.atEnd = true;
    return count > 0;
  }

  #letGo(): void {
    const dropped = this.start - KEPT_BYTES;
    if (dropped <= 0) return;
    this.bytes.copyWithin(0, dropped, this.end);
    this.base += dropped;
    this.start -= dropped;
    this.end -= dropped;
    this.bytes.fill(0, this.end, this.end + PADDING);
  }

  #makeRoom({ progress }: ByteReader): void {
    const room = this.#room - this.end;
    const left = Math.min(CHUNK_BYTES, (progress.size ?? Number.POSITIVE_INFINITY) - progress.bytes);
    // Doubling, so that a large payload is not copied once for each chunk of it.
    if (room < Math.max(1, Math.min(left, CHUNK_BYTES - (this.end - this.start))))
      this.#grow(Math.max(CHUNK_BYTES, this.bytes.length));
  }

  #grow(bytes: number): void {
    try {
      this.memory.grow(Math.ceil(bytes / PAGE_BYTES));
    } catch (cause) {
      const size = Math.floor((this.end - this.start) / 2 ** 20);
      const message = `there is no memory for the rest of a payload of more than ${size} MiB; --max-payload-bytes sets a limit`;
      throw new SourceError(message, { cause });
    }
    this.bytes = Buffer.from(this.memory.buffer, WINDOW);
  }
}
