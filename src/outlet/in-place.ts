/**
 * `--write`: writes filled sources back into their files, each whole or not at all. A file without changes is not
 * touched, and one that changed in the meantime is left alone.
 */
import { Interrupted } from '../errors.ts';
import { wordsFor } from '../input/system-errors.ts';
import type { ByteEdit } from '../json/edits.ts';
import { createWriteRun, Rewrite, type WriteRun, type WriteSettings } from '../output/rewrite.ts';
import { Unchanged } from '../output/unchanged.ts';
import type { Source } from '../types.ts';
import type { Destination, Left } from './destination.ts';

export class InPlaceDestination implements Destination {
  readonly mayFail = true;
  readonly writesFiles = true;
  readonly #unchanged: Unchanged;
  readonly #read: (source: Source) => AsyncIterable<Uint8Array>;
  readonly #run: WriteRun;
  #source: Source | null = null;
  #rewrite: Rewrite | null = null;
  #chunks: { chunk: Uint8Array; changed: boolean }[] = [];
  /** Edits that no rewrite has been given yet. */
  #edits: ByteEdit[] = [];
  /** Bytes of the current source before the first change. */
  #passed = 0;
  #error: unknown = null;

  /** `sources`: files, none of them read yet; `read`: reads the bytes of one again. */
  constructor(
    sources: readonly Source[],
    read: (source: Source) => AsyncIterable<Uint8Array>,
    settings: WriteSettings = {},
  ) {
    this.#read = read;
    this.#unchanged = new Unchanged(sources, settings.disk);
    this.#run = createWriteRun(settings);
  }

  begin(source: Source): void {
    this.#source = source;
    this.#passed = 0;
    this.#edits = [];
    this.#error = null;
  }

  bytes(chunk: Uint8Array, changed: boolean): void {
    this.#chunks.push({ chunk, changed });
  }

  edit(edit: ByteEdit): void {
    this.#edits.push(edit);
  }

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (this.#error !== null) return;
    try {
      for (const { chunk, changed } of chunks) await this.#take(chunk, changed);
    } catch (error) {
      await this.#abandon();
      if (error instanceof Interrupted) throw error;
      this.#error = error;
    }
  }

  async #take(chunk: Uint8Array, changed: boolean): Promise<void> {
    if (this.#rewrite === null && !changed) {
      this.#passed += chunk.length;
      return;
    }
    if (this.#rewrite === null) {
      const source = this.#source!; // bytes come between begin and end
      this.#rewrite = await Rewrite.begin(source.path!, this.#run); // only files are written back
      await this.#rewrite.copy(this.#read(source), this.#passed);
    }
    if (this.#edits.length > 0) this.#rewrite.expect(this.#edits);
    this.#edits = [];
    await this.#rewrite.write(chunk);
  }

  async end(whole: boolean): Promise<Left> {
    await this.flush();
    const rewrite = this.#rewrite;
    const source = this.#source!; // bytes come between begin and end
    try {
      // The failure to read the source is reported already.
      if (!whole) return { done: false, failure: null };
      if (this.#error !== null) return failure(`cannot be written: ${wordsFor(this.#error)}`);
      if (rewrite === null) return { done: false, failure: null };
      if (!this.#unchanged.has(source)) return failure(CHANGED);
      await rewrite.finish();
      const shortfall = await rewrite.putInPlace(() => this.#unchanged.has(source));
      if (shortfall === null) return failure(CHANGED);
      this.#unchanged.replaced(source);
      return { done: true, ...shortfall };
    } catch (error) {
      return failure(`cannot be written: ${wordsFor(error)}`);
    } finally {
      await this.#abandon();
    }
  }

  async close(): Promise<void> {
    await this.#abandon();
  }

  async #abandon(): Promise<void> {
    const rewrite = this.#rewrite;
    this.#rewrite = null;
    await rewrite?.abandon();
  }
}

/** Whether edits are needed, to find the ends of the members of gzip files. They take time. */
export function needsEdits(sources: readonly Source[]): boolean {
  return sources.some(({ name }) => /\.gz$/i.test(name));
}

const CHANGED = 'was changed while it was read, and is left as it is';

function failure(message: string): Left {
  return { done: false, failure: message };
}
