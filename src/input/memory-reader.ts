/**
 * Reads bytes that are in memory, without waiting. They must not change meanwhile.
 */
import { type ByteReader, roomIn } from './byte-reader.ts';

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
