/**
 * The system calls of `--write` in one interface, so that tests can make any of them fail, or return what another
 * system returns. Every method is one system call. The caller handles failures: those of one file must not end the
 * others (`attempt`).
 */
import fs from 'node:fs';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { nodeModule } from '../source/on-demand.ts';

export interface ToolResult {
  /** Exit code; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Disk extends Omit<typeof fs, 'fsync'> {
  /** Like `fsyncSync`, but the caller can continue. */
  fsync(fd: number): Promise<void>;
  platform(): NodeJS.Platform;
  /**
   * Runs a program found in the search path `path` (undefined: the system's own) and waits for it. Throws if it cannot
   * be started.
   */
  runTool(program: string, args: readonly string[], path: string | undefined): ToolResult;
  /** Waits, in milliseconds. */
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
  pause: (ms) => setTimeout(ms),
};

export type Attempt<T> = { readonly value: T } | { readonly error: unknown };

export function attempt<T>(action: () => T): Attempt<T> {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

/** The same for a step that takes time. */
export async function attemptLater<T>(action: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}

export function ignoreErrors(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
