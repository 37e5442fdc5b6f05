/**
 * A sliding view on a source's bytes: payloads are cut as ranges in it, and what is behind them is let go.
 * One buffer serves a whole run; it grows only for a payload that is larger than it.
 */
import type { ByteReader } from './bytes.ts';

/** What is read at once, and the smallest buffer for more than a small file. */
const CHUNK_BYTES = 1 << 20;

export class Window {
  /** `bytes[start, end)` is what is at hand. */
  bytes: Buffer = Buffer.allocUnsafeSlow(64 << 10);
  start = 0;
  end = 0;
  /** Offset in the source of `bytes[0]`. */
  base = 0;
  /** True once the source has no more bytes than those at hand. */
  atEnd = false;
  #reader: ByteReader | null = null;

  /** Begins with another source. */
  reset(reader: ByteReader): void {
    this.#reader = reader;
    this.start = 0;
    this.end = 0;
    this.base = 0;
    this.atEnd = false;
  }

  /**
   * Lets go of everything before `start` and reads on. False at the end of the source.
   */
  async more(): Promise<boolean> {
    if (this.#reader === null || this.atEnd) return false;
    this.#makeRoom();
    const count = await this.#reader.read(this.bytes.subarray(0, this.bytes.length), this.end);
    this.end += count;
    if (count === 0) this.atEnd = true;
    return count > 0;
  }

  #makeRoom(): void {
    if (this.start > 0) {
      this.bytes.copyWithin(0, this.start, this.end);
      this.base += this.start;
      this.end -= this.start;
      this.start = 0;
    }
    if (this.end < this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
