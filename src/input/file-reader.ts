/**
 * Reads a descriptor synchronously into the caller's buffer: from the page cache, that is ten times as fast as a
 * stream. For regular files, and for devices, which are read again later if they have no bytes yet.
 */

import { fstatSync, readSync } from 'node:fs';
import { Interrupted } from '../errors.ts';
import { type FileState, type RawBytes, roomIn } from './byte-reader.ts';
import { closeRead } from './read-file.ts';
import { changedError, codeOf, sourceError } from './system-errors.ts';

/** Linux reads at most 2 GiB less a page per call, and Node refuses to ask for more. */
const MAX_READ_BYTES = 1 << 30;

/** Milliseconds before a device without bytes is read again. */
const DEVICE_PAUSE_MS = 20;

export interface FileFacts {
  /** In bytes; null if it has no size. */
  readonly size: number | null;
  /** Read by position; null: read from the descriptor's current position. */
  readonly file: FileState | null;
  /** Whether closing the reader closes the descriptor. */
  readonly owns: boolean;
  /** Whether the path still leads to this file; null: not checked. */
  readonly isThere: (() => boolean) | null;
}

export class FileBytes implements RawBytes {
  readonly #fd: number;
  readonly #facts: FileFacts;
  readonly #interrupt: AbortSignal;
  #position = 0;
  #furthest = 0;
  #putBack: Uint8Array = new Uint8Array(0);
  #closed = false;
  #atEnd = false;

  constructor(fd: number, facts: FileFacts, interrupt: AbortSignal) {
    this.#fd = fd;
    this.#facts = facts;
    this.#interrupt = interrupt;
  }

  get progress(): { readonly bytes: number; readonly size: number | null } {
    return { bytes: this.#furthest, size: this.#facts.size };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
    const room = roomIn(into, at);
    const back = this.#takeBack(into, at, room);
    if (back === room) return back;
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#readNow(into, at + back, room - back);
      if (count !== null) return back + count;
      if (back > 0) return back;
      await pause(this.#interrupt);
    }
  }

  unread(bytes: Uint8Array): void {
    this.#putBack = Buffer.concat([bytes, this.#putBack]);
  }

  async close(): Promise<void> {
    if (this.#closed || !this.#facts.owns) return;
    this.#closed = true;
    closeRead(this.#fd);
  }

  #takeBack(into: Uint8Array, at: number, room: number): number {
    const count = Math.min(this.#putBack.length, room);
    if (count > 0) {
      into.set(this.#putBack.subarray(0, count), at);
      this.#putBack = this.#putBack.subarray(count);
    }
    return count;
  }

  /**
   * Returns 0. Throws a SourceError for a file that was replaced or became shorter. The size is read again, because on
   * some file systems it differs from the content.
   */
  #end(): number {
    const { size, isThere } = this.#facts;
    if (isThere?.() === false) throw changedError();
    if (size !== null && this.#position < size && fstatSync(this.#fd).size < size) throw changedError();
    return 0;
  }

  /** Null: no bytes yet. After the end it always returns 0, although a terminal could give more. */
  #readNow(into: Uint8Array, at: number, room: number): number | null {
    try {
      if (this.#atEnd) return this.#end();
      const position = this.#facts.file === null ? null : this.#position;
      const wanted = Math.min(room, MAX_READ_BYTES);
      const count = readSync(this.#fd, into, at, wanted, position);
      // A regular file returns fewer bytes than requested only at its end, so a small file takes one read.
      this.#atEnd = count === 0 || (this.#facts.file !== null && count < wanted);
      this.#position += count;
      this.#furthest = Math.max(this.#furthest, this.#position);
      return count === 0 ? this.#end() : count;
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return null;
      throw sourceError(error);
    }
  }
}

/** Waits a moment, or until the interrupt. */
function pause(interrupt: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      interrupt.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, DEVICE_PAUSE_MS);
    interrupt.addEventListener('abort', end);
  });
}
