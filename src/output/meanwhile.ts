/**
 * Writes to a target while the caller goes on: bytes are copied, and one piece is written at a time.
 */
import type { ByteTarget } from './byte-target.ts';

/** Room for the bytes of a window, mostly. */
const ROOM_BYTES = 1 << 21;

/** Fewer bytes are copied in any case. */
const LARGE_BYTES = 1 << 16;

export class Meanwhile {
  readonly #target: ByteTarget;
  /** What is being written, and where the next bytes are gathered. */
  #rooms: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  #size = 0;
  #writing: Promise<void> = Promise.resolve();
  #error: unknown = null;

  constructor(target: ByteTarget) {
    this.#target = target;
  }

  /** Resolves when the chunks may be used again. Throws the error of this write or an earlier one. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      // A copy of memory that threads share takes as long as to write it, and other threads work meanwhile.
      if (chunk.length >= LARGE_BYTES && chunk.buffer instanceof SharedArrayBuffer) {
        await this.#begin();
        await this.settle();
        await this.#target.write(chunk);
        continue;
      }
      for (let at = 0; at < chunk.length; ) {
        if (this.#size === ROOM_BYTES) await this.#begin();
        const piece = chunk.subarray(at, at + ROOM_BYTES - this.#size);
        this.#room(this.#size + piece.length).set(piece, this.#size);
        this.#size += piece.length;
        at += piece.length;
      }
    }
    await this.#begin();
  }

  /** Memory for `size` bytes. */
  #room(size: number): Buffer {
    const [busy, room] = this.#rooms;
    if (room.length >= size) return room;
    const larger = Buffer.allocUnsafeSlow(Math.min(ROOM_BYTES, Math.max(size, 2 * room.length)));
    larger.set(room);
    this.#rooms = [busy, larger];
    return larger;
  }

  /** Writes what is gathered as soon as the bytes before it are written. */
  async #begin(): Promise<void> {
    await this.settle();
    const [free, room] = this.#rooms;
    this.#rooms = [room, free];
    const bytes = room.subarray(0, this.#size);
    this.#size = 0;
    if (bytes.length === 0) return;
    this.#writing = this.#target.write(bytes).catch((error: unknown) => {
      this.#error = error;
    });
  }

  /** Waits until all is written. Throws, once, what went wrong. */
  async settle(): Promise<void> {
    await this.#writing;
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error;
  }
}
