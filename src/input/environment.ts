/**
 * Plain messages for errors of the machine, or of the way Node was started, so that they are never reported as a bug in
 * paylint. Errors of one source are a `SourceError`; these end the whole run.
 */
import { EnvironmentError } from '../errors.ts';
import { codeOf, wordsFor } from './system-errors.ts';

/** The message for an error of the environment; null for any other, which is a bug in paylint. */
export function environmentFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // Errors of threads arrive without their class.
  if (error.name === 'EnvironmentError') return error.message;
  // An error of Deno. Its message names the flag that grants the permission.
  if (error.name === 'NotCapable') return `permission denied: ${error.message}`;
  const code = codeOf(error);
  if (isOutOfMemory(error, code)) return `there is not enough memory (${error.message})`;
  if (/SIMD unsupported/i.test(error.message))
    return 'this processor has no SIMD for WebAssembly, which paylint needs';
  if (code === 'ERR_ACCESS_DENIED') return `${subjectOf(error)}${wordsFor(error)}`;
  if (code === 'ERR_WORKER_INIT_FAILED') return `a thread could not be started: ${error.message}`;
  return isSystemError(error) ? systemFault(error) : null;
}

/** Allocates the memory of a run. Throws EnvironmentError if this Node has no WebAssembly, or not enough memory. */
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

/** V8 has no code for a failed allocation of a buffer, a string, or memory for WebAssembly: only a message. */
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

/** An error that libuv reports for a failed system call. */
function isSystemError(error: Error): error is SystemError {
  return 'errno' in error && typeof error.errno === 'number' && 'syscall' in error;
}

function systemFault(error: SystemError): string {
  if (error.syscall === 'uv_cwd') return `the working directory cannot be found: ${wordsFor(error)}`;
  return `${subjectOf(error)}${wordsFor(error)} (${error.syscall})`;
}

/** `/tmp/x: `, if the error has a path. */
function subjectOf(error: Error): string {
  const path = 'path' in error ? error.path : 'resource' in error ? error.resource : null;
  return typeof path === 'string' && path !== '' ? `${path}: ` : '';
}
