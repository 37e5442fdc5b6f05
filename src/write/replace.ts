/**
 * The steps of replacing a file that do not depend on its new content. A message says what denied a step and what
 * helps, because the system reports the same "permission denied" for the file, its folder and their attributes.
 */
import { constants, type Stats } from 'node:fs';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import { type Disk, ignoreErrors, REAL_DISK } from './disk.ts';
import { AttributeKeeper, type Original } from './keep-attributes.ts';
import { Retry, type TemporaryMaker } from './temporary.ts';

export interface WriteSettings {
  readonly disk?: Disk;
  /** Where programs are found, like the variable PATH. */
  readonly searchPath?: string | undefined;
}

export interface WriteRun extends TemporaryMaker {
  readonly keeper: AttributeKeeper;
}

export function createWriteRun(settings: WriteSettings): WriteRun {
  const { disk = REAL_DISK, searchPath } = settings;
  return { disk, retry: new Retry(disk), keeper: new AttributeKeeper(disk, searchPath) };
}

/** What could not be guaranteed for a file that has been replaced, in clauses. */
export interface Shortfall {
  /** The user should know it, but the file is replaced. */
  readonly warning: string | null;
  /** The file is not replaced as promised. */
  readonly failure: string | null;
}

/** The file that `named` leads to. Throws system errors, and an Error that says why it may not be written. */
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

export function denied(step: WriteStep, cause: unknown, disk: Disk): Error {
  const code = codeOf(cause) ?? '';
  const words = disk.platform() !== 'win32' ? WORDS[step][code] : DENIED.has(code) ? WINDOWS_WORDS[step] : undefined;
  return new Error(words ?? wordsFor(cause), { cause });
}

/** What was not guaranteed: `warning` about its attributes, and `sync`, the result of `syncFolder`. */
export function shortfallOf(warning: string | null, sync: unknown): Shortfall {
  if (sync === null) return { warning, failure: null };
  if (codeOf(sync) !== 'EACCES') return { warning, failure: unsynced(sync) };
  return { warning: bothOf(warning, unsynced(sync)), failure: null };
}

/** Two clauses, either of which may be missing, as one. */
export function bothOf(...clauses: readonly [string | null, string | null]): string | null {
  return clauses.filter((one) => one !== null).join('; ') || null;
}

function unsynced(sync: unknown): string {
  return `was written, but may not survive a power cut: its folder could not be synced: ${wordsFor(sync)}`;
}

/** Errors of file systems that cannot sync folders. Windows cannot open folders for that. */
const CANNOT_SYNC: ReadonlySet<string | null> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

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

/** 'ask': may the file be written; 'create': a new file in its folder; 'replace': rename that over the file. */
type WriteStep = 'ask' | 'create' | 'replace';

const MOUNT_POINT =
  'the file is a mount point, as in a container, and cannot be replaced: mount its folder, or fill to standard output';

/** By the system's code; others have those of `wordsFor`. */
const WORDS: Readonly<Record<WriteStep, Readonly<Record<string, string>>>> = {
  ask: {
    EACCES: 'the file is read-only for you: change its permissions (chmod) or its owner',
    EPERM: 'the file is marked immutable: remove the mark (chattr -i)',
  },
  create: {
    EACCES: 'its folder is read-only for you, and a new file is written there first: change its permissions',
    EPERM: 'its folder is marked immutable: remove the mark (chattr -i)',
    ENAMETOOLONG: 'the path of its folder is so long that no temporary file can be written there',
  },
  replace: {
    EACCES: 'its folder is read-only for you, and the new file is put in its place there: change its permissions',
    EPERM:
      'the file or its folder is marked immutable or append-only: remove the mark (chattr -i, chattr -a); ' +
      'or it belongs to another user, and the folder has the sticky bit, as /tmp has',
    EBUSY: MOUNT_POINT,
    EXDEV: MOUNT_POINT,
  },
};

const WINDOWS_WORDS: Readonly<Record<WriteStep, string>> = {
  ask: 'the file is read-only: remove that attribute',
  create: 'its folder is read-only for you, and a new file is written there first: change its permissions',
  replace: 'another program has the file open, or its folder is read-only for you',
};

const DENIED: ReadonlySet<string | null> = new Set(['EACCES', 'EPERM', 'EBUSY']);
