/**
 * Batches in, their results out, in the order of the plan, whoever does them: this thread, and others once the work turns out to be worth it.
 */
import { type BatchResults, checkBatch } from './batch.ts';
import { AHEAD, Claims, createShared } from './claims.ts';
import type { Manner } from './gather.ts';
import type { PartContext } from './part.ts';
import type { Batch } from './plan.ts';
import type { Pool, ThreadData } from './pool.ts';
import { roomForThreads } from './room.ts';

/** When other threads are started. */
export interface Pace {
  /** Milliseconds of work before they are thought of: by then its pace is known. */
  readonly patience: number;
  /** Milliseconds of work that must be left, at that pace: some times what starting one costs. */
  readonly worth: number;
}

/** While there are parts of large files to do. */
const PACE: Pace = { patience: 10, worth: 160 };
/** While there are small files: most of their time is the system's, and two threads are hardly quicker at it than one. */
const PACE_OF_FILES: Pace = { patience: 40, worth: 1000 };

/** With so many ranges to do, nobody needs to know the pace. */
const SURELY = 256;

/** A batch in its turn. `results` null: nobody has done it, and it is to be done now, its results going out as they come. */
export interface Turn {
  readonly batch: Batch;
  readonly results: BatchResults | null;
}

/**
 * Yields every batch in order. `threads`: how many may work, this one included; `share`: what another thread must be told.
 * Leaving the loop ends the other threads.
 */
export async function* schedule(
  batches: readonly Batch[],
  threads: number,
  context: PartContext,
  manner: Manner,
  share: () => Promise<Omit<ThreadData, 'batches' | 'claims' | 'manner' | 'slot'>>,
  haste: Pace | null = null,
): AsyncGenerator<Turn> {
  const begun = context.now();
  const ahead = threads * AHEAD;
  const shared = createShared(threads);
  const claims = new Claims(shared, batches, ahead, null);
  const own = new Map<number, BatchResults>();
  let pool: Pool | null = null;
  try {
    for (const [turn, batch] of batches.entries()) {
      if (batch.serial) yield { batch, results: null };
      else {
        let results: BatchResults | null = null;
        while (results === null) {
          results = own.get(turn) ?? pool?.take(turn) ?? null;
          // Of a thread that has ended nothing more will come.
          if (results !== null || pool?.isLeft(turn)) break;
          const mine = claims.take(false);
          const ofFiles = batch.parts[0]?.range == null;
          const { patience, worth } = haste ?? (ofFiles ? PACE_OF_FILES : PACE);
          const elapsed = context.now() - begun;
          const left = (elapsed / (batches.length - claims.left)) * claims.left;
          const pays = (!ofFiles && claims.left >= SURELY) || (elapsed > patience && left > worth);
          if (pool === null && threads > 1 && pays) {
            const { Pool } = await import('./pool.ts');
            pool = new Pool(Math.min(threads - 1, roomForThreads()), {
              ...(await share()),
              manner,
              batches,
              claims: { shared, ahead },
            });
          }
          if (mine === turn) break;
          if (typeof mine === 'number') {
            own.set(mine, await checkBatch(batches[mine]!, context, manner));
            // Results of other threads, signals and pipes get their turn.
            await new Promise((turn) => setImmediate(turn));
          } else await pool!.next(); // someone else has it
        }
        own.delete(turn);
        yield { batch, results };
      }
      claims.report(turn + 1);
    }
  } finally {
    await pool?.close();
  }
}
