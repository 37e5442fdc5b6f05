/**
 * Replaces one file: the new file is written beside it, made durable, and renamed over it. Until then the old file is
 * there, afterwards the whole new one.
 */
import { constants, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, wordsFor } from '../input/system-errors.ts';
import type { ByteEdit } from '../json/edits.ts';
import { type BackupMaker, keepBackup } from './backup.ts';
import { type Step, wordsForDenied } from './denied.ts';
import { type Disk, REAL_DISK } from './disk.ts';
import { GzipMembers } from './gzip-members.ts';
import { GzipWriter } from './gzip-writer.ts';
import { AttributeKeeper, type Original } from './keep-attributes.ts';
import { Retry } from './retry.ts';
import { ignoreErrors, TemporaryNames } from './stale.ts';
import { Temporary } from './temporary.ts';

/** How files are written back. */
export interface WriteSettings {
  readonly disk?: Disk;
  /** Number of this process. */
  readonly pid?: number | undefined;
  /** Where programs are found, like the variable PATH. */
  readonly searchPath?: string | undefined;
  /** Suffix of the backup's name; null: no backups. */
  readonly backup?: string | null;
}

/** What all rewrites of a run share. */
export interface WriteRun extends BackupMaker {
  readonly backup: string | null;
}

export function createWriteRun(settings: WriteSettings): WriteRun {
  const { disk = REAL_DISK, pid = null, searchPath, backup = null } = settings;
  return {
    disk,
    retry: new Retry(disk),
    names: new TemporaryNames(pid, disk),
    keeper: new AttributeKeeper(disk, searchPath),
    backup,
  };
}

/** Promises that were not kept for a file that has been replaced, in clauses. */
export interface Shortfall {
  /** The user should know it, but the job is done. */
  readonly warning: string | null;
  /** The job is not done as promised. */
  readonly failure: string | null;
}

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
    const { disk, backup } = this.#run;
    const { path } = this.#original;
    if (!isUnchanged()) return null;
    if (backup !== null && !(await keepBackup(this.#original, backup, this.#run, isUnchanged))) return null;
    try {
      await this.#temporary.moveTo(path);
    } catch (error) {
      throw denied('replace', error, disk, this.#isStickyForUs());
    }
    return this.#shortfall(syncFolder(dirname(path), disk));
  }

  #shortfall(sync: unknown): Shortfall {
    if (sync === null) return { warning: this.#warning, failure: null };
    const words = `was written, but may not survive a power cut: its folder could not be synced: ${wordsFor(sync)}`;
    if (codeOf(sync) !== 'EACCES') return { warning: this.#warning, failure: words };
    return { warning: [this.#warning, words].filter((one) => one !== null).join('; '), failure: null };
  }

  /** Removes the temporary file if it still exists. Never throws. */
  async abandon(): Promise<void> {
    this.#gzip?.destroy();
    await this.#temporary.remove();
  }

  #isStickyForUs(): boolean {
    const { path, stats } = this.#original;
    try {
      const folder = this.#run.disk.statSync(dirname(path));
      return (folder.mode & STICKY_BIT) !== 0 && folder.uid !== this.#user && stats.uid !== this.#user;
    } catch {
      return false;
    }
  }
}

const STICKY_BIT = 0o1000;

function denied(step: Step, error: unknown, disk: Disk, isStickyForUs = false): Error {
  const message = wordsForDenied(step, error, { platform: disk.platform(), isStickyForUs });
  return new Error(message, { cause: error });
}

function originalOf(named: string, disk: Disk): Original {
  const stats: Stats = disk.statSync(named);
  // Renaming would replace a pipe or a device by a file.
  if (!stats.isFile()) throw new Error('it is not a regular file');
  try {
    // Renaming needs no right to write the file, but writing it back should.
    disk.accessSync(named, constants.W_OK);
  } catch (error) {
    throw denied('ask', error, disk);
  }
  return { path: disk.realpathSync(named), stats };
}

/** Errors of file systems that cannot sync folders. Windows cannot open folders for that. */
const CANNOT_SYNC: ReadonlySet<string | null> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EISDIR',
]);

/** Makes a rename durable. Null, or what kept it from being so. */
export function syncFolder(path: string, disk: Disk): unknown {
  if (disk.platform() === 'win32') return null;
  let fd: number | null = null;
  try {
    fd = disk.openSync(path, 'r');
    disk.fsyncSync(fd);
    return null;
  } catch (error) {
    return CANNOT_SYNC.has(codeOf(error)) ? null : error;
  } finally {
    ignoreErrors(() => fd !== null && disk.closeSync(fd));
  }
}
