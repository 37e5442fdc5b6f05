/**
 * What can keep paylint from reading, and the plain words for it.
 *
 * A usage error ends the run before it starts; a source error ends one source, and the run goes on with the
 * next. Both carry their cause. Words never name the file: whoever reports the failure does.
 */
import { Interrupted, SourceError } from '../errors.ts';
import { seldom } from './seldom.ts';

/** A file that is shorter than it was when reading it began, or another one. */
export function changedError(): SourceError {
  return new SourceError('was changed while it was read');
}

/** What people call the errors that they meet; the rest is said in the system's own words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder: a part of its path is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'too many symbolic links, or links that lead in a circle',
  EMFILE: 'too many open files in this process',
  ENFILE: 'too many open files on this machine',
  ENAMETOOLONG: 'its name is too long for this file system',
  ENXIO: 'no such device, or a socket, which cannot be opened as a file',
  EIO: 'input/output error: the device or network drive did not deliver',
  ESTALE: 'it is gone from its network drive',
  EBADF: 'it is closed, or not open for this',
  ERR_INVALID_ARG_VALUE: 'a path cannot contain a NUL character',
};

/** How Node spells a name whose bytes are not UTF-8: no file can be opened by that. */
const REPLACEMENT = '\ufffd';
const NOT_UTF8 = 'no such file or folder; if its name is not valid UTF-8, rename it';

/** The flag of Node's that allows what its permission model has refused. */
const PERMISSION_FLAGS: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  WorkerThreads: '--allow-worker',
  Net: '--allow-net',
};

/** The system's code for an error (`ENOENT`), or null where it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The plain words for a file system error, as one clause without the file's name. */
export function wordsFor(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' && isNotUtf8(error)) return NOT_UTF8;
  if (code === 'ERR_ACCESS_DENIED') return wordsForPermission(error);
  const words = code === null ? undefined : WORDS[code];
  if (words !== undefined) return words;
  const errno = error instanceof Error && 'errno' in error ? error.errno : null;
  const known = typeof errno === 'number' ? seldom('node:util').getSystemErrorMap().get(errno) : undefined;
  if (known !== undefined) return `${known[1]} (${known[0]})`;
  return error instanceof Error ? error.message : String(error);
}

/** True where the path that an error names has lost bytes that are not UTF-8; or has the character that stands for them. */
export function isNotUtf8(error: unknown): boolean {
  return error instanceof Error && 'path' in error && String(error.path).includes(REPLACEMENT);
}

function wordsForPermission(error: unknown): string {
  const permission = error instanceof Error && 'permission' in error ? String(error.permission) : '';
  const flag = PERMISSION_FLAGS[permission];
  return `permission denied by Node, which runs with --permission${flag === undefined ? '' : `; ${flag} allows it`}`;
}

/** Makes a source error of whatever reading threw; one that is in our words already passes as it is. */
export function sourceError(error: unknown): SourceError | Interrupted {
  if (error instanceof SourceError || error instanceof Interrupted) return error;
  return new SourceError(wordsFor(error), { cause: error });
}
