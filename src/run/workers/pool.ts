/**
 * Threads that share the batches of a plan. A shared counter gives the next batch; each free thread takes it, including
 * the main thread. No thread runs far ahead of the reports, so memory stays bounded.
 *
 * The run continues without a thread that the system refuses, or that ends for lack of memory: the main thread does its
 * batch.
 */
import { Worker } from 'node:worker_threads';
import type { AcceptCode } from '../../engine/compile/code.ts';
import { type PrecompiledFiles, threadScript } from '../../package.ts';
import type { WantedDefaults } from '../../repair/wanted-defaults.ts';
import type { SchemaSource } from '../../schema/set.ts';
import { Bell } from '../../source/stream-reader.ts';
import { environmentFault, requireDescriptors } from '../../source/system-errors.ts';
import type { Plan } from '../check/flow.ts';
import type { Batch } from '../part.ts';
import { type BatchResults, unpacked } from './check-batch.ts';
import { lastTried, type Shares } from './claims.ts';

/** Schemas as threads get them. */
export interface ThreadSchemas {
  /** Null: the bundled schemas, unchanged. */
  readonly set: SchemaSource | null;
  readonly defaults: WantedDefaults;
  /** See `Schemas`. */
  readonly precompiled: PrecompiledFiles | null;
  readonly accept: ReadonlyMap<string | null, AcceptCode>;
}

/** The data that all threads of a run get: plain data, and modules, which threads can share. */
export interface ThreadSettings extends ThreadSchemas {
  readonly options: Plan;
  /** The schemas to compare with, and the names of their kinds; null: there are none. */
  readonly against: (ThreadSchemas & { readonly kinds: readonly string[] }) | null;
}

export interface ThreadData extends ThreadSettings {
  readonly claims: Shares;
  /** Number of the thread in the pool. */
  readonly slot: number;
}

/** A batch that a thread may take. It is sent in a message, so that threads do not keep the whole plan in memory. */
export interface Offer {
  readonly index: number;
  readonly batch: Batch;
}

export interface ThreadResult {
  readonly batch: number;
  /** As they are packed. */
  readonly results: BatchResults;
}

/** Milliseconds for the batch whose turn it is when the run is interrupted. */
const GRACE = 300;

export class Pool {
  readonly #workers: Worker[] = [];
  readonly #done: (BatchResults | null)[] = [];
  /** The last batches that threads tried to take before they ended. */
  readonly #left = new Set<number>();
  #error: unknown = null;
  readonly #bell = new Bell();
  readonly #interrupt: AbortSignal;
  readonly #batches: readonly Batch[];
  readonly #ahead: number;
  /** Batches before this one were offered, or are not for other threads. */
  #offered = 0;

  /** `threads`: how many to start; fewer may come up. */
  constructor(threads: number, batches: readonly Batch[], data: Omit<ThreadData, 'slot'>, interrupt: AbortSignal) {
    this.#batches = batches;
    this.#ahead = data.claims.ahead;
    this.#interrupt = interrupt;
    interrupt.addEventListener('abort', this.#bell.ring);
    for (let slot = 0; slot < threads; slot++) {
      const worker = tryToStart({ ...data, slot });
      if (worker === null) break;
      worker.on('message', ({ batch, results }: ThreadResult) => {
        this.#done[batch] = results;
        this.#bell.ring();
      });
      worker.on('error', (error) => {
        // Out of memory, or not permitted: the others, and the main thread, continue without it.
        if (environmentFault(error) === null) this.#error ??= error;
      });
      // All its messages have arrived by then.
      worker.on('exit', () => {
        this.#left.add(lastTried(data.claims.shared, slot));
        this.#bell.ring();
      });
      this.#workers.push(worker);
    }
  }

  /** Sends the batches that threads may take once all before `reported` are reported. To be called before they may. */
  offer(reported: number): void {
    const from = Math.max(reported, this.#offered);
    this.#offered = Math.min(this.#batches.length, reported + this.#ahead);
    for (let index = from; index < this.#offered; index++) {
      const offer: Offer = { index, batch: this.#batches[index]! };
      if (!offer.batch.serial) for (const worker of this.#workers) worker.postMessage(offer);
    }
  }

  /** The results of a batch done by a thread, once; null while it is not done. Throws errors of the thread. */
  take(batch: number): BatchResults | null {
    if (this.#error !== null) throw this.#error;
    const results = this.#done[batch] ?? null;
    this.#done[batch] = null;
    return results === null ? null : unpacked(results);
  }

  /** The batch may have been lost with a thread. If another one does it after all, it is still reported once. */
  isLeft(batch: number): boolean {
    return this.#left.has(batch);
  }

  /** Resolves when a thread has sent a message or has ended, or the run is interrupted. */
  async next(): Promise<void> {
    if (!this.#interrupt.aborted) await this.#bell.wait();
  }

  /** The results of a batch that a thread does while the run is interrupted; null: it may take for ever. */
  async takeSoon(batch: number): Promise<BatchResults | null> {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.#bell.ring();
    }, GRACE);
    let results = this.take(batch);
    while (results === null && !isOver && !this.isLeft(batch)) {
      await this.#bell.wait();
      results = this.take(batch);
    }
    clearTimeout(timer);
    return results;
  }

  async close(): Promise<void> {
    this.#interrupt.removeEventListener('abort', this.#bell.ring);
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Objects of a thread are sent and dropped: a larger young generation took memory and made nothing faster. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 };

/** Null: the system has no threads, memory or descriptors, Node may not start any, or there is no script for them. */
function tryToStart(data: ThreadData): Worker | null {
  const script = threadScript();
  if (script === null) return null;
  try {
    requireDescriptors();
    return new Worker(script, { workerData: data, stdin: false, resourceLimits: THREAD_LIMITS });
  } catch (error) {
    if (environmentFault(error) !== null) return null;
    throw error;
  }
}
