/**
 * Writes to a target while the caller goes on. Bytes are copied, and one piece is written at a time; large pieces in memory that threads share are
 * not copied, and several may wait.
 */
import type { ByteTarget } from './byte-target.ts';
import { hold, isShared, release, type SharedPiece } from './shared-piece.ts';

/** Room for the bytes of a window, mostly. */
const ROOM_BYTES = 1 << 21;

/** Fewer bytes are copied in any case. */
const LARGE_BYTES = 1 << 16;

/** The caller waits while more bytes than this wait to be written. */
const MOST_WAITING = 1 << 23;

export class Meanwhile {
  readonly #target: ByteTarget;
  /** What is being written, and where the next bytes are gathered. */
  #rooms: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  #size = 0;
  /** Pieces to be written after those that are being written. */
  #waiting: SharedPiece[] = [];
  /** Bytes of them, and of those that are being written. */
  #waitingBytes = 0;
  /** Null while nothing is being written. */
  #writing: Promise<void> | null = null;
  /** Nothing is written after an error. */
  #hasFailed = false;
  #error: unknown = null;

  constructor(target: ByteTarget) {
    this.#target = target;
  }

  /** Resolves when the chunks may be used again. Throws the error of this write or an earlier one. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      if (chunk.length >= LARGE_BYTES && isShared(chunk)) {
        await this.#begin();
        this.#wait(chunk);
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
    while (this.#waitingBytes > MOST_WAITING) await this.#writing;
    this.#check();
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
  #wait(piece: SharedPiece): void {
    if (this.#hasFailed) return;
    hold(piece);
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#writing === null) this.#writeWaiting();
  }

  #writeWaiting(): void {
    const pieces = this.#waiting;
    this.#waiting = [];
    this.#start(this.#writeAll(pieces), pieces);
  }

  async #writeAll(pieces: readonly SharedPiece[]): Promise<void> {
    if (this.#target.writeAll !== undefined) return this.#target.writeAll(pieces);
    for (const piece of pieces) await this.#target.write(piece);
  }

  /** `pieces` are being written. */
  #start(writing: Promise<void>, pieces: readonly SharedPiece[]): void {
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

  #drop(pieces: readonly SharedPiece[]): void {
    for (const piece of pieces) {
      release(piece);
      this.#waitingBytes -= piece.length;
    }
  }

  /** Waits until all is written. Throws, once, what went wrong. */
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
