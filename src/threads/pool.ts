/**
 * Threads that share the batches of a plan. A shared counter says which batch is next; each thread that is free takes it, the
 * main thread among them. No thread runs far ahead of what has been reported, so memory stays bounded.
 *
 * A thread that the system does not give, or that ends because it has no memory, is done without: the batch that it was at is
 * for the main thread to do.
 */
import { Worker } from 'node:worker_threads';
import type { AcceptCode } from '../accept/acceptor.ts';
import type { RunOptions } from '../check/run-options.ts';
import type { WantedDefaults } from '../engines/schema-data.ts';
import { environmentFault } from '../input/environment.ts';
import { threadScript } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { BatchResults } from './batch.ts';
import { lastTried } from './claims.ts';
import type { Batch } from './serial.ts';

/** All that a thread needs to know; plain data, and modules, which threads can share. */
export interface ThreadData {
  readonly batches: readonly Batch[];
  readonly options: RunOptions;
  /** Null: those that come with paylint, as they are. */
  readonly set: SchemaSet | null;
  readonly defaults: WantedDefaults;
  /** As `Schemas` has it. */
  readonly precompiled: string | null;
  readonly accept: ReadonlyMap<string | null, AcceptCode>;
  readonly claims: { readonly shared: Int32Array; readonly ahead: number };
  /** Number of the thread among those of the pool. */
  readonly slot: number;
}

/** A batch done by a thread. */
export interface ThreadResult {
  readonly batch: number;
  /** As JSON text where they are plain data. */
  readonly results: BatchResults | string;
}

export class Pool {
  readonly #workers: Worker[] = [];
  readonly #done = new Map<number, BatchResults>();
  /** Batches that threads had last tried to take when they ended. */
  readonly #left = new Set<number>();
  #error: unknown = null;
  #wake: (() => void) | null = null;

  /** `threads`: how many to start; there may come to be fewer. */
  constructor(threads: number, data: Omit<ThreadData, 'slot'>) {
    for (let slot = 0; slot < threads; slot++) {
      const worker = tryToStart({ ...data, slot });
      if (worker === null) break;
      worker.on('message', ({ batch, results }: ThreadResult) => {
        this.#done.set(batch, typeof results === 'string' ? (JSON.parse(results) as BatchResults) : results);
        this.#wake?.();
      });
      worker.on('error', (error) => {
        // Without memory, or not allowed to do something: the others, and the main thread, do without it.
        if (environmentFault(error) === null) this.#error ??= error;
      });
      // All that it has sent has come by then.
      worker.on('exit', () => {
        this.#left.add(lastTried(data.claims.shared, slot));
        this.#wake?.();
      });
      this.#workers.push(worker);
    }
  }

  /** What a thread made of a batch, once; null while it is not done. Throws what went wrong in a thread. */
  take(batch: number): BatchResults | null {
    if (this.#error !== null) throw this.#error;
    const results = this.#done.get(batch) ?? null;
    this.#done.delete(batch);
    return results;
  }

  /** True for a batch that may have been lost with a thread. If another thread does it after all, it is still reported once. */
  isLeft(batch: number): boolean {
    return this.#left.has(batch);
  }

  /** Resolves when a thread has said something, or has ended. */
  async next(): Promise<void> {
    await new Promise<void>((wake) => {
      this.#wake = wake;
    });
    this.#wake = null;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Most of what a thread makes is sent and forgotten: with room for more of it, memory grew with the size of the files, and nothing was quicker. */
const LIMITS = { maxYoungGenerationSizeMb: 6 };

/** Null where the system has no more threads, memory or file descriptors to give, or Node is not allowed to start any. */
function tryToStart(data: ThreadData): Worker | null {
  try {
    return new Worker(threadScript(), { workerData: data, stdin: false, resourceLimits: LIMITS });
  } catch (error) {
    if (environmentFault(error) !== null) return null;
    throw error;
  }
}
