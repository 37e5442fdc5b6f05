/**
 * Where filled sources go. A run hands over each source from its beginning to its end, one after another; a target is one of the ways
 * in which `fill` is asked to leave them.
 */

import { SourceError } from '../input/failure.ts';
import { type Insertion, InsertionLog } from '../json/edits.ts';
import type { Output } from '../output.ts';
import type { Source } from '../types.ts';
import { unifiedDiff } from './diff.ts';

export interface Target {
  /** Whether the bytes are wanted, or only what was inserted. */
  readonly wantsBytes: boolean;
  readonly wantsInsertions: boolean;
  begin(source: Source): void;
  /** Bytes of the present source, good until `flush` has resolved. `changed`: there is something among them that was filled in. */
  bytes(chunk: Uint8Array, changed: boolean): void;
  insertion(insertion: Insertion): void;
  /** Throws ClosedPipe and WriteError. */
  flush(): Promise<void>;
  /** The present source is done; `whole` where all of it was read. */
  end(whole: boolean): Promise<Left>;
  /** The run is over, or broken off: nothing half-done stays. */
  close(): Promise<void>;
}

/** What has become of a source. */
export interface Left {
  /** What was filled in has been left somewhere. */
  readonly filled: boolean;
  /** What kept it from being left, in one clause. */
  readonly failure: string | null;
  /** What could not be kept as it was, in one clause; absent or null if everything was. */
  readonly warning?: string | null;
}

const ALL_LEFT: Left = { filled: true, failure: null };

/** Payloads to standard output: each source as it is, but for what is filled in. */
export class StreamTarget implements Target {
  readonly wantsBytes = true;
  readonly wantsInsertions = false;
  readonly #output: Output;
  #chunks: Uint8Array[] = [];
  /** The last byte written; a line feed where none was. */
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

  insertion(): void {}

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

const LINE_FEED = 0x0a;

const GATHER_BYTES = 1 << 16;

/** A unified diff to standard output. */
export class DiffTarget implements Target {
  readonly wantsBytes = false;
  readonly wantsInsertions = true;
  readonly #output: Output;
  readonly #read: (source: Source) => AsyncIterable<Buffer>;
  #source: Source | null = null;
  #insertions = new InsertionLog();

  /** `read`: the bytes of a source once more. */
  constructor(output: Output, read: (source: Source) => AsyncIterable<Buffer>) {
    this.#output = output;
    this.#read = read;
  }

  begin(source: Source): void {
    this.#source = source;
    this.#insertions = new InsertionLog();
  }

  bytes(): void {}

  insertion(insertion: Insertion): void {
    this.#insertions.add(insertion);
  }

  async flush(): Promise<void> {}

  async end(whole: boolean): Promise<Left> {
    if (!whole) return { filled: false, failure: null };
    const source = this.#source!; // between begin and end
    try {
      await this.#write(unifiedDiff(source.name, this.#insertions, () => this.#read(source)));
      return ALL_LEFT;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { filled: false, failure: `cannot be compared with: ${error.message}` };
    }
  }

  async #write(pieces: AsyncIterable<Buffer>): Promise<void> {
    let gathered: Buffer[] = [];
    let size = 0;
    for await (const piece of pieces) {
      gathered.push(piece);
      size += piece.length;
      if (size < GATHER_BYTES) continue;
      await this.#output.writeBytes(Buffer.concat(gathered));
      gathered = [];
      size = 0;
    }
    await this.#output.writeBytes(Buffer.concat(gathered));
  }

  async close(): Promise<void> {
    await this.#output.close();
  }
}

/** Nothing is left anywhere: `--check`. */
export const NO_TARGET: Target = {
  wantsBytes: false,
  wantsInsertions: false,
  begin() {},
  bytes() {},
  insertion() {},
  async flush() {},
  async end() {
    return ALL_LEFT;
  },
  async close() {},
};
