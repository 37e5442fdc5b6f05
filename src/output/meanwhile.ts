/**
 * Writes to a target while the caller continues. Bytes are copied, and one piece is written at a time. Large pieces are
 * not copied, and several may wait, if they are in memory that threads share or that `room` has returned.
 */

import type { ByteTarget } from './byte-target.ts';
import { hold, isShared, release } from './shared-piece.ts';

/** Room for the bytes of a window, mostly. */
const ROOM_BYTES = 1 << 21;

/** Smaller pieces are always copied. In bytes. */
const LARGE_BYTES = 1 << 16;

/** The caller waits while more bytes than this wait to be written. */
const MOST_WAITING = 1 << 23;

/** `room` returns no memory for smaller pieces. In bytes. */
const LEAST_GIVEN = 1 << 18;

/** Waiting pieces are written together up to this number of bytes. One piece alone may be larger. */
const TOGETHER_BYTES = 1 << 20;

/** A large piece. */
interface Piece {
  readonly bytes: Uint8Array;
  /** It is not needed any more. */
  readonly done: () => void;
}

export class Meanwhile {
  readonly #target: ByteTarget;
  /** What is being written, and where the next bytes are gathered. */
  #rooms: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  #size = 0;
  /** Pieces to be written after those that are being written. */
  readonly #waiting: Piece[] = [];
  /** Bytes of them, and of those that are being written. */
  #waitingBytes = 0;
  /** Null while nothing is being written. */
  #writing: Promise<void> | null = null;
  /** Free memory for large pieces, and the memory that `room` has returned. */
  readonly #free: Buffer[] = [];
  readonly #given = new Map<ArrayBufferLike, Buffer>();
  /** Nothing is written after an error. */
  #hasFailed = false;
  #error: unknown = null;

  constructor(target: ByteTarget) {
    this.#target = target;
  }

  /**
   * Memory for a piece of `size` bytes that is passed to `write` once: then it is not copied. Null: the piece is small,
   * and to copy it is faster.
   */
  room(size: number): Uint8Array | null {
    if (size < LEAST_GIVEN) return null;
    const at = this.#free.findIndex(({ length }) => length >= size);
    const room = at < 0 ? Buffer.allocUnsafeSlow(Math.max(size, ROOM_BYTES)) : this.#free.splice(at, 1)[0]!;
    this.#given.set(room.buffer, room);
    return room.subarray(0, size);
  }

  /** Resolves when the chunks may be used again. Throws the error of this write or an earlier one. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      const piece = this.#pieceOf(chunk);
      if (piece !== null) {
        await this.#begin();
        this.#wait(piece);
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
    // A write that has ended is known after a turn of the event loop; then the next one begins.
    if (this.#waiting.length > 0) await new Promise((turn) => setImmediate(turn));
    while (this.#waitingBytes > MOST_WAITING) await this.#writing;
    this.#check();
  }

  /** Null: it must be copied. */
  #pieceOf(bytes: Uint8Array): Piece | null {
    const room = this.#given.get(bytes.buffer);
    if (room !== undefined) {
      this.#given.delete(bytes.buffer);
      return { bytes, done: () => this.#putBack(room) };
    }
    if (bytes.length < LARGE_BYTES || !isShared(bytes)) return null;
    hold(bytes);
    return { bytes, done: () => release(bytes) };
  }

  /** Keeps the memory for reuse. Larger memory was for one large piece, and is dropped. */
  #putBack(room: Buffer): void {
    if (room.length === ROOM_BYTES) this.#free.push(room);
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
    if (this.#size === 0) return;
    await this.settle();
    const [free, room] = this.#rooms;
    this.#rooms = [room, free];
    const bytes = room.subarray(0, this.#size);
    this.#size = 0;
    this.#start(this.#target.write(bytes), []);
  }

  /** The piece is written after those before it. */
  #wait(piece: Piece): void {
    if (this.#hasFailed) {
      piece.done();
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.bytes.length;
    if (this.#writing === null) this.#writeWaiting();
  }

  #writeWaiting(): void {
    let bytes = 0;
    const rest = this.#waiting.findIndex((piece, i) => {
      bytes += piece.bytes.length;
      return i > 0 && bytes > TOGETHER_BYTES;
    });
    const pieces = this.#waiting.splice(0, rest < 0 ? this.#waiting.length : rest);
    this.#start(this.#writeAll(pieces.map(({ bytes }) => bytes)), pieces);
  }

  async #writeAll(pieces: readonly Uint8Array[]): Promise<void> {
    if (this.#target.writeAll !== undefined) return this.#target.writeAll(pieces);
    for (const piece of pieces) await this.#target.write(piece);
  }

  /** `pieces` are being written. */
  #start(writing: Promise<void>, pieces: readonly Piece[]): void {
    this.#writing = writing
      .catch((error: unknown) => {
        this.#hasFailed = true;
        this.#error = error;
      })
      .then(() => {
        this.#writing = null;
        this.#drop(pieces);
        if (this.#hasFailed) this.#drop(this.#waiting.splice(0));
        if (this.#waiting.length > 0) this.#writeWaiting();
      });
  }

  #drop(pieces: readonly Piece[]): void {
    for (const { bytes, done } of pieces) {
      done();
      this.#waitingBytes -= bytes.length;
    }
  }

  /** Waits until everything is written. Throws the error of a write, once. */
  async settle(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    this.#check();
  }

  #check(): void {
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error;
  }
}
