/**
 * Decompresses gzip data on demand: it takes one piece of input at a time, and the next one only after the output of
 * the piece before has been read. So the bytes before a fault are delivered first.
 *
 * zlib drops the output of the piece that has a fault. If that is in the first 256 KiB, these are decompressed again in
 * small steps, so that little of small data is lost. For larger data, the output of the last piece is lost.
 */
import type { TransformOptions } from 'node:stream';
import { createGunzip, type Gunzip, gunzipSync, type ZlibOptions } from 'node:zlib';
import { Interrupted, SourceError } from '../errors.ts';
import { type ByteReader, freeBytes, type RawBytes } from './read-file.ts';
import { Bell } from './stream-reader.ts';
import { codeOf } from './system-errors.ts';

/** Measured: larger pieces gain nothing, and pieces of 4 KiB cost two thirds more. */
const PIECE_BYTES = 256 << 10;
/** Steps in which the pieces up to a fault are decompressed again, at most. */
const STEPS = 4096;
const OUTPUT_CHUNK_BYTES = 256 << 10;
const GUNZIP_OPTIONS: ZlibOptions & TransformOptions = {
  chunkSize: OUTPUT_CHUNK_BYTES,
  readableHighWaterMark: OUTPUT_CHUNK_BYTES,
};

export class GunzipBytes implements ByteReader {
  readonly isCompressed = true;
  readonly #raw: RawBytes;
  readonly #interrupt: AbortSignal;
  readonly #bell = new Bell();
  /** The latest piece. Pieces lie one after another while there is room: these are decompressed again after a fault. */
  readonly #pieces = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #gunzip: Gunzip;
  /** Input before the latest piece, and the size of that piece, in bytes. */
  #fed = 0;
  #pieceSize = 0;
  #writing = false;
  #ended = false;
  #fault: Error | null = null;
  /** Bytes after the gzip data, in the latest piece. */
  #trailing: Uint8Array | null = null;
  #rest: Uint8Array = new Uint8Array(0);
  /** Most bytes of the next piece. */
  #step = PIECE_BYTES;
  /** Output delivered to the caller, and output of the second pass that the first had delivered. */
  #delivered = 0;
  #skip = 0;

  constructor(raw: RawBytes, interrupt: AbortSignal) {
    this.#raw = raw;
    this.#interrupt = interrupt;
    this.#gunzip = this.#start();
  }

  get progress(): ByteReader['progress'] {
    return this.#raw.progress;
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    freeBytes(into, at);
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#take(into, at);
      this.#delivered += count;
      if (count > 0) return count;
      if (this.#ended) return 0;
      if (this.#fault !== null) this.#retry(this.#fault);
      else if (this.#trailing !== null) await this.#checkTrailing(this.#trailing);
      // zlib responds soon. Only the source may take long, and it handles the interrupt itself.
      else if (this.#writing) await this.#bell.wait();
      else await this.#feed();
    }
  }

  async close(): Promise<void> {
    this.#gunzip.destroy();
    await this.#raw.close();
  }

  #start(): Gunzip {
    const gunzip = createGunzip(GUNZIP_OPTIONS);
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
    const start = this.#fed < PIECE_BYTES ? this.#fed : 0;
    this.#pieceSize = await this.#raw.read(this.#pieces.subarray(start, start + this.#step), 0);
    const gunzip = this.#gunzip;
    this.#writing = true;
    if (this.#pieceSize === 0) {
      gunzip.end();
      return;
    }
    const piece = this.#pieces.subarray(start, start + this.#pieceSize);
    gunzip.write(piece, (error) => {
      if (error || gunzip !== this.#gunzip) return;
      this.#writing = false;
      const used = gunzip.bytesWritten - this.#fed;
      if (used < piece.length) this.#trailing = piece.subarray(used);
      this.#bell.ring();
    });
  }

  /** Decompresses all pieces again, in small steps. Throws the fault if that is not possible, or was tried before. */
  #retry(fault: Error): void {
    const size = this.#fed + this.#pieceSize;
    if (size > PIECE_BYTES || this.#pieceSize === 0 || this.#step < PIECE_BYTES) throw wordsForFault(fault);
    this.#step = Math.max(1, Math.floor(size / STEPS));
    this.#raw.unread(Buffer.from(this.#pieces.subarray(0, size)));
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
    const count = await this.#raw.read(this.#pieces, 0);
    if (count === 0) this.#ended = true;
    else this.#trailing = this.#pieces.subarray(0, count);
  }
}

/** All that gzip data in memory contains. Throws SourceError. */
export function gunzipNow(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw wordsForFault(error as Error); // of zlib
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
