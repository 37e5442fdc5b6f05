/**
 * What `--write` asks of the system, in one interface, so that tests can make any of it fail or answer as another system does.
 * Every call is one call of the system; what is done about its failure is for the caller to say.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';

type FileSystem = Pick<
  typeof fs,
  | 'accessSync'
  | 'closeSync'
  | 'copyFileSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'futimesSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readSync'
  | 'readdirSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
>;

/** How a program ended. */
export interface ToolResult {
  /** Its exit code; null if it was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Disk extends FileSystem {
  platform(): NodeJS.Platform;
  /** Runs a program of the search path `path` (undefined: the system's own) and waits for it. Throws if it cannot be started. */
  runTool(program: string, args: readonly string[], path: string | undefined): ToolResult;
  /** Whether a process has this id. True as well if the system does not tell. */
  isAlive(pid: number): boolean;
  /** Waits, in milliseconds. */
  pause(ms: number): Promise<void>;
}

/** A tool that takes longer hangs, for example on a network drive that is gone. In milliseconds. */
const TOOL_LIMIT_MS = 30_000;

/** Not an import: the bundle has no `node:child_process`, which most runs do without. */
const seldom: (name: 'node:child_process') => typeof import('node:child_process') = createRequire(
  import.meta.filename,
);

function runTool(program: string, args: readonly string[], path: string | undefined): ToolResult {
  const { error, status, stdout, stderr } = seldom('node:child_process').spawnSync(program, args, {
    env: { LC_ALL: 'C', ...(path === undefined ? {} : { PATH: path }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TOOL_LIMIT_MS,
    windowsHide: true,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function isAlive(pid: number): boolean {
  try {
    os.getPriority(pid);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'info' in error && isNoSuchProcess(error.info));
  }
}

function isNoSuchProcess(info: unknown): boolean {
  return typeof info === 'object' && info !== null && 'code' in info && info.code === 'ESRCH';
}

export const REAL_DISK: Disk = {
  accessSync: fs.accessSync,
  closeSync: fs.closeSync,
  copyFileSync: fs.copyFileSync,
  fchmodSync: fs.fchmodSync,
  fchownSync: fs.fchownSync,
  fstatSync: fs.fstatSync,
  fsyncSync: fs.fsyncSync,
  ftruncateSync: fs.ftruncateSync,
  futimesSync: fs.futimesSync,
  linkSync: fs.linkSync,
  lstatSync: fs.lstatSync,
  mkdirSync: fs.mkdirSync,
  openSync: fs.openSync,
  readSync: fs.readSync,
  readdirSync: fs.readdirSync,
  realpathSync: fs.realpathSync,
  renameSync: fs.renameSync,
  rmdirSync: fs.rmdirSync,
  statSync: fs.statSync,
  unlinkSync: fs.unlinkSync,
  writeSync: fs.writeSync,
  platform: os.platform,
  runTool,
  isAlive,
  pause: (ms) => setTimeout(ms),
};
