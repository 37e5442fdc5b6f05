/**
 * paylint as a process among others: what `npm run build` made, run from a shell or by itself.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

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

/** Runs a line of bash in which `paylint` is the built program; its exit code is that of bash. */
export function bash(cwd: string, line: string): Promise<Outcome> {
  const script = `paylint() { "$NODE" "$BIN" "$@"; }\n${line}`;
  const env = { ...process.env, NODE: process.execPath, BIN };
  return outcomeOf(spawn('bash', ['-c', script], { cwd, env }));
}

export function start(cwd: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { cwd });
}

/** Whether the system lets us do something. */
export function works(command: string): boolean {
  try {
    execFileSync('bash', ['-c', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
