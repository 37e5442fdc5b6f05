/**
 * Yields the results of batches in the order of the plan, whichever thread does them: this one, and others once they
 * are worth their start.
 */
import { availableParallelism } from 'node:os';
import { Interrupted } from '../errors.ts';
import { type BatchResults, checkBatch } from './batch.ts';
import { Blocks } from './blocks.ts';
import { AHEAD, type AtWork, Claims, createShared, workOn } from './claims.ts';
import type { PartContext } from './context.ts';
import { threadsAllowed } from './descriptor-limit.ts';
import { type Pace, threadsWorth } from './pace.ts';
import type { Pool, ThreadSettings } from './pool.ts';
import type { Batch } from './serial.ts';

/**
 * A batch in its turn. `results` null: no thread has done it. The caller must do it now and report results as they
 * come.
 */
export interface Turn {
  readonly batch: Batch;
  readonly results: BatchResults | null;
  /**
   * The run is interrupted, and another thread has not done the batch: the payload that it examines, null if it examines none. There is no other
   * turn. Absent: it is not so.
   */
  readonly unfinished?: AtWork | null;
}

/**
 * Most threads unless the user asks for more: each takes memory, and paylint may be one of many processes on a large
 * machine.
 */
const DEFAULT_THREADS = 8;

/** Most threads for a run; `wanted` null: by the number of cores. */
export function mostThreads(wanted: number | null): number {
  return wanted ?? Math.min(DEFAULT_THREADS, availableParallelism());
}

/**
 * Yields every batch in order. `threads`: most threads, including this one; `share`: the settings for other threads.
 * Leaving the loop ends the other threads.
 */
export async function* schedule(
  batches: readonly Batch[],
  threads: number,
  context: PartContext,
  share: () => Promise<ThreadSettings>,
  haste: Pace | null = null,
): AsyncGenerator<Turn> {
  let begun = context.now();
  let uncounted = 0;
  const most = Math.min(threads, batches.length);
  const shared = createShared(most);
  const serial = Uint8Array.from(batches, (batch) => (batch.serial ? 1 : 0));
  let claims = new Claims({ shared, serial, ahead: AHEAD }, null);
  const own: (BatchResults | null)[] = [];
  const blocks = new Blocks();
  let pool: Pool | null = null;
  try {
    for (const [turn, batch] of batches.entries()) {
      // The first batch says nothing about the pace: meanwhile the schemas are compiled.
      if (turn === 1) [begun, uncounted] = [context.now(), 1];
      if (batch.serial) yield { batch, results: null };
      else {
        let results: BatchResults | null = null;
        while (results === null) {
          results = own[turn] ?? pool?.take(turn) ?? null;
          // A thread that has ended sends nothing more.
          if (results !== null || pool?.isLeft(turn)) break;
          const mine = claims.take(false);
          if (pool === null && most > 1) {
            const left = claims.left;
            const elapsed = context.now() - begun;
            const work = {
              ofFiles: batch.parts[0]?.range == null,
              elapsed,
              taken: batches.length - left - uncounted,
              left,
            };
            const more = Math.min(most, threadsWorth(work, haste)) - 1;
            if (more > 0) {
              const ahead = (more + 1) * AHEAD;
              const { Pool } = await import('./pool.ts');
              const told = { ...(await share()), claims: { shared, serial, ahead } };
              pool = new Pool(Math.min(more, threadsAllowed()), batches, told, context.interrupt);
              pool.offer(turn);
              claims = new Claims(told.claims, null);
            }
          }
          if (mine === turn) break;
          if (typeof mine === 'number') {
            const done = await unlessInterrupted(checkBatch(batches[mine]!, context, blocks));
            own[mine] = done;
            // Lets messages of other threads, signals and pipes be handled.
            await new Promise((turn) => setImmediate(turn));
          } else await pool!.next(); // another thread has it
          if (!context.interrupt.aborted) continue;
          results = own[turn] ?? (await pool?.takeSoon(turn)) ?? null;
          yield { batch, results, ...(results === null ? { unfinished: workOn(turn, shared) } : {}) };
          return;
        }
        own[turn] = null;
        yield { batch, results };
      }
      pool?.offer(turn + 1);
      claims.report(turn + 1);
    }
  } finally {
    await pool?.close();
  }
}

/** Null if the run is interrupted meanwhile. */
async function unlessInterrupted<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: unknown) => {
    if (error instanceof Interrupted) return null;
    throw error;
  });
}
