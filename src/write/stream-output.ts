/** Output to streams: collected, written with back-pressure, and counted as written when the stream confirms it. */
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';

import { ClosedPipe, WriteError } from '../errors.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import type { OutputStream } from '../types.ts';

export class Output {
  readonly #stream: OutputStream;
  readonly #name: string;
  readonly #owned: Writable | null;
  #waiting = '';
  #error: Error | null = null;
  readonly #onError = (error: Error): void => {
    this.#error ??= error;
  };

  /** `owned`: `stream` itself, if `close` must end it. `name` is for messages. */
  constructor(stream: OutputStream, name: string, owned: Writable | null = null) {
    this.#stream = stream;
    this.#name = name;
    this.#owned = owned;
    stream.on('error', this.#onError);
  }

  write(text: string): void {
    this.#waiting += text;
  }

  /** The output was opened for this run only: no other process reads it meanwhile. */
  get isOwned(): boolean {
    return this.#owned !== null;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Writes the collected text and waits until the stream has taken it. Throws ClosedPipe or WriteError. */
  async flush(): Promise<void> {
    this.#check();
    const waiting = this.#waiting;
    this.#waiting = '';
    if (waiting !== '') await this.#send(waiting);
  }

  /** Bytes after the collected text. The caller may reuse them when this has resolved. Throws as `flush` does. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#send(bytes);
  }

  async #send(text: string | Uint8Array): Promise<void> {
    await new Promise<void>((done) => {
      this.#stream.write(text, (error) => {
        if (error) this.#error ??= error;
        done();
      });
      // A stream that was destroyed before may never call back.
      if (this.#stream.destroyed) done();
    });
    this.#check();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
      const stream = this.#owned;
      if (stream === null) return;
      await new Promise<void>((done) => {
        stream.once('close', done);
        if (stream.closed) done();
        else stream.end();
      });
      this.#check();
    } finally {
      this.#stream.off('error', this.#onError);
      // Errors after the last write are ignored.
      this.#stream.on('error', () => {});
    }
  }

  /** Closes a file without completing it: one that is written whole or not at all stays as it was. Never throws. */
  async discard(): Promise<void> {
    const stream = this.#owned;
    if (stream === null || stream.closed) return;
    await new Promise<void>((done) => {
      stream.once('close', done);
      stream.destroy();
    });
  }

  #check(): void {
    if (this.#error === null) return;
    const code = codeOf(this.#error);
    if (this.#owned === null && (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED')) {
      throw new ClosedPipe(this.#name, { cause: this.#error });
    }
    throw new WriteError(`cannot write to ${this.#name}: ${wordsFor(this.#error)}`, { cause: this.#error });
  }
}

/** A file for a report. `w` creates or empties it; `a` appends. Throws WriteError if it cannot be opened. */
export async function createOutputFile(path: string, cwd: string, flags: 'w' | 'a' = 'w'): Promise<Output> {
  let stream: Writable;
  try {
    stream = createWriteStream(resolve(cwd, path), { flags });
  } catch (cause) {
    // An invalid path is refused at once. Other errors are emitted.
    throw new WriteError(`cannot write to ${path}: ${wordsFor(cause)}`, { cause });
  }
  const output = new Output(stream, path, stream);
  await new Promise<void>((done) => {
    stream.once('open', () => done());
    stream.once('error', () => done());
  });
  await output.flush();
  return output;
}

/** An output to a descriptor that the process was started with, which stays open. `name` is for messages. */
export function descriptorOutput(descriptor: number, name: string): Output {
  const stream = createWriteStream('', { fd: descriptor, autoClose: false });
  return new Output(stream, name, stream);
}

/** A stream that drops everything: for reports whose events are taken instead of their text. */
export const NOWHERE: OutputStream = {
  destroyed: false,
  write(_, done) {
    done?.();
  },
  on() {},
  off() {},
};

/** How much of the input was read: all of it, a part, or all of it but without any payload, which the user did not allow. */
export type Extent = 'whole' | 'part' | 'empty';

/** Standard output, or a file that is written whole or not at all. Methods throw ClosedPipe and WriteError. */
export interface ByteTarget {
  /** Takes bytes, which may be used again once this has resolved. */
  write(bytes: Uint8Array): Promise<void>;
  /** There are no more bytes. Resolves to what the user should know, in one clause; null if there is nothing. */
  finish(extent: Extent): Promise<string | null>;
  /** Frees what is open, and leaves nothing half-done. Never throws if `finish` was not called. */
  close(): Promise<void>;
  readonly name: string;
}

/** An output that gets the bytes as they come: standard output, or a file that cannot be replaced, such as a device. */
export class OutputTarget implements ByteTarget {
  readonly name: string;
  readonly #output: Output;

  constructor(output: Output, name: string) {
    this.#output = output;
    this.name = name;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#output.writeBytes(bytes);
  }

  async finish(): Promise<null> {
    return null;
  }

  close(): Promise<void> {
    return this.#output.close();
  }
}
