/**
 * The world as the command line sees it: arguments, streams, signals, time. Nothing else touches the process.
 */
import type { Readable } from 'node:stream';
import type { OutputStream } from '../types.ts';

/** The world as `main` sees it, so that tests can be the world. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly stdout: OutputStream & { readonly fd?: number };
  readonly stderr: OutputStream & {
    /** As a terminal's stream has them. */
    cursorTo?(column: number): boolean;
    clearLine?(direction: -1 | 0 | 1): boolean;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Number of the process. It is part of the names of temporary files, so that a later run can remove them if this one is killed. */
  readonly pid?: number;
  readonly cwd: string;
  /** Milliseconds since some moment, never going back. */
  readonly now: () => number;
  /** Called once, before the first payload is examined: it may be the first of many. */
  readonly beforeExamining?: () => void;
  /** Aborts when the user interrupts, or the system asks to end: the reason is the signal's name: SIGHUP, SIGINT or SIGTERM. */
  readonly interrupt: AbortSignal;
}
