/**
 * One file on its way to being replaced: written beside itself, made durable, and put in its place by a rename. Until then the old
 * file is there, and afterwards the whole new one.
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
import { Patience } from './patience.ts';
import { ignoreErrors, TemporaryNames } from './stale.ts';
import { Temporary } from './temporary.ts';

/** How files are written back. */
export interface WriteSettings {
  readonly disk?: Disk;
  /** Number of this process. */
  readonly pid?: number | undefined;
  /** Where programs are found, as in the variable PATH. */
  readonly searchPath?: string | undefined;
  /** What is added to the name of a file for its backup; null: there are no backups. */
  readonly backup?: string | null;
}

/** What all rewrites of a run have in common. */
export interface WriteRun extends BackupMaker {
  readonly backup: string | null;
}

export function createWriteRun(settings: WriteSettings): WriteRun {
  const { disk = REAL_DISK, pid = null, searchPath, backup = null } = settings;
  return {
    disk,
    patience: new Patience(disk),
    names: new TemporaryNames(pid, disk),
    keeper: new AttributeKeeper(disk, searchPath),
    backup,
  };
}

/** What is not as promised with a file that is in its place, in clauses. */
export interface Shortfall {
  /** The user should know it; the job is done. */
  readonly warning: string | null;
  /** The job is not done as promised. */
  readonly failure: string | null;
}

/** Methods throw what the file system throws, or an Error that says what denied the step. */
export class Rewrite {
  readonly #run: WriteRun;
  /** The file itself, behind any symbolic links, which stay. */
  readonly #original: Original;
  readonly #temporary: Temporary;
  readonly #gzip: GzipWriter | null;
  /** The user that runs paylint. */
  readonly #user: number;
  #warning: string | null = null;

  private constructor(run: WriteRun, original: Original, temporary: Temporary, members: GzipMembers | null) {
    this.#run = run;
    this.#original = original;
    this.#temporary = temporary;
    this.#gzip = members === null ? null : new GzipWriter(members, (bytes) => temporary.write(bytes));
    this.#user = run.disk.fstatSync(temporary.fd).uid;
  }

  /** Makes the temporary file; nothing stays if that throws. */
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

  /** What is inserted among the bytes that come next or later: ascending, at offsets in the old bytes. */
  expect(insertions: readonly ByteEdit[]): void {
    this.#gzip?.expect(insertions);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#gzip === null) this.#temporary.write(bytes);
    else await this.#gzip.write(bytes);
  }

  /** Everything is written, and durable. */
  async finish(): Promise<void> {
    await this.#gzip?.end();
    this.#warning = this.#run.keeper.keep(this.#original, this.#temporary);
    this.#temporary.finish();
  }

  /** `isUnchanged`: whether the old file is still the one that was read. Null if it is not: then it is left as it is. */
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

  /** Removes the temporary file, if it is still there. Never throws. */
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
  // Renaming would put a file in the place of a pipe or a device.
  if (!stats.isFile()) throw new Error('it is not a regular file');
  try {
    // Renaming needs no right to write the file, but writing it back does.
    disk.accessSync(named, constants.W_OK);
  } catch (error) {
    throw denied('ask', error, disk);
  }
  return { path: disk.realpathSync(named), stats };
}

/** The errors of file systems that cannot sync folders. Windows cannot open them for that. */
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
