/**
 * Replaces one file: the new file is written beside it, made durable, and renamed over it. Until then the old file is
 * there, afterwards the whole new one.
 */
import { dirname } from 'node:path';
import type { ByteEdit } from '../json/insertions.ts';
import { GzipMembers } from './gzip-members.ts';
import { GzipWriter } from './gzip-writer.ts';
import type { Original } from './keep-attributes.ts';
import {
  denied,
  originalOf,
  putInPlace,
  type Shortfall,
  shortfallOf,
  syncFolder,
  type WriteRun,
} from './replace.ts';
import { Temporary } from './temporary.ts';

/** Methods throw the errors of the file system, or an Error that names what denied the step. */
export class Rewrite {
  readonly #run: WriteRun;
  /** The file itself, with symbolic links followed. The links stay. */
  readonly #original: Original;
  readonly #temporary: Temporary;
  readonly #gzip: GzipWriter | null;
  /** The user who runs paylint. */
  readonly #user: number;
  #warning: string | null = null;

  private constructor(run: WriteRun, original: Original, temporary: Temporary, members: GzipMembers | null) {
    this.#run = run;
    this.#original = original;
    this.#temporary = temporary;
    this.#gzip = members === null ? null : new GzipWriter(members, (bytes) => temporary.write(bytes));
    this.#user = run.disk.fstatSync(temporary.fd).uid;
  }

  /** Creates the temporary file. If that throws, nothing is left. */
  static async begin(named: string, run: WriteRun): Promise<Rewrite> {
    const { disk } = run;
    const original = originalOf(named, disk);
    const members = GzipMembers.open(original.path, disk);
    let temporary: Temporary | null = null;
    try {
      run.names.sweep(dirname(original.path));
      temporary = await Temporary.like(original.path, run);
      return new Rewrite(run, original, temporary, members);
    } catch (error) {
      members?.close();
      await temporary?.remove();
      throw denied('create', error, disk);
    }
  }

  /** Copies the first `count` bytes of `content`. */
  async copy(content: AsyncIterable<Uint8Array>, count: number): Promise<void> {
    let left = count;
    if (left === 0) return;
    for await (const chunk of content) {
      const bytes = chunk.subarray(0, left);
      await this.write(bytes);
      left -= bytes.length;
      if (left === 0) return;
    }
  }

  /** Insertions among the bytes that come next or later: ascending, at offsets in the old bytes. */
  expect(insertions: readonly ByteEdit[]): void {
    this.#gzip?.expect(insertions);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#gzip === null) this.#temporary.write(bytes);
    else await this.#gzip.write(bytes);
  }

  /** Ends the writing and makes the file durable. */
  async finish(): Promise<void> {
    await this.#gzip?.end();
    this.#warning = this.#run.keeper.keep(this.#original, this.#temporary);
    this.#temporary.finish();
  }

  /**
   * `isUnchanged`: whether the old file is still the one that was read. Returns null if it is not: then the old file
   * stays.
   */
  async putInPlace(isUnchanged: () => boolean): Promise<Shortfall | null> {
    const replacement = { original: this.#original, temporary: this.#temporary, user: this.#user };
    if (!(await putInPlace(replacement, this.#run, isUnchanged))) return null;
    return shortfallOf(this.#warning, syncFolder(dirname(this.#original.path), this.#run.disk));
  }

  /** Removes the temporary file if it still exists. Never throws. */
  async abandon(): Promise<void> {
    this.#gzip?.destroy();
    await this.#temporary.remove();
  }
}
