/**
 * What the machine refuses, or the way Node was started: plain words for it, so that it is never taken for a bug in paylint.
 * Trouble with one source is a `SourceError`; this is for what ends the whole run.
 */
import { EnvironmentError } from '../errors.ts';
import { codeOf, wordsFor } from './system-errors.ts';

/** The plain words for an error that is the environment's; null for any other, which is a bug in paylint. */
export function environmentFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // Errors of threads arrive without their class.
  if (error.name === 'EnvironmentError') return error.message;
  const code = codeOf(error);
  if (isOutOfMemory(error, code)) return `there is not enough memory (${error.message})`;
  if (/SIMD unsupported/i.test(error.message))
    return 'this processor has no SIMD for WebAssembly, which paylint needs';
  if (code === 'ERR_ACCESS_DENIED') return `${subjectOf(error)}${wordsFor(error)}`;
  if (code === 'ERR_WORKER_INIT_FAILED') return `a thread could not be started: ${error.message}`;
  return isSystemError(error) ? systemFault(error) : null;
}

/** Makes the memory of a run. Throws EnvironmentError where this Node has no WebAssembly, or no room for it. */
export function reserveMemory(pages: number): WebAssembly.Memory {
  if (typeof WebAssembly === 'undefined') {
    throw new EnvironmentError(
      'this Node runs without WebAssembly, which paylint needs; leave out --jitless and --no-expose-wasm',
    );
  }
  try {
    return new WebAssembly.Memory({ initial: pages });
  } catch (cause) {
    throw new EnvironmentError(
      'there is not enough address space for WebAssembly, which reserves 10 GB and uses little of it; ' +
        'raise the limit (ulimit -v), or set NODE_OPTIONS=--disable-wasm-trap-handler',
      { cause },
    );
  }
}

const OUT_OF_MEMORY_CODES = new Set([
  'ENOMEM',
  'ERR_WORKER_OUT_OF_MEMORY',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ERR_ZLIB_INITIALIZATION_FAILED',
]);

/** V8 says in words alone that an allocation failed: that of a buffer, a string, or memory for WebAssembly. */
const OUT_OF_MEMORY_WORDS = /allocation failed|could not allocate|out of memory|invalid string length/i;

function isOutOfMemory({ name, message }: Error, code: string | null): boolean {
  if (code !== null && OUT_OF_MEMORY_CODES.has(code)) return true;
  return (
    /^(?:RangeError|CompileError|LinkError|RuntimeError)$/.test(name) && OUT_OF_MEMORY_WORDS.test(message)
  );
}

interface SystemError extends Error {
  readonly errno: number;
  readonly syscall: string;
}

/** What libuv reports of a system call that failed. */
function isSystemError(error: Error): error is SystemError {
  return 'errno' in error && typeof error.errno === 'number' && 'syscall' in error;
}

function systemFault(error: SystemError): string {
  if (error.syscall === 'uv_cwd') return `the working directory cannot be found: ${wordsFor(error)}`;
  return `${subjectOf(error)}${wordsFor(error)} (${error.syscall})`;
}

/** `/tmp/x: `, where the error names a path. */
function subjectOf(error: Error): string {
  const path = 'path' in error ? error.path : 'resource' in error ? error.resource : null;
  return typeof path === 'string' && path !== '' ? `${path}: ` : '';
}
