/**
 * A file written beside the one it will replace. Until its attributes are set, only its owner can read it. It can be
 * removed until it is in its place.
 *
 * Its name identifies the machine, its start and the process that made the file. Files that a killed process has left
 * are removed, if that process has certainly ended.
 */

import { createHash, randomUUID } from 'node:crypto';
import { constants, readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../source/system-errors.ts';
import { type Disk, ignoreErrors } from './disk.ts';

/** Bytes that are copied at once. */
const PIECE_BYTES = 1 << 20;

/** What all temporary files of a run share. */
export interface TemporaryMaker {
  readonly disk: Disk;
  readonly retry: Retry;
  readonly names: TemporaryNames;
}

/** Methods throw the errors of the file system. */
export class Temporary {
  readonly fd: number;
  readonly #maker: TemporaryMaker;
  #path: string;
  /** The private folder that contains only this file; null if there is none. */
  #cell: string | null;
  /** It is in a private folder, which may have other files. */
  #isHidden: boolean;
  #isOpen = true;
  #isPending = true;

  private constructor(maker: TemporaryMaker, fd: number, path: string, cell: string | null) {
    this.#maker = maker;
    this.fd = fd;
    this.#path = path;
    this.#cell = cell;
    this.#isHidden = cell !== null;
  }

  /** An empty file beside `target`; on macOS with the attributes that Node cannot set. */
  static async like(target: string, maker: TemporaryMaker): Promise<Temporary> {
    if (maker.disk.platform() === 'darwin') return maker.retry.run(() => Temporary.#copyOf(target, maker));
    const path = maker.names.next(dirname(target));
    const fd = await maker.retry.run(() => maker.disk.openSync(path, 'wx', 0o600));
    return new Temporary(maker, fd, path, null);
  }

  /**
   * An empty file beside `target`, which need not exist. `mode`: its permissions, less those that the process takes
   * away from new files.
   */
  static beside(target: string, maker: TemporaryMaker, mode: number): Temporary {
    const path = maker.names.next(dirname(target));
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
    const { disk, names } = maker;
    const cell = names.next(dirname(target));
    const path = join(cell, HIDDEN_NAME);
    disk.mkdirSync(cell, 0o700);
    try {
      return new Temporary(maker, copyOf(target, path, disk), path, cell);
    } catch (error) {
      ignoreErrors(() => disk.rmdirSync(cell));
      throw error;
    }
  }

  get path(): string {
    return this.#path;
  }

  /** Moves the file into a private folder, where no other user can open it, even with a wide mode. */
  hide(): void {
    if (this.#isHidden) return;
    const { disk, names } = this.#maker;
    const cell = names.next(dirname(this.#path));
    disk.mkdirSync(cell, 0o700);
    this.#cell = cell;
    this.#isHidden = true;
    const path = join(cell, HIDDEN_NAME);
    disk.renameSync(this.#path, path);
    this.#path = path;
  }

  write(bytes: Uint8Array): void {
    const { disk } = this.#maker;
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(this.fd, bytes, at, bytes.length - at);
  }

  /** Writes the content to the open file `to`. */
  copyTo(to: number): void {
    const { disk } = this.#maker;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const from = disk.openSync(this.#path, 'r');
    try {
      for (let count = disk.readSync(from, piece); count > 0; count = disk.readSync(from, piece))
        for (let at = 0; at < count; ) at += disk.writeSync(to, piece, at, count - at);
    } finally {
      ignoreErrors(() => disk.closeSync(from));
    }
  }

  /** Makes the content durable and closes the file. */
  finish(): void {
    this.#maker.disk.fsyncSync(this.fd);
    this.#close();
  }

  /** The same while the caller goes on. */
  async finishMeanwhile(): Promise<void> {
    await this.#maker.disk.fsync(this.fd);
    this.#close();
  }

  /** Renames the file to `target`. */
  async moveTo(target: string): Promise<void> {
    await this.#maker.retry.run(() => this.#maker.disk.renameSync(this.#path, target));
    this.#isPending = false;
    this.#leaveCell();
  }

  /** Removes the file, unless it is in its place. Errors are ignored. */
  async remove(): Promise<void> {
    ignoreErrors(() => this.#close());
    if (this.#isPending) {
      const { disk, retry } = this.#maker;
      await retry.run(() => disk.unlinkSync(this.#path)).catch(() => {});
      this.#leaveCell();
    }
    this.#isPending = false;
  }

  /** As `remove`, for a file that no one else has seen yet. */
  removeNow(): void {
    ignoreErrors(() => this.#close());
    ignoreErrors(() => this.#maker.disk.unlinkSync(this.#path));
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

/**
 * Makes an empty file with everything that the system copies with a file: on macOS, access control lists and extended
 * attributes. Returns its descriptor. If that throws, nothing is left.
 */
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

/** Errors of a file that is in use. */
const IN_USE: ReadonlySet<string | null> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses between the attempts, in milliseconds: together 1.02 s. */
const PAUSES_MS = [5, 10, 20, 40, 80, 120, 160, 180, 200, 205];

/** A run with many files that cannot be written must not wait a second for each. In milliseconds, for the whole run. */
const LIMIT_OF_RUN_MS = 10_000;

/**
 * On Windows, a virus scanner, an indexer or an editor may have a file open for a moment, in which it cannot be renamed
 * or removed. Only there, such calls are repeated for about a second.
 */
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
export const HIDDEN_NAME = 'file';

/** The name of the folder in a private folder that has several files, under the names of others. */
export const HIDDEN_FOLDER = 'files';

/** Machine, start, process id, and a random part. Process id 0 means that the process does not know its id. */
const SHAPE = /^\.paylint-([0-9a-f]{8})-([0-9a-f]{8})-([1-9]\d{0,9})-[0-9a-f]{8}\.tmp$/;

export class TemporaryNames {
  readonly #pid: number;
  readonly #disk: Disk;
  #here: { readonly host: string; readonly start: string } | null = null;
  readonly #swept = new Set<string>();

  /** `pid`: of this process; null if it is not known. */
  constructor(pid: number | null, disk: Disk) {
    this.#pid = pid ?? 0;
    this.#disk = disk;
  }

  /** A path in `folder` that no other file has. */
  next(folder: string): string {
    const { host, start } = this.#place();
    return join(folder, `.paylint-${host}-${start}-${this.#pid}-${randomUUID().slice(0, 8)}.tmp`);
  }

  /**
   * Removes files of earlier runs on this machine from `folder`, as far as the system permits. Only once per folder.
   */
  sweep(folder: string): void {
    if (this.#swept.has(folder)) return;
    this.#swept.add(folder);
    let names: readonly string[] = [];
    ignoreErrors(() => {
      names = this.#disk.readdirSync(folder);
    });
    for (const name of names) {
      if (SHAPE.test(name)) ignoreErrors(() => this.#removeStale(join(folder, name), name));
    }
  }

  #removeStale(path: string, name: string): void {
    const [, host, start, pid] = SHAPE.exec(name) ?? [];
    const here = this.#place();
    if (host !== here.host) return;
    const stats = this.#disk.lstatSync(path);
    // After a restart of the machine, the process id means nothing.
    const gone = start === here.start ? !this.#disk.isAlive(Number(pid)) : stats.mtimeMs < startOfMachine();
    if (!gone) return;
    if (stats.isFile()) this.#disk.unlinkSync(path);
    if (!stats.isDirectory()) return;
    ignoreErrors(() => this.#disk.unlinkSync(join(path, HIDDEN_NAME)));
    ignoreErrors(() => this.#removeFiles(join(path, HIDDEN_FOLDER)));
    this.#disk.rmdirSync(path);
  }

  #removeFiles(folder: string): void {
    for (const name of this.#disk.readdirSync(folder)) this.#disk.unlinkSync(join(folder, name));
    this.#disk.rmdirSync(folder);
  }

  #place(): { readonly host: string; readonly start: string } {
    // Every container numbers its processes from 1, so the container is part of the machine's name.
    const container = textOr('', () => readlinkSync('/proc/self/ns/pid'));
    const machine = textOr('', () => readFileSync('/etc/machine-id', 'utf8'));
    this.#here ??= {
      host: digest(`${hostname()}\0${machine}\0${container}`),
      start: digest(textOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    };
    return this.#here;
  }
}

/** In milliseconds since 1970. */
function startOfMachine(): number {
  return Date.now() - uptime() * 1000;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function textOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
