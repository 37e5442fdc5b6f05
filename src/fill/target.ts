/**
 * Where filled sources go. A run hands over each source from its beginning to its end, one after another; a target is one of the ways
 * in which `fill` is asked to leave them.
 */

import { SourceError } from '../errors.ts';
import { codeOf, wordsFor } from '../input/system-errors.ts';
import { type Insertion, InsertionLog } from '../json/edits.ts';
import { unifiedDiff } from '../output/diff.ts';
import type { DiffName } from '../output/diff-name.ts';
import type { Output } from '../output/output.ts';
import { Spool } from '../output/spool.ts';
import { Unchanged } from '../output/unchanged.ts';
import type { Source } from '../types.ts';

export interface Target {
  /** Whether the bytes are wanted, or only what was inserted. */
  readonly wantsBytes: boolean;
  readonly wantsInsertions: boolean;
  /** Whether `end` may answer with a failure: then nothing is reported of a source before it is known. */
  readonly mayFail: boolean;
  /** Whether it does work of its own on files: then the run goes on even if its report has no reader any more. */
  readonly writesFiles: boolean;
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
  readonly mayFail = false;
  readonly writesFiles = false;
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

/** What a diff needs to know of the files. */
export interface DiffFiles {
  /** The bytes of a source once more. */
  read(source: Source): AsyncIterable<Buffer>;
  /** What the diff calls it. Throws what the file system throws. */
  nameOf(source: Source): DiffName;
}

/**
 * A unified diff to standard output. That of a file is printed once it is known to be right: lines are read after the places of what goes
 * into them, and the file could have changed in between.
 */
export class DiffTarget implements Target {
  readonly wantsBytes = false;
  readonly wantsInsertions = true;
  readonly mayFail = true;
  readonly writesFiles = false;
  readonly #output: Output;
  readonly #files: DiffFiles;
  readonly #unchanged: Unchanged;
  #source: Source | null = null;
  #insertions = new InsertionLog();
  #spool = new Spool();

  /** `sources`: none of them read yet. */
  constructor(output: Output, sources: readonly Source[], files: DiffFiles) {
    this.#output = output;
    this.#files = files;
    this.#unchanged = new Unchanged(sources);
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
    if (!whole || this.#insertions.offsets.length === 0) return { filled: false, failure: null };
    try {
      const failure = await this.#draw(this.#source!); // between begin and end
      if (failure !== null) return { filled: false, failure };
      for (const piece of this.#spool.read()) await this.#output.writeBytes(piece);
      return ALL_LEFT;
    } finally {
      this.#spool.close();
    }
  }

  /** Leaves the diff in the spool; answers why it cannot. */
  async #draw(source: Source): Promise<string | null> {
    try {
      const { name, failure } = this.#files.nameOf(source);
      if (name === null) return failure;
      const pieces = unifiedDiff(name, this.#insertions, () => this.#files.read(source));
      for await (const piece of pieces) this.#spool.write(piece);
    } catch (error) {
      if (!(error instanceof SourceError) && codeOf(error) === null) throw error;
      if (this.#unchanged.has(source)) return `cannot be compared with: ${wordsFor(error)}`;
    }
    return this.#unchanged.has(source) ? null : 'was changed while it was read; there is no diff of it';
  }

  async close(): Promise<void> {
    this.#spool.close();
    await this.#output.close();
  }
}

/** Nothing is left anywhere: `--check`. */
export const NO_TARGET: Target = {
  wantsBytes: false,
  wantsInsertions: false,
  mayFail: false,
  writesFiles: false,
  begin() {},
  bytes() {},
  insertion() {},
  async flush() {},
  async end() {
    return ALL_LEFT;
  },
  async close() {},
};
