/**
 * Replaces one file: the new file is written beside it, made durable, and renamed over it. Until then the old file is
 * there, afterwards the whole new one.
 */
import { dirname } from 'node:path';
import { isGzip } from '../input/byte-reader.ts';
import { ignoreErrors } from './attempt.ts';
import type { Disk } from './disk.ts';
import { GzipTarget, isInBlocks } from './gzip-target.ts';
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
import type { ByteTarget } from './stream-output.ts';
import { Temporary } from './temporary.ts';

/** Methods throw the errors of the file system, or an Error that names what denied the step. */
export class Rewrite {
  readonly #run: WriteRun;
  /** The file itself, with symbolic links followed. The links stay. */
  readonly #original: Original;
  readonly #temporary: Temporary;
  /** Null if the old file is not compressed. */
  readonly #gzip: GzipTarget | null;
  /** The user who runs paylint. */
  readonly #user: number;
  #warning: string | null = null;

  private constructor(run: WriteRun, original: Original, temporary: Temporary, isCompressed: boolean) {
    this.#run = run;
    this.#original = original;
    this.#temporary = temporary;
    this.#gzip = isCompressed ? new GzipTarget(targetOf(temporary)) : null;
    this.#user = run.disk.fstatSync(temporary.fd).uid;
  }

  /** Creates the temporary file. If that throws, nothing is left. */
  static async begin(named: string, run: WriteRun): Promise<Rewrite> {
    const { disk } = run;
    const original = originalOf(named, disk);
    const head = headOf(original.path, disk);
    if (isInBlocks(head)) throw new Error(IN_BLOCKS);
    let temporary: Temporary | null = null;
    try {
      run.names.sweep(dirname(original.path));
      temporary = await Temporary.like(original.path, run);
      return new Rewrite(run, original, temporary, isGzip(head));
    } catch (error) {
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

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#gzip === null) this.#temporary.write(bytes);
    else await this.#gzip.write(bytes);
  }

  /** Ends the writing and makes the file durable. */
  async finish(): Promise<void> {
    await this.#gzip?.finish('whole');
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
    await this.#gzip?.close();
    await this.#temporary.remove();
  }
}

const IN_BLOCKS = 'it is in blocks (bgzip); fill writes one gzip member, which would lose them';

/** More than the first header of a file in blocks. */
const HEAD_BYTES = 1 << 10;

function headOf(path: string, disk: Disk): Uint8Array {
  const fd = disk.openSync(path, 'r');
  try {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    return head.subarray(0, disk.readSync(fd, head, 0, head.length, 0));
  } finally {
    ignoreErrors(() => disk.closeSync(fd));
  }
}

/** The file as the target of other targets, which leave it open. */
function targetOf(temporary: Temporary): ByteTarget {
  return {
    name: temporary.path,
    write: async (bytes) => temporary.write(bytes),
    finish: async () => null,
    close: async () => {},
  };
}
