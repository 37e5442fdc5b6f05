/**
 * The system calls of `--write` in one interface, so that tests can make any of them fail, or return what another
 * system returns. The caller handles failures: those of one file must not end the others (`attempt`).
 */
import type { SpawnSyncReturns } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { nodeModule } from '../json/on-demand.ts';

/** `status`: the exit code; null if a signal ended it. */
export type ToolResult = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

export interface Disk extends Omit<typeof fs, 'fsync'> {
  /** Like `fsyncSync`, but the caller can continue. */
  fsync(fd: number): Promise<void>;
  platform(): NodeJS.Platform;
  /** Runs a program of the search path `path` (undefined: the system's own). Throws if it cannot be started. */
  runTool(program: string, args: readonly string[], path: string | undefined): ToolResult;
  pause(ms: number): Promise<void>;
}

/** A tool that takes longer than this hangs, for example on a network drive. In milliseconds. */
const TOOL_LIMIT_MS = 30_000;

function runTool(program: string, args: readonly string[], path: string | undefined): ToolResult {
  const { error, status, stdout, stderr } = nodeModule('node:child_process').spawnSync(program, args, {
    env: { LC_ALL: 'C', ...(path === undefined ? {} : { PATH: path }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TOOL_LIMIT_MS,
    windowsHide: true,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

export const REAL_DISK: Disk = {
  ...fs,
  fsync: (fd) => new Promise((done, fail) => fs.fsync(fd, (error) => (error === null ? done() : fail(error)))),
  platform: os.platform,
  runTool,
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
};

export type Attempt<T> = { readonly value: T } | { readonly error: unknown };

export function attempt<T>(action: () => T): Attempt<T> {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

export function ignoreErrors(action: () => void): boolean {
  return 'value' in attempt(action);
}
