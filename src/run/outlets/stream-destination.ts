/** Payloads to one or several outputs: standard output, and files that are written whole or not at all. */

import { LINE_FEED } from '../../json/skip.ts';
import type { Failure } from '../../types.ts';
import type { Layout } from '../../wasm/layout.ts';
import type { ByteTarget, Extent } from '../../write/stream-output.ts';
import { ALL_WRITTEN, type Destination, type SourceOutcome } from './outlet.ts';

/** Chunks are joined to writes of at most this size, in bytes: many small ones take longer than their copy. */
const WRITE_BYTES = 1 << 18;
/** A chunk of this size is written by itself: its copy takes longer. */
const LARGE_BYTES = 1 << 15;

/** The text around the payloads of an array. Each payload begins with a comma; the first comma is dropped. */
interface ArrayFrame {
  readonly open: Uint8Array;
  readonly close: Uint8Array;
  readonly empty: Uint8Array;
}

const ARRAY_FRAME: ArrayFrame = { open: Buffer.from('['), close: Buffer.from(']\n'), empty: Buffer.from('[]\n') };
const PRETTY_ARRAY: ArrayFrame = { ...ARRAY_FRAME, close: Buffer.from('\n]\n') };

export function frameOf(layout: Layout): ArrayFrame | null {
  return layout === 'lines' ? null : layout === 'array' ? ARRAY_FRAME : PRETTY_ARRAY;
}

export class StreamDestination implements Destination {
  readonly #channels: readonly Channel[];

  /** One target for each channel. `frame`: the payloads are the elements of one array. */
  constructor(targets: readonly ByteTarget[], frame: ArrayFrame | null = null) {
    this.#channels = targets.map((target) => new Channel(target, frame));
  }

  begin(): void {
    for (const channel of this.#channels) channel.begin();
  }

  bytes(chunk: Uint8Array, _changed: boolean, channel = 0): void {
    this.#channels[channel]!.bytes(chunk); // the verb has made one for each channel of its outlet
  }

  async flush(): Promise<void> {
    for (const channel of this.#channels) await channel.flush();
  }

  async end(): Promise<readonly SourceOutcome[]> {
    await this.flush();
    return [ALL_WRITTEN];
  }

  async finish(extent: Extent): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const channel of this.#channels) {
      const message = await channel.finish(extent);
      if (message !== null) failures.push({ file: channel.target.name, message });
    }
    return failures;
  }

  async close(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#channels.map(({ target }) => target.close()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

class Channel {
  readonly target: ByteTarget;
  readonly #frame: ArrayFrame | null;
  #chunks: Uint8Array[] = [];
  /** Where chunks are joined; null until some are. Memory that is used again needs no new pages. */
  #joined: Buffer | null = null;
  /** The last byte; a line feed if there is none. */
  #last = LINE_FEED;
  #begun = false;
  #isEmpty = true;

  constructor(target: ByteTarget, frame: ArrayFrame | null) {
    this.target = target;
    this.#frame = frame;
  }

  begin(): void {
    this.#begun = false;
  }

  bytes(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#frame !== null && this.#isEmpty) {
      this.#chunks.push(this.#frame.open);
      this.#chunks.push(chunk.subarray(1));
    } else {
      // The payloads of two files must not be on one line.
      if (this.#frame === null && !this.#begun && this.#last !== LINE_FEED) this.#chunks.push(Uint8Array.of(LINE_FEED));
      this.#chunks.push(chunk);
    }
    this.#begun = true;
    this.#isEmpty = false;
    this.#last = chunk[chunk.length - 1]!;
  }

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    if (chunks.length === 0) return;
    this.#chunks = [];
    if (chunks.length === 1) {
      await this.target.write(chunks[0]!);
      return;
    }
    let size = 0;
    for (const chunk of chunks) {
      const isLarge = chunk.length >= LARGE_BYTES;
      if (isLarge || size + chunk.length > WRITE_BYTES) {
        await this.#writeJoined(size);
        size = 0;
      }
      if (isLarge) await this.target.write(chunk);
      else {
        this.#joined ??= Buffer.allocUnsafeSlow(WRITE_BYTES);
        this.#joined.set(chunk, size);
        size += chunk.length;
      }
    }
    await this.#writeJoined(size);
  }

  async #writeJoined(size: number): Promise<void> {
    if (size > 0) await this.target.write(this.#joined!.subarray(0, size));
  }

  async finish(extent: Extent): Promise<string | null> {
    if (this.#frame !== null) this.#chunks.push(this.#isEmpty ? this.#frame.empty : this.#frame.close);
    await this.flush();
    return this.target.finish(extent);
  }
}
