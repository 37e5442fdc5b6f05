/**
 * Reads a Node stream on demand: nothing is taken from it before it is needed, so its back-pressure works. For standard
 * input, FIFOs and terminals. An interrupt ends a pending read at once.
 */
import type { Readable } from 'node:stream';
import { Interrupted, SourceError } from '../errors.ts';
import { freeBytes, type RawBytes } from './read-file.ts';
import { sourceError } from './system-errors.ts';

/** Lets one waiter sleep until `ring`. One without a waiter is lost: no `await` before `wait`, after the last look. */
export class Bell {
  #wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.#wake?.();
    this.#wake = null;
  };

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const EVENTS = ['readable', 'end', 'close'] as const;

export class StreamBytes implements RawBytes {
  readonly #stream: Readable;
  readonly #interrupt: AbortSignal;
  readonly #size: number | undefined;
  readonly #bell = new Bell();
  /** Taken from the stream, but not read yet. */
  #pending: Uint8Array[] = [];
  #taken = 0;
  #error: unknown = null;

  /** `size`: bytes to request at once, if the stream has them; without it, the stream decides. */
  constructor(stream: Readable, interrupt: AbortSignal, size?: number) {
    this.#stream = stream;
    this.#interrupt = interrupt;
    this.#size = size;
    for (const event of EVENTS) stream.on(event, this.#bell.ring);
    // It is never removed: a stream that fails later must not end the process.
    stream.on('error', (error) => {
      this.#error = error;
      this.#bell.ring();
    });
    interrupt.addEventListener('abort', this.#bell.ring);
  }

  get progress(): { readonly bytes: number; readonly size: null } {
    return { bytes: this.#taken, size: null };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    freeBytes(into, at);
    for (;;) {
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      const count = this.#take(into, at);
      if (count > 0) return count;
      // A stream knows its error before it emits it.
      const error = this.#error ?? this.#stream.errored;
      if (error !== null) throw sourceError(error);
      if (this.#stream.readableEnded) return 0;
      if (this.#stream.destroyed) throw new SourceError('it was closed before its end');
      await this.#bell.wait();
    }
  }

  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pending.unshift(bytes);
  }

  async close(): Promise<void> {
    for (const event of EVENTS) this.#stream.off(event, this.#bell.ring);
    this.#interrupt.removeEventListener('abort', this.#bell.ring);
    this.#pending = [];
    this.#stream.destroy();
  }

  #take(into: Uint8Array, at: number): number {
    let end = at;
    while (end < into.length) {
      const chunk = this.#pending.shift() ?? this.#next();
      if (chunk === null) break;
      const fits = Math.min(chunk.length, into.length - end);
      into.set(chunk.subarray(0, fits), end);
      end += fits;
      if (fits < chunk.length) this.#pending.unshift(chunk.subarray(fits));
    }
    return end - at;
  }

  #next(): Uint8Array | null {
    // Node's streams for files give bytes. A caller of the library may pass a stream of strings.
    const chunk: Uint8Array | string | null = this.#stream.read(this.#size) ?? this.#stream.read();
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (bytes !== null) this.#taken += bytes.length;
    return bytes;
  }
}
