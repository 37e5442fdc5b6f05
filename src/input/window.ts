/**
 * A sliding view on a source's bytes: payloads are cut as ranges in it, and what is behind them is let go.
 * One memory serves a whole run; it grows only for a payload that is larger than it. The bytes lie in a WebAssembly memory,
 * so that accept functions read them where they are.
 */
import { PADDING, WINDOW } from '../accept/layout.ts';
import type { ByteReader } from './bytes.ts';

/** What is read at once, at most. */
const CHUNK_BYTES = 1 << 20;
const PAGE_BYTES = 1 << 16;

export class Window {
  readonly memory = new WebAssembly.Memory({ initial: 3 });
  /** `bytes[start, end)` is what is at hand; at address `WINDOW` of the memory. */
  bytes: Buffer = Buffer.from(this.memory.buffer, WINDOW);
  start = 0;
  end = 0;
  /** Offset in the source of `bytes[0]`. */
  base = 0;
  /** True once the source has no more bytes than those at hand. */
  atEnd = false;
  #reader: ByteReader | null = null;

  /** Begins with another source; `base`: the offset in it of the first byte that is read. */
  reset(reader: ByteReader, base = 0): void {
    this.#reader = reader;
    this.start = 0;
    this.end = 0;
    this.base = base;
    this.atEnd = false;
  }

  /** Bytes read of the source, compressed if it is. */
  get bytesRead(): number {
    return this.#reader?.progress.bytes ?? 0;
  }

  /** Lets go of everything before `start` and reads on. False at the end of the source. */
  async more(): Promise<boolean> {
    if (this.#reader === null || this.atEnd) return false;
    this.#makeRoom(this.#reader);
    const room = this.bytes.subarray(0, this.bytes.length - PADDING);
    const count = await this.#reader.read(room, this.end);
    this.end += count;
    this.bytes.fill(0, this.end, this.end + PADDING);
    if (count === 0) this.atEnd = true;
    return count > 0;
  }

  #makeRoom({ progress }: ByteReader): void {
    if (this.start > 0) {
      this.bytes.copyWithin(0, this.start, this.end);
      this.base += this.start;
      this.end -= this.start;
      this.start = 0;
    }
    const room = this.bytes.length - PADDING - this.end;
    const left = Math.min(CHUNK_BYTES, (progress.size ?? Number.POSITIVE_INFINITY) - progress.bytes);
    // Doubling, so that a large payload is not copied once for each chunk of it.
    if (room < Math.max(1, Math.min(left, CHUNK_BYTES - this.end)))
      this.#grow(Math.max(CHUNK_BYTES, this.bytes.length));
  }

  #grow(bytes: number): void {
    this.memory.grow(Math.ceil(bytes / PAGE_BYTES));
    this.bytes = Buffer.from(this.memory.buffer, WINDOW);
  }
}
