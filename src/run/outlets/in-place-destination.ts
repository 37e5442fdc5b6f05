/**
 * `--write`: writes filled sources back into their files, each whole or not at all. A file without changes is not
 * touched, and one that changed in the meantime is left alone. Small files are put off, and replaced together.
 */
import { Interrupted } from '../../errors.ts';
import { isCompressed } from '../../source/open-bytes.ts';
import { wordsFor } from '../../source/system-errors.ts';
import type { Source } from '../../types.ts';
import { createWriteRun, originalOf, type WriteRun, type WriteSettings } from '../../write/replace.ts';
import { type Replaced, Rewrite, rewriteAll, SourceFile } from '../../write/rewrite.ts';
import { Unchanged } from '../../write/unchanged.ts';
import type { Destination, SourceOutcome } from './outlet.ts';

/** In bytes. A larger file is written while it is read. */
const SMALL_BYTES = 1 << 16;

/** Filled, a small file may be larger. In bytes. */
const SMALL_FILLED_BYTES = 1 << 20;

/** That many files, or bytes of them, are replaced together. */
const TOGETHER = { files: 128, bytes: 4 << 20 };

/** Reads the bytes of a source again. */
type Reread = (source: Source) => AsyncIterable<Uint8Array>;

export class InPlaceDestination implements Destination {
  readonly mayFail = true;
  readonly writesFiles = true;
  readonly #unchanged: Unchanged;
  readonly #read: Reread;
  readonly #run: WriteRun;
  #source: Source | null = null;
  #rewrite: Rewrite | null = null;
  /** The new content of the current source so far, if the source is small and has changes. */
  #small: SourceFile | null = null;
  /** Sources that have ended, from the first file on that is not in place: its new content, or what became of the source. */
  #waiting: (SourceFile | SourceOutcome)[] = [];
  #chunks: { chunk: Uint8Array; changed: boolean }[] = [];
  /** Bytes of the current source before the first change. */
  #passed = 0;
  #error: unknown = null;

  /** `sources`: files, none of them read yet. */
  constructor(sources: readonly Source[], read: Reread, settings: WriteSettings = {}) {
    this.#read = read;
    this.#unchanged = new Unchanged(sources, settings.disk);
    this.#run = createWriteRun(settings);
  }

  /** A cp was needed, and the one of this system cannot copy access control lists and extended attributes. */
  get hasOtherTool(): boolean {
    return this.#run.keeper.hasOtherTool;
  }

  begin(source: Source): void {
    this.#source = source;
    this.#small = null;
    this.#passed = 0;
    this.#error = null;
  }

  bytes(chunk: Uint8Array, changed: boolean): void {
    this.#chunks.push({ chunk, changed });
  }

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (this.#error !== null) return;
    try {
      for (const { chunk, changed } of chunks) await this.#take(chunk, changed);
    } catch (error) {
      await this.close();
      if (error instanceof Interrupted) throw error;
      this.#error = error;
    }
  }

  async #take(chunk: Uint8Array, changed: boolean): Promise<void> {
    if (this.#rewrite === null && this.#small === null) {
      if (!changed) {
        this.#passed += chunk.length;
        return;
      }
      this.#small = this.#smallOne();
      if (this.#small === null) await this.#begin();
    }
    if (this.#small !== null) {
      this.#small.add(chunk);
      if (this.#small.size > SMALL_FILLED_BYTES) await this.#begin();
      return;
    }
    await this.#rewrite!.write(chunk); // it was begun
  }

  #smallOne(): SourceFile | null {
    const source = this.#source!; // bytes come between begin and end
    const { disk } = this.#run;
    const isSmall = this.#passed === 0 && this.#unchanged.sizeOf(source) < SMALL_BYTES;
    // On Windows, a file that comes from another folder may have other rights.
    if (!isSmall || disk.platform() === 'win32') return null;
    const file = this.#fileOf(source);
    return isCompressed(file.original.path) ? null : file;
  }

  #fileOf(source: Source): SourceFile {
    const original = originalOf(source.path!, this.#run.disk); // only files are written back
    return new SourceFile(original, () => this.#unchanged.has(source));
  }

  /** Begins the new file, with what is known of it. */
  async #begin(): Promise<Rewrite> {
    const source = this.#source!; // bytes come between begin and end
    const file = this.#small ?? this.#fileOf(source);
    const rewrite = await Rewrite.begin(file, this.#run);
    this.#rewrite = rewrite;
    await rewrite.copy(this.#read(source), this.#passed);
    for (const chunk of file.content) await rewrite.write(chunk);
    this.#small = null;
    return rewrite;
  }

  async end(whole: boolean): Promise<readonly SourceOutcome[]> {
    await this.flush();
    const small = whole && this.#error === null ? this.#small : null;
    this.#waiting.push(small ?? (await this.#endNow(whole)));
    this.#small = null;
    const files = this.#waiting.filter((one) => one instanceof SourceFile);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return files.length === 0 || files.length >= TOGETHER.files || bytes >= TOGETHER.bytes ? this.settle() : [];
  }

  async settle(): Promise<readonly SourceOutcome[]> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const files = waiting.filter((one) => one instanceof SourceFile);
    const replaced = (await rewriteAll(files, this.#run)).values();
    return waiting.map((one) => (one instanceof SourceFile ? outcomeOf(replaced.next().value!) : one)); // one for each
  }

  /** Ends a source whose file is not replaced together with others. */
  async #endNow(whole: boolean): Promise<SourceOutcome> {
    try {
      // The failure to read the source is reported already.
      if (!whole) return { done: false, failure: null };
      if (this.#error !== null) return outcomeOf({ error: this.#error });
      if (this.#rewrite === null) return { done: false, failure: null };
      return outcomeOf(await this.#rewrite.finish(this.#run));
    } catch (error) {
      return outcomeOf({ error });
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const rewrite = this.#rewrite;
    this.#rewrite = null;
    this.#small = null;
    await rewrite?.abandon();
  }
}

function outcomeOf(replaced: Replaced): SourceOutcome {
  if ('error' in replaced) return { done: false, failure: `cannot be written: ${wordsFor(replaced.error)}` };
  const failure = 'was changed while it was read, and is left as it is';
  return replaced.value === null ? { done: false, failure } : { done: true, ...replaced.value };
}
