/**
 * A regular file that is open already, such as the one to which standard output is redirected. Large pieces are written
 * by another thread, so that the caller can continue. Exception: pieces in shared memory come from threads that already
 * use every core, and another thread would slow them down.
 */
import { write, writeSync, writev, writevSync } from 'node:fs';
import { WriteError } from '../errors.ts';
import { wordsFor } from '../input/system-errors.ts';
import type { ByteTarget } from './byte-target.ts';
import { isShared } from './shared-piece.ts';

/** Smaller pieces are written at once: to start the write in another thread takes longer. */
const LARGE_BYTES = 1 << 16;

/**
 * Some systems take several times as long for larger writes, in which they use larger pages. Most pieces are a little
 * larger than a megabyte.
 */
const MOST_BYTES = 5 << 18;

export class FileTarget implements ByteTarget {
  readonly name: string;
  readonly writesMeanwhile = true;
  readonly #fd: number;

  /** `fd` stays open. `name` is for messages. */
  constructor(fd: number, name: string) {
    this.#fd = fd;
    this.name = name;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length; )
        at +=
          bytes.length < LARGE_BYTES || isShared(bytes)
            ? writeSync(this.#fd, bytes, at, Math.min(MOST_BYTES, bytes.length - at))
            : await this.#writeMeanwhile(bytes, at);
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  async writeAll(pieces: readonly Uint8Array[]): Promise<void> {
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return this.write(only);
    let rest = pieces;
    try {
      while (rest.length > 0)
        rest = withoutFirst(
          rest,
          rest.every(isShared) ? writevSync(this.#fd, rest) : await this.#writeSeveral(rest),
        );
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  #writeMeanwhile(bytes: Uint8Array, at: number): Promise<number> {
    return new Promise((done, fail) => {
      const count = Math.min(MOST_BYTES, bytes.length - at);
      write(this.#fd, bytes, at, count, null, (error, written) =>
        error === null ? done(written) : fail(error),
      );
    });
  }

  #writeSeveral(pieces: readonly Uint8Array[]): Promise<number> {
    return new Promise((done, fail) => {
      writev(this.#fd, [...pieces], (error, count) => (error === null ? done(count) : fail(error)));
    });
  }

  #failure(cause: unknown): WriteError {
    return new WriteError(`cannot write to ${this.name}: ${wordsFor(cause)}`, { cause });
  }

  async finish(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}
}

/** The pieces that are left when their first `count` bytes have been written. */
function withoutFirst(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let written = 0;
  let left = count;
  for (const { length } of pieces) {
    if (left < length) break;
    left -= length;
    written++;
  }
  const rest = pieces.slice(written);
  return left === 0 ? rest : [rest[0]!.subarray(left), ...rest.slice(1)];
}
