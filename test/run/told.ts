/**
 * Runs of what `npm run build` made that tell what they have begun with (`tell.cjs`): a test of signals waits for that, and not for a
 * time, so it passes on any machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { atFileEnd } from '../file-end.ts';
import { BIN } from '../spawned.ts';

/** See `tell.cjs`. */
export type RunEvent = 'begun' | 'read' | 'regexp' | 'limited';

const TELL = join(import.meta.dirname, 'tell.cjs');

export interface ToldRun {
  readonly child: ChildProcess;
  /** Resolves when the run has begun with it. Rejects if the run has ended before. */
  begun(event: RunEvent): Promise<void>;
}

/** A run that a signal does not end must not go on for ever. */
const running = new Set<ChildProcess>();
atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL');
});

export function startTold(cwd: string, ...args: readonly string[]): ToldRun {
  const child = spawn(process.execPath, ['--require', TELL, BIN, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  const lines = createInterface({ input: child.stdio[3] as Readable }); // a pipe, which the child writes to
  const told = new Set<string>();
  lines.on('line', (line) => told.add(line));
  return {
    child,
    begun: (event) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (told.has(event)) resolve();
        };
        lines.on('line', look);
        lines.on('close', () => reject(new Error(`the run has ended before it told of ${event}`)));
        look();
      }),
  };
}
