/**
 * Limits the time of work that is mostly quick, but can take forever for some schemas and payloads. It is ended after a
 * second, so that its thread handles signals again. The limit costs about 40 microseconds per call. Data that the work
 * was changing when it was ended must not be used any more.
 */
import type { Script } from 'node:vm';
import { nodeModule } from '../json/on-demand.ts';
import { EXAMINED_MS } from '../limits.ts';
import { requireDescriptors } from '../source/system-errors.ts';

/** Runs the work synchronously, and returns its result. */
export type RunWithinLimit = <T>(work: () => T) => T;

/** Thrown if work takes longer than it may. */
export class OverTime extends Error {
  override readonly name = 'OverTime';
}

const WORK = Symbol.for('paylint.work');
let script: Script | null = null;

/** Throws OverTime, and EMFILE if the process may not open what the first limit needs. */
export const withinTime: RunWithinLimit = <T>(work: () => T): T => {
  if (script === null) requireDescriptors();
  const world = globalThis as { [WORK]?: (() => T) | undefined };
  const outer = world[WORK];
  world[WORK] = work;
  script ??= new (nodeModule('node:vm').Script)('globalThis[Symbol.for("paylint.work")]()');
  try {
    return script.runInThisContext({ timeout: EXAMINED_MS }) as T; // of `work`
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new OverTime('this takes longer than it may', { cause: error });
  } finally {
    world[WORK] = outer;
  }
};

export const unlimited: RunWithinLimit = (work) => work();
