/**
 * paylint as a process among others: what `npm run build` made, run from a shell or by itself. A line of shell finds Node, paylint
 * and the programs that its test says it needs; whatever else it wants, it must do with what a POSIX shell has built in.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { shell } from '../scripts/programs.js';
import { type Need, needs } from './tools.ts';

export const BIN = join(import.meta.dirname, '../bin/paylint.js');

export interface Outcome {
  readonly code: number | null;
  /** The one that ended it, where one did. */
  readonly signal?: NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** All that comes of a process. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  return new Promise((done) => {
    child.on('close', (code, signal) => {
      const [stdout, stderr] = [chunks.stdout, chunks.stderr].map((each) => Buffer.concat(each).toString());
      done({ code, ...(signal === null ? {} : { signal }), stdout: stdout!, stderr: stderr! });
    });
  });
}

const NOTHING = needs();

/** Runs a line of POSIX shell in which `paylint` is the built program; its exit code is that of the shell. */
export function sh(cwd: string, line: string, need: Need = NOTHING): Promise<Outcome> {
  const script = `paylint() { "$NODE" "$BIN" "$@"; }\n${line}`;
  const env = { ...process.env, NODE: process.execPath, BIN, PATH: need.folder };
  return outcomeOf(spawn(shell(), ['-c', script], { cwd, env }));
}

/**
 * Runs `writer | reader`, both lines of shell; the exit code is that of the writer. Between them is a pipe, as between the
 * programs of users, and not a socket, as between Node and its children. In both, descriptor 3 is the standard output of all.
 */
export function piped(cwd: string, writer: string, reader: string, need?: Need): Promise<Outcome> {
  const both = `{ { (${writer}); echo "$?" >&4; } | ${reader} >&3 4>&-; } 4>&1`;
  return sh(cwd, `exec 3>&1; code=$(${both}); exit "$code"`, need);
}

/** For `piped`: takes the first line, and goes away. */
export const FIRST_LINE = `"$NODE" -e '
  process.stdin.once("data", (chunk) => {
    require("node:fs").writeSync(1, chunk.subarray(0, chunk.indexOf(10) + 1));
    process.exit();
  });'`;

/** For `piped`: takes everything, but only half a second later. */
export const SLOW_READER = `"$NODE" -e 'setTimeout(() => process.stdin.pipe(process.stdout), 500)'`;

/** For `piped`, before the writer's first command: waits until the reader has gone away. */
export const UNTIL_UNREAD = `trap "" PIPE; while printf . 2>/dev/null; do :; done`;

/** paylint as a child of this process. */
export function start(cwd: string, ...args: readonly string[]): ChildProcess {
  return startIn(process.env, cwd, args);
}

/** The same, with an environment of its own. */
export function startIn(env: NodeJS.ProcessEnv, cwd: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { cwd, env });
}
