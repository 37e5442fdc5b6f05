/**
 * Decompresses gzip data on demand: it takes one piece of input at a time, and the next only when the output of the
 * piece before has been read. So all bytes before a fault are delivered first.
 *
 * zlib drops the output of the piece that has a fault. So the input is then decompressed again from its start, with
 * ever smaller pieces around the fault, down to one byte. A stream is kept for that up to `KEPT_BYTES`. Of a longer
 * one, at most `LONG_STREAM_PIECE_BYTES` of input before the fault are lost.
 */

import type { TransformOptions } from 'node:stream';
import { createGunzip, type Gunzip, type ZlibOptions } from 'node:zlib';
import { Interrupted, SourceError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';
import { type RawBytes, roomIn } from './byte-reader.ts';
import { Bell } from './stream-reader.ts';
import { codeOf } from './system-errors.ts';

/** Measured: larger pieces gain nothing, 64 KiB cost a third. */
const PIECE_BYTES = 256 << 10;
const OUTPUT_CHUNK_BYTES = 256 << 10;
const OPTIONS: ZlibOptions & TransformOptions = {
  chunkSize: OUTPUT_CHUNK_BYTES,
  readableHighWaterMark: OUTPUT_CHUNK_BYTES,
};
const LONG_STREAM_PIECE_BYTES = 4 << 10;
const KEPT_BYTES = 8 << 20;
/** The sizes of pieces on the way to a fault. */
const FINE_BYTES = 512;

export class GunzipBytes implements ByteReader {
  readonly isCompressed = true;
  readonly #tape: Tape;
  readonly #interrupt: AbortSignal;
  readonly #bell = new Bell();
  readonly #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #gunzip: Gunzip;
  /** Input given to this gunzip before its latest piece, and the size of that piece, in bytes. */
  #fed = 0;
  #pieceSize = 0;
  #writing = false;
  #ended = false;
  #fault: Error | null = null;
  /** Bytes after the gzip data, in the latest piece. */
  #trailing: Uint8Array | null = null;
  #rest: Uint8Array = new Uint8Array(0);
  /** Output delivered to the caller, and output of a second pass that the first had delivered. */
  #delivered = 0;
  #skip = 0;
  /** From this offset of the input on, pieces are `#fineStep` bytes. */
  #fineFrom = Number.POSITIVE_INFINITY;
  #fineStep = PIECE_BYTES;

  constructor(raw: RawBytes, interrupt: AbortSignal) {
    this.#tape = new Tape(raw);
    this.#interrupt = interrupt;
    this.#gunzip = this.#start();
  }

  get progress(): ByteReader['progress'] {
    return this.#tape.raw.progress;
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    roomIn(into, at);
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#take(into, at);
      this.#delivered += count;
      if (count > 0) return count;
      if (this.#ended) return 0;
      if (this.#fault !== null) this.#comeCloser(this.#fault);
      else if (this.#trailing !== null) await this.#checkTrailing(this.#trailing);
      // zlib answers soon. Only the tape may take long, and it handles the interrupt itself.
      else if (this.#writing) await this.#bell.wait();
      else await this.#feed();
    }
  }

  async close(): Promise<void> {
    this.#gunzip.destroy();
    await this.#tape.raw.close();
  }

  #start(): Gunzip {
    const gunzip = createGunzip(OPTIONS);
    gunzip.on('readable', this.#bell.ring);
    gunzip.on('end', () => {
      if (gunzip === this.#gunzip && this.#trailing === null) this.#ended = true;
      this.#bell.ring();
    });
    gunzip.on('error', (error) => {
      if (gunzip === this.#gunzip) this.#fault = error;
      this.#bell.ring();
    });
    return gunzip;
  }

  /** Moves as much of the available output as fits; 0 if the given pieces have no more output. */
  #take(into: Uint8Array, at: number): number {
    let end = at;
    while (end < into.length) {
      if (this.#rest.length === 0) {
        const chunk: Buffer | null = this.#gunzip.read();
        if (chunk === null) break;
        const skipped = Math.min(chunk.length, this.#skip);
        this.#skip -= skipped;
        this.#rest = chunk.subarray(skipped);
      }
      const fits = Math.min(this.#rest.length, into.length - end);
      into.set(this.#rest.subarray(0, fits), end);
      this.#rest = this.#rest.subarray(fits);
      end += fits;
    }
    return end - at;
  }

  async #feed(): Promise<void> {
    this.#fed += this.#pieceSize;
    this.#pieceSize = await this.#tape.read(this.#piece.subarray(0, this.#nextPieceSize()));
    const gunzip = this.#gunzip;
    this.#writing = true;
    if (this.#pieceSize === 0) {
      gunzip.end();
      return;
    }
    const piece = this.#piece.subarray(0, this.#pieceSize);
    gunzip.write(piece, (error) => {
      if (error || gunzip !== this.#gunzip) return;
      this.#writing = false;
      const used = gunzip.bytesWritten - this.#fed;
      if (used < piece.length) this.#trailing = piece.subarray(used);
      this.#bell.ring();
    });
  }

  #nextPieceSize(): number {
    if (this.#fed >= this.#fineFrom) return this.#fineStep;
    const usual = this.#tape.canRewind ? PIECE_BYTES : LONG_STREAM_PIECE_BYTES;
    return Math.min(usual, this.#fineFrom - this.#fed);
  }

  /** Starts again with smaller pieces around the fault, or throws the fault if they cannot be smaller. */
  #comeCloser(fault: Error): void {
    if (this.#pieceSize <= 1 || !this.#tape.rewind()) throw wordsForFault(fault);
    this.#fineFrom = this.#fed;
    this.#fineStep = this.#pieceSize > FINE_BYTES ? FINE_BYTES : 1;
    this.#gunzip = this.#start();
    this.#fed = 0;
    this.#pieceSize = 0;
    this.#skip = this.#delivered;
    this.#fault = null;
    this.#writing = false;
  }

  /** zlib stops at a zero byte after a member: that is padding, as tapes and block devices write it, and no fault. */
  async #checkTrailing(trailing: Uint8Array): Promise<void> {
    if (trailing.some((byte) => byte !== 0)) throw new SourceError(FOREIGN_BYTES);
    const count = await this.#tape.read(this.#piece);
    if (count === 0) this.#ended = true;
    else this.#trailing = this.#piece.subarray(0, count);
  }
}

/** Compressed bytes that can be read again from the start: those of a file, or a small number. */
class Tape {
  readonly raw: RawBytes;
  #kept: Uint8Array[] | null = [];
  #keptBytes = 0;
  /** Kept pieces to be read again. */
  #toReread: Uint8Array[] = [];

  constructor(raw: RawBytes) {
    this.raw = raw;
  }

  get canRewind(): boolean {
    return this.raw.canRewind || this.#kept !== null;
  }

  async read(into: Uint8Array): Promise<number> {
    const piece = this.#toReread.shift();
    if (piece !== undefined) {
      const fits = Math.min(piece.length, into.length);
      into.set(piece.subarray(0, fits));
      if (fits < piece.length) this.#toReread.unshift(piece.subarray(fits));
      return fits;
    }
    const count = await this.raw.read(into, 0);
    if (!this.raw.canRewind && this.#kept !== null)
      this.#keep(Buffer.from(into.subarray(0, count)), this.#kept);
    return count;
  }

  rewind(): boolean {
    if (this.raw.canRewind) return this.raw.rewind();
    if (this.#kept === null) return false;
    this.#toReread = [...this.#kept];
    return true;
  }

  #keep(piece: Uint8Array, kept: Uint8Array[]): void {
    kept.push(piece);
    this.#keptBytes += piece.length;
    if (this.#keptBytes > KEPT_BYTES) this.#kept = null;
  }
}

const FOREIGN_BYTES = 'its gzip data is followed by something that is not gzip';

function wordsForFault(fault: Error): SourceError {
  const options = { cause: fault };
  if (codeOf(fault) === 'Z_BUF_ERROR') return new SourceError('its gzip data is cut off', options);
  // The first header was valid, so this one comes after a whole member.
  if (fault.message === 'incorrect header check') return new SourceError(FOREIGN_BYTES, options);
  return new SourceError(`its gzip data is corrupt: ${fault.message}`, options);
}
