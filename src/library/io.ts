/**
 * The world as the library sees it: no streams, no environment.
 */
import { Readable } from 'node:stream';
import type { Io } from '../input/io.ts';
import type { OutputStream } from '../types.ts';
import type { StopSignal } from './api.ts';

/** A stream that drops everything. */
export const NOWHERE: OutputStream = {
  destroyed: false,
  write(_, done) {
    done?.();
  },
  on() {},
  off() {},
};

export function ioFor(cwd: string, signal: StopSignal | undefined): Io {
  return {
    args: [],
    stdin: Readable.from([]),
    stdout: NOWHERE,
    stderr: NOWHERE,
    env: {},
    cwd,
    now: () => performance.now(),
    interrupt: (signal as AbortSignal | undefined) ?? new AbortController().signal, // the caller passes one
  };
}
