/**
 * Errors of the system, and plain messages for them.
 *
 * A usage error ends the run before it starts. A source error ends one source, and the run continues with the next. Both
 * carry their cause. Messages do not name the file: the report does. An error of the machine, or of the way Node was
 * started, ends the whole run, and is never reported as a bug in paylint.
 */
import { closeSync, openSync } from 'node:fs';
import { Interrupted, SourceError } from '../errors.ts';
import { nodeModule } from '../json/on-demand.ts';

/** The file is another one than when reading it began, or shorter. */
export function changedError(): SourceError {
  return new SourceError('was changed while it was read');
}

/** Messages for the common errors. For others, the system's own message is used. */
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
  EROFS: 'its file system is mounted read-only',
  EIO: 'input/output error: the device or network drive did not deliver',
  ESTALE: 'it is gone from its network drive',
  EBADF: 'it is closed, or not open for this',
  ERR_INVALID_ARG_VALUE: 'a path cannot contain a NUL character',
};

/** In a name that is not UTF-8, Node puts this character: no file can be opened by such a name. */
const REPLACEMENT = '\ufffd';
const NOT_UTF8 = 'no such file or folder; if its name is not valid UTF-8, rename it';

/** Node's flags that allow what its permission model refused. */
const PERMISSION_FLAGS: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  WorkerThreads: '--allow-worker',
  Net: '--allow-net',
};

/** The system's code of an error (`ENOENT`), or null if it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The message for a file system error: one clause without the file's name. */
export function wordsFor(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' && isNotUtf8(error)) return NOT_UTF8;
  if (code === 'ERR_ACCESS_DENIED') return wordsForPermission(error);
  const words = code === null ? undefined : WORDS[code];
  if (words !== undefined) return words;
  const errno = error instanceof Error && 'errno' in error ? error.errno : null;
  const known = typeof errno === 'number' ? nodeModule('node:util').getSystemErrorMap().get(errno) : undefined;
  if (known !== undefined) return `${known[1]} (${known[0]})`;
  return error instanceof Error ? error.message : String(error);
}

/** True if the path of an error has lost bytes that are not UTF-8, or contains the character that replaces them. */
export function isNotUtf8(error: unknown): boolean {
  return error instanceof Error && 'path' in error && String(error.path).includes(REPLACEMENT);
}

function wordsForPermission(error: unknown): string {
  const permission = error instanceof Error && 'permission' in error ? String(error.permission) : '';
  const flag = PERMISSION_FLAGS[permission];
  return `permission denied by Node, which runs with --permission${flag === undefined ? '' : `; ${flag} allows it`}`;
}

/** Makes a source error of any error thrown by reading. An error with a plain message stays as it is. */
export function sourceError(error: unknown): SourceError | Interrupted {
  if (error instanceof SourceError || error instanceof Interrupted) return error;
  return new SourceError(wordsFor(error), { cause: error });
}

/** The message for an error of the environment; null for any other, which is a bug in paylint. */
export function environmentFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // Errors of threads arrive without their class.
  if (error.name === 'EnvironmentError') return error.message;
  // An error of Deno. Its message names the flag that grants the permission.
  if (error.name === 'NotCapable') return `permission denied: ${error.message}`;
  const code = codeOf(error);
  if (isOutOfMemory(error, code)) return `there is not enough memory (${error.message})`;
  if (/SIMD unsupported/i.test(error.message)) return 'this processor has no SIMD for WebAssembly, which paylint needs';
  if (code === 'ERR_ACCESS_DENIED') return `${subjectOf(error)}${wordsFor(error)}`;
  if (code === 'ERR_WORKER_INIT_FAILED') return `a thread could not be started: ${error.message}`;
  // An error that libuv reports for a failed system call.
  if (!('errno' in error && typeof error.errno === 'number' && 'syscall' in error)) return null;
  if (error.syscall === 'uv_cwd') return `the working directory cannot be found: ${wordsFor(error)}`;
  return `${subjectOf(error)}${wordsFor(error)} (${error.syscall})`;
}

const OUT_OF_MEMORY_CODES = new Set([
  'ENOMEM',
  'ERR_WORKER_OUT_OF_MEMORY',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ERR_ZLIB_INITIALIZATION_FAILED',
]);

/** V8 has no code for a failed allocation of a buffer, a string, or memory for WebAssembly: only a message. */
const OUT_OF_MEMORY_WORDS = /allocation failed|could not allocate|out of memory|invalid string length/i;

function isOutOfMemory({ name, message }: Error, code: string | null): boolean {
  if (code !== null && OUT_OF_MEMORY_CODES.has(code)) return true;
  return /^(?:RangeError|CompileError|LinkError|RuntimeError)$/.test(name) && OUT_OF_MEMORY_WORDS.test(message);
}

/** `/tmp/x: `, if the error has a path. */
function subjectOf(error: Error): string {
  const path = 'path' in error ? error.path : 'resource' in error ? error.resource : null;
  return typeof path === 'string' && path !== '' ? `${path}: ` : '';
}

/** An event loop takes up to six. */
const NEEDED = 6;

/**
 * Node needs descriptors for a thread and for a limit of time; without them it ends the process by SIGABRT, and no
 * error can be caught. Throws the error of the file system, EMFILE or ENFILE, if there are too few descriptors left.
 */
export function requireDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    // There is no such file, or it may not be opened: nothing is known.
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
