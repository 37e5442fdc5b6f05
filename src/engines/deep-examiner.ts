/**
 * Examines the payloads for which the stack of a thread has no room, in a thread with a large stack that is made for them. The stacks
 * of the main thread and of other threads differ in size: so it is the payload and its schema that decide, not the thread that met it.
 */
import { Worker } from 'node:worker_threads';
import type { Examined, PayloadBytes } from '../examine/examine.ts';
import { threadScript } from '../package.ts';
import type { Limits } from '../types.ts';
import type { SchemaData } from './schema-data.ts';

/** What the thread must know; plain data. */
export interface DeepThreadData {
  readonly isDeep: true;
  readonly schemas: SchemaData;
  readonly limits: Limits;
}

/** A payload for the thread to examine. */
export interface DeepQuestion {
  /** The payload alone; its first byte has the index `start`. */
  readonly text: Uint8Array;
  readonly start: number;
  readonly base: number;
  readonly ending: PayloadBytes['ending'];
  readonly forced: string | null;
  readonly hides: boolean;
}

/**
 * Stack for each level that `--max-depth` allows. Measured with Ajv: less than 2 KiB for small schemas, and less than 32 KiB for one of
 * 400 members, each an object. The system gives memory to as much of it as is used.
 */
const KIB_OF_A_LEVEL = 128;
const LEAST_MIB = 16;
const MOST_MIB = 256;

/** Size of the stack, in MiB. It depends on the options alone. */
export function deepStackSize(maxDepth: number): number {
  return Math.min(MOST_MIB, Math.max(LEAST_MIB, Math.ceil((maxDepth * KIB_OF_A_LEVEL) / 1024)));
}

interface Waiting {
  readonly resolve: (examined: Examined) => void;
  readonly reject: (error: unknown) => void;
}

export class DeepExaminer {
  readonly #worker: Worker;
  #waiting: Waiting | null = null;
  #error: unknown = null;

  /** Throws what `Worker` throws if the system gives no thread, or Node may not start one. */
  constructor(schemas: SchemaData, limits: Limits) {
    const workerData: DeepThreadData = { isDeep: true, schemas, limits };
    const stackSizeMb = deepStackSize(limits.maxDepth);
    this.#worker = new Worker(threadScript(), { workerData, stdin: false, resourceLimits: { stackSizeMb } });
    this.#worker.on('message', (examined: Examined) => this.#settle()?.resolve(examined));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread for deep payloads has ended')));
  }

  /** As `Examiner.examine`; one payload at a time. Throws what went wrong in the thread. */
  examine(
    { bytes, span, base, ending }: PayloadBytes,
    forced: string | null,
    hides: boolean,
  ): Promise<Examined> {
    const { start, end } = span;
    const question: DeepQuestion = {
      text: new Uint8Array(bytes.subarray(start, end)),
      start,
      base,
      ending,
      forced,
      hides,
    };
    return new Promise((resolve, reject) => {
      if (this.#error !== null) throw this.#error;
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(question);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#settle()?.reject(this.#error);
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}
