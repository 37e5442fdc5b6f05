/**
 * `--write`: filled sources back into their files, each whole or not at all. One that lacks nothing is not touched, and one that
 * was changed meanwhile is left alone.
 */
import type { BigIntStats } from 'node:fs';
import { Interrupted, wordsFor } from '../input/failure.ts';
import type { Insertion } from '../json/edits.ts';
import type { Source } from '../types.ts';
import { type Disk, REAL_DISK, Rewrite, statsOf } from './rewrite.ts';
import type { Left, Target } from './target.ts';

export class InPlaceTarget implements Target {
  readonly wantsBytes = true;
  readonly wantsInsertions = false;
  /** What the files were like before anything was read. */
  readonly #before = new Map<Source, BigIntStats | null>();
  readonly #read: (source: Source) => AsyncIterable<Uint8Array>;
  readonly #disk: Disk;
  #source: Source | null = null;
  #rewrite: Rewrite | null = null;
  #chunks: { chunk: Uint8Array; changed: boolean }[] = [];
  /** Bytes of the present source that went by before the first change. */
  #unchanged = 0;
  #error: unknown = null;

  /** `sources`: files, none of them read yet; `read`: the bytes of one once more. */
  constructor(
    sources: readonly Source[],
    read: (source: Source) => AsyncIterable<Uint8Array>,
    disk: Disk = REAL_DISK,
  ) {
    this.#read = read;
    this.#disk = disk;
    for (const source of sources) this.#before.set(source, statsOf(source.path!, disk));
  }

  begin(source: Source): void {
    this.#source = source;
    this.#unchanged = 0;
    this.#error = null;
  }

  bytes(chunk: Uint8Array, changed: boolean): void {
    this.#chunks.push({ chunk, changed });
  }

  insertion(_: Insertion): void {}

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (this.#error !== null) return;
    try {
      for (const { chunk, changed } of chunks) await this.#take(chunk, changed);
    } catch (error) {
      this.#abandon();
      if (error instanceof Interrupted) throw error;
      this.#error = error;
    }
  }

  async #take(chunk: Uint8Array, changed: boolean): Promise<void> {
    if (this.#rewrite === null && !changed) {
      this.#unchanged += chunk.length;
      return;
    }
    if (this.#rewrite === null) {
      const source = this.#source!; // bytes come between begin and end
      this.#rewrite = new Rewrite(source.path!, this.#disk); // only files are written back
      await this.#rewrite.copy(this.#read(source), this.#unchanged);
    }
    await this.#rewrite.write(chunk);
  }

  async end(whole: boolean): Promise<Left> {
    await this.flush();
    const rewrite = this.#rewrite;
    try {
      if (this.#error !== null) return failure(`cannot be written: ${wordsFor(this.#error)}`);
      if (rewrite === null || !whole) return { filled: false, failure: null };
      await rewrite.finish();
      if (!this.#isAsBefore(this.#source!))
        return failure('was changed while it was read, and is left as it is');
      rewrite.putInPlace();
      return { filled: true, failure: null };
    } catch (error) {
      return failure(`cannot be written: ${wordsFor(error)}`);
    } finally {
      this.#abandon();
    }
  }

  #isAsBefore(source: Source): boolean {
    const before = this.#before.get(source) ?? null;
    const now = statsOf(source.path!, this.#disk);
    return (
      before !== null &&
      now !== null &&
      before.ino === now.ino &&
      before.dev === now.dev &&
      before.size === now.size &&
      before.mtimeNs === now.mtimeNs
    );
  }

  async close(): Promise<void> {
    this.#abandon();
  }

  #abandon(): void {
    this.#rewrite?.abandon();
    this.#rewrite = null;
  }
}

function failure(message: string): Left {
  return { filled: false, failure: message };
}
