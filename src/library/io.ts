/**
 * The world as the library sees it: no streams, no environment.
 */
import { Readable } from 'node:stream';
import type { Io } from '../input/io.ts';
import { NOWHERE } from '../output/nowhere.ts';
import type { StopSignal } from './api.ts';

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
