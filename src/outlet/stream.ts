/**
 * Payloads to standard output, source after source.
 */
import type { Output } from '../output/output.ts';
import { ALL_LEFT, type Destination, type Left } from './destination.ts';

const LINE_FEED = 0x0a;

export class StreamDestination implements Destination {
  readonly mayFail = false;
  readonly writesFiles = false;
  readonly #output: Output;
  #chunks: Uint8Array[] = [];
  /** The last byte written; a line feed if there is none. */
  #last = LINE_FEED;
  #begun = false;

  constructor(output: Output) {
    this.#output = output;
  }

  begin(): void {
    this.#begun = false;
  }

  bytes(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    // The payloads of two files must not run into one another.
    if (!this.#begun && this.#last !== LINE_FEED) this.#chunks.push(Uint8Array.of(LINE_FEED));
    this.#begun = true;
    this.#last = chunk[chunk.length - 1]!;
    this.#chunks.push(chunk);
  }

  edit(): void {}

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    for (const chunk of chunks) await this.#output.writeBytes(chunk);
  }

  async end(): Promise<Left> {
    await this.flush();
    return ALL_LEFT;
  }

  async close(): Promise<void> {
    await this.#output.close();
  }
}
