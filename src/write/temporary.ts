/** A file beside the one it will replace. Only its owner can read it before it has its attributes. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../source/system-errors.ts';
import { type Disk, ignoreErrors } from './disk.ts';

const PIECE_BYTES = 1 << 20;

export interface TemporaryMaker {
  readonly disk: Disk;
  readonly retry: Retry;
}

/** Methods throw the errors of the file system. */
export class Temporary {
  readonly fd: number;
  readonly #maker: TemporaryMaker;
  path: string;
  /** The private folder that contains only this file; null if there is none. */
  #cell: string | null;
  /** It is in a private folder, which may have other files. */
  #isHidden: boolean;
  #isOpen = true;
  #isPending = true;

  private constructor(maker: TemporaryMaker, fd: number, path: string, cell: string | null) {
    this.#maker = maker;
    this.fd = fd;
    this.path = path;
    this.#cell = cell;
    this.#isHidden = cell !== null;
  }

  /** An empty file beside `target`; on macOS with the attributes that Node cannot set. */
  static async like(target: string, maker: TemporaryMaker): Promise<Temporary> {
    const copies = maker.disk.platform() === 'darwin';
    return maker.retry.run(() => (copies ? Temporary.#copyOf(target, maker) : Temporary.beside(target, maker, 0o600)));
  }

  /** An empty file beside `target`, which need not exist. `mode`: less what the process takes away from new files. */
  static beside(target: string, maker: TemporaryMaker, mode: number): Temporary {
    const path = temporaryPath(dirname(target));
    return new Temporary(maker, maker.disk.openSync(path, 'wx', mode), path, null);
  }

  /** The same in the private folder `folder`, under the name of `target`. The folder is left to the caller. */
  static within(folder: string, target: string, maker: TemporaryMaker): Temporary {
    const { disk } = maker;
    const path = join(folder, basename(target));
    const fd = disk.platform() === 'darwin' ? copyOf(target, path, disk) : disk.openSync(path, 'wx', 0o600);
    const temporary = new Temporary(maker, fd, path, null);
    temporary.#isHidden = true;
    return temporary;
  }

  /** A copy without content in a private folder of its own, because a copy gets its mode before its owner. */
  static #copyOf(target: string, maker: TemporaryMaker): Temporary {
    const { disk } = maker;
    const cell = temporaryPath(dirname(target));
    const path = join(cell, HIDDEN_NAME);
    disk.mkdirSync(cell, 0o700);
    try {
      return new Temporary(maker, copyOf(target, path, disk), path, cell);
    } catch (error) {
      ignoreErrors(() => disk.rmdirSync(cell));
      throw error;
    }
  }

  /** Moves the file into a private folder, where no other user can open it, even with a wide mode. */
  hide(): void {
    if (this.#isHidden) return;
    const { disk } = this.#maker;
    const cell = temporaryPath(dirname(this.path));
    disk.mkdirSync(cell, 0o700);
    this.#cell = cell;
    this.#isHidden = true;
    const path = join(cell, HIDDEN_NAME);
    disk.renameSync(this.path, path);
    this.path = path;
  }

  write(bytes: Uint8Array): void {
    const { disk } = this.#maker;
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(this.fd, bytes, at, bytes.length - at);
  }

  copyTo(to: number): void {
    const { disk } = this.#maker;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const from = disk.openSync(this.path, 'r');
    try {
      for (let count = disk.readSync(from, piece); count > 0; count = disk.readSync(from, piece))
        for (let at = 0; at < count; ) at += disk.writeSync(to, piece, at, count - at);
    } finally {
      ignoreErrors(() => disk.closeSync(from));
    }
  }

  async finish(): Promise<void> {
    await this.#maker.disk.fsync(this.fd);
    this.#close();
  }

  async moveTo(target: string): Promise<void> {
    await this.#maker.retry.run(() => this.#maker.disk.renameSync(this.path, target));
    this.#isPending = false;
    this.#leaveCell();
  }

  /** Removes the file, unless it is in its place. Errors are ignored. */
  async remove(): Promise<void> {
    ignoreErrors(() => this.#close());
    if (this.#isPending) {
      const { disk, retry } = this.#maker;
      await retry.run(() => disk.unlinkSync(this.path)).catch(() => {});
      this.#leaveCell();
    }
    this.#isPending = false;
  }

  /** As `remove`, for a file that no one else has seen yet. */
  removeNow(): void {
    ignoreErrors(() => this.#close());
    ignoreErrors(() => this.#maker.disk.unlinkSync(this.path));
    this.#isPending = false;
  }

  #leaveCell(): void {
    const cell = this.#cell;
    if (cell !== null) ignoreErrors(() => this.#maker.disk.rmdirSync(cell));
    this.#cell = null;
  }

  #close(): void {
    const isOpen = this.#isOpen;
    this.#isOpen = false; // even if closing fails: the number may belong to another file afterwards
    if (isOpen) this.#maker.disk.closeSync(this.fd);
  }
}

/** An empty file with all that the system copies (macOS: access control lists, extended attributes): its descriptor. */
function copyOf(target: string, path: string, disk: Disk): number {
  let fd: number | null = null;
  try {
    disk.copyFileSync(target, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    fd = disk.openSync(path, 'r+');
    disk.ftruncateSync(fd, 0);
    return fd;
  } catch (error) {
    ignoreErrors(() => fd !== null && disk.closeSync(fd));
    ignoreErrors(() => disk.unlinkSync(path));
    throw error;
  }
}

const IN_USE: ReadonlySet<string | null> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses between the attempts, in milliseconds: together 1.02 s. */
const PAUSES_MS = [5, 10, 20, 40, 80, 120, 160, 180, 200, 205];

/** A run with many files that cannot be written must not wait a second for each. In milliseconds, for the whole run. */
const LIMIT_OF_RUN_MS = 10_000;

/** On Windows, a scanner or an editor may have a file open for a moment: calls are repeated for about a second. */
export class Retry {
  readonly #disk: Disk;
  #leftMs: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#leftMs = disk.platform() === 'win32' ? LIMIT_OF_RUN_MS : 0;
  }

  /** Runs `action`, repeatedly on Windows while the file is in use. Throws the last error of `action`. */
  async run<T>(action: () => T): Promise<T> {
    for (const pause of PAUSES_MS) {
      if (this.#leftMs < pause) break;
      try {
        return action();
      } catch (error) {
        if (!IN_USE.has(codeOf(error))) throw error;
      }
      this.#leftMs -= pause;
      await this.#disk.pause(pause);
    }
    return action();
  }
}

/** The name of the only file in a private folder. */
const HIDDEN_NAME = 'file';

/** The name of the folder in a private folder that has several files, under the names of others. */
export const HIDDEN_FOLDER = 'files';

/** A path in `folder` that no other file has. */
export function temporaryPath(folder: string): string {
  return join(folder, `.paylint-${randomUUID()}.tmp`);
}
