/**
 * Threads that share the batches of a plan. A shared counter says which batch is next; whoever is free takes it, the main thread
 * among them. Nobody runs far ahead of what has been reported, so memory stays bounded.
 */
import { Worker } from 'node:worker_threads';
import type { AcceptCode } from '../accept/acceptor.ts';
import type { CheckOptions } from '../check.ts';
import type { EngineOptions } from '../engines.ts';
import { codeOf } from '../input/failure.ts';
import { threadScript } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { BatchResults } from './batch.ts';
import type { Manner } from './gather.ts';
import type { Batch } from './plan.ts';

/** All that a thread needs to know; plain data, and modules, which threads can share. */
export interface ThreadData {
  readonly batches: readonly Batch[];
  /** Null: those that come with paylint, as they are. */
  readonly schemas: SchemaSet | null;
  readonly engineOptions: EngineOptions;
  readonly options: CheckOptions;
  readonly manner: Manner;
  /** As `createEngines` has it. */
  readonly ready: string | null;
  readonly accept: ReadonlyMap<string | null, AcceptCode>;
  readonly claims: { readonly shared: Int32Array; readonly ahead: number };
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
  #error: unknown = null;
  #wake: (() => void) | null = null;

  constructor(threads: number, data: ThreadData) {
    for (let i = 0; i < threads; i++) {
      const worker = tryToStart(data);
      if (worker === null) break;
      worker.on('message', ({ batch, results }: ThreadResult) => {
        this.#done.set(batch, typeof results === 'string' ? (JSON.parse(results) as BatchResults) : results);
        this.#wake?.();
      });
      worker.on('error', (error) => {
        // One that could not begin has taken no batch: the others, and the main thread, do without it.
        if (hasNotBegun(error)) return;
        this.#error ??= error;
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

  /** Resolves when a thread has said something. */
  async next(): Promise<void> {
    if (this.#error !== null) return;
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

/** Null where the system has no more threads, memory or file descriptors to give. */
function tryToStart(data: ThreadData): Worker | null {
  try {
    return new Worker(threadScript(), { workerData: data, stdin: false, resourceLimits: LIMITS });
  } catch (error) {
    if (hasNotBegun(error)) return null;
    throw error;
  }
}

function hasNotBegun(error: unknown): boolean {
  return codeOf(error) === 'ERR_WORKER_INIT_FAILED';
}
