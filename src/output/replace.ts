/**
 * The steps of replacing a file that do not depend on its new content: the check whether it may be replaced, the
 * rename, and the sync of its folder.
 */
import { constants, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, wordsFor } from '../input/system-errors.ts';
import { type BackupMaker, keepBackup } from './backup.ts';
import { type Step, wordsForDenied } from './denied.ts';
import { type Disk, REAL_DISK } from './disk.ts';
import { AttributeKeeper, type Original } from './keep-attributes.ts';
import { Retry } from './retry.ts';
import { ignoreErrors, TemporaryNames } from './stale.ts';
import type { Temporary } from './temporary.ts';

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

/** What could not be guaranteed for a file that has been replaced, in clauses. */
export interface Shortfall {
  /** The user should know it, but the file is replaced. */
  readonly warning: string | null;
  /** The file is not replaced as promised. */
  readonly failure: string | null;
}

/** A complete new file, the old one, and who makes it. */
export interface Replacement {
  readonly original: Original;
  readonly temporary: Temporary;
  /** The user who runs paylint. */
  readonly user: number;
}

const STICKY_BIT = 0o1000;

/**
 * The file that `named` leads to. Throws the errors of the file system, and an Error that says why it may not be
 * written.
 */
export function originalOf(named: string, disk: Disk): Original {
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

/** An Error that says what denied the step. */
export function denied(step: Step, error: unknown, disk: Disk, isStickyForUs = false): Error {
  const message = wordsForDenied(step, error, { platform: disk.platform(), isStickyForUs });
  return new Error(message, { cause: error });
}

/**
 * Renames the new file over the old one, after its backup. False if `isUnchanged` says that the old file is not the one
 * that was read: then it stays.
 */
export async function putInPlace(
  { original, temporary, user }: Replacement,
  run: WriteRun,
  isUnchanged: () => boolean,
): Promise<boolean> {
  const { disk, backup } = run;
  if (!isUnchanged()) return false;
  if (backup !== null && !(await keepBackup(original, backup, run, isUnchanged))) return false;
  try {
    await temporary.moveTo(original.path);
  } catch (error) {
    throw denied('replace', error, disk, isStickyFor(user, original, disk));
  }
  return true;
}

function isStickyFor(user: number, { path, stats }: Original, disk: Disk): boolean {
  try {
    const folder = disk.statSync(dirname(path));
    return (folder.mode & STICKY_BIT) !== 0 && folder.uid !== user && stats.uid !== user;
  } catch {
    return false;
  }
}

/** What was not guaranteed: `warning` about its attributes, and `sync`, the result of `syncFolder`. */
export function shortfallOf(warning: string | null, sync: unknown): Shortfall {
  if (sync === null) return { warning, failure: null };
  const words = `was written, but may not survive a power cut: its folder could not be synced: ${wordsFor(sync)}`;
  if (codeOf(sync) !== 'EACCES') return { warning, failure: words };
  return { warning: [warning, words].filter((one) => one !== null).join('; '), failure: null };
}

/** Errors of file systems that cannot sync folders. Windows cannot open folders for that. */
const CANNOT_SYNC: ReadonlySet<string | null> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EISDIR',
]);

/** Makes a rename durable. Returns null, or the error if that failed. */
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
