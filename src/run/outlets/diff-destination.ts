/** A unified diff of each source, printed only if that is as it was when the edits were found. */
import { parse, relative } from 'node:path';
import { SourceError } from '../../errors.ts';
import { type ByteEdit, EditLog } from '../../json/edits.ts';
import { isOutside } from '../../source/path-text.ts';
import { isFile } from '../../source/read-file.ts';
import { codeOf, wordsFor } from '../../source/system-errors.ts';
import type { Source } from '../../types.ts';
import { Spool } from '../../write/spool.ts';
import type { Output } from '../../write/stream-output.ts';
import { Unchanged } from '../../write/unchanged.ts';
import { diffName, paintDiff, unifiedDiff } from '../../write/unified-diff.ts';
import { ALL_WRITTEN, type Destination, type SourceOutcome } from './outlet.ts';

export interface DiffFiles {
  read(source: Source): AsyncIterable<Buffer>;
  /** The working directory, absolute. Names are relative to it, or to the root if one of the files is outside of it. */
  readonly cwd: string;
  readonly colored: boolean;
}

export class DiffDestination implements Destination {
  readonly mayFail = true;
  readonly #output: Output;
  readonly #files: DiffFiles;
  readonly #unchanged: Unchanged;
  /** Absolute. */
  readonly #folder: string;
  #source: Source | null = null;
  #edits = new EditLog();
  #spool = new Spool();

  /** `sources`: none of them read yet. */
  constructor(output: Output, sources: readonly Source[], files: DiffFiles) {
    this.#output = output;
    this.#files = files;
    this.#unchanged = new Unchanged(sources);
    const { cwd } = files;
    const isAnyOutside = sources.some(({ path }) => path !== null && isOutside(relative(cwd, path)) && isFile(path));
    this.#folder = isAnyOutside ? parse(cwd).root : cwd;
  }

  begin(source: Source): void {
    this.#source = source;
    this.#edits = new EditLog();
  }

  edit(edit: ByteEdit): void {
    this.#edits.add(edit);
  }

  async end(whole: boolean): Promise<readonly SourceOutcome[]> {
    return [whole && this.#edits.offsets.length > 0 ? await this.#print() : { done: false, failure: null }];
  }

  async #print(): Promise<SourceOutcome> {
    try {
      const failure = await this.#draw(this.#source!); // between begin and end
      if (failure !== null) return { done: false, failure };
      for (const piece of this.#spool.read()) await this.#output.writeBytes(piece);
      return ALL_WRITTEN;
    } finally {
      this.#spool.close();
    }
  }

  /** Writes the diff to the spool. Returns why it cannot, or null. */
  async #draw(source: Source): Promise<string | null> {
    try {
      const named = diffName(source, this.#folder);
      if ('failure' in named) return named.failure;
      const pieces = unifiedDiff(named.name, this.#edits, () => this.#files.read(source));
      for await (const piece of pieces) this.#spool.write(this.#files.colored ? paintDiff(piece) : piece);
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
