/**
 * Examines payloads that overflow the stack, in a thread with a large stack. The main thread and other threads have
 * stacks of different sizes, so the verdict depends on the payload and its schema, not on the thread. Both sides are
 * here: the one that asks, and the thread.
 */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { SchemaError, TooCostly } from '../errors.ts';
import { JUDGED_LEVELS } from '../limits.ts';
import type { SchemaSource } from '../schema/set.ts';
import { requireDescriptors } from '../source/system-errors.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import type { SchemaData } from './examiner.ts';
import type { Examined, PayloadBytes } from './judge/examine.ts';

interface DeepThreadData {
  readonly isDeep: true;
  readonly schemas: SchemaData<SchemaSource>;
  readonly limits: ExamineSettings;
}

interface DeepQuestion extends Pick<PayloadBytes, 'base' | 'ending'> {
  /** The payload alone; its first byte has the index `start`. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly givenKind: string | null;
  readonly countsOnly: boolean;
}

type DeepRefusal = { readonly refusedBy: 'schema' | 'limit'; readonly reason: string };

/**
 * Stack per level that `--max-depth` allows. Measured with Ajv: less than 2 KiB for small schemas, and less than 32 KiB
 * for one of 400 members, each an object. Only the part that is used takes memory.
 */
const KIB_OF_A_LEVEL = 128;
const LEAST_MIB = 16;
const MOST_MIB = (JUDGED_LEVELS * KIB_OF_A_LEVEL) / 1024;

/** Size of the stack, in MiB. It depends only on the options. */
export function deepStackSize(maxDepth: number): number {
  return Math.min(MOST_MIB, Math.max(LEAST_MIB, Math.ceil((maxDepth * KIB_OF_A_LEVEL) / 1024)));
}

export class DeepExaminer {
  readonly #worker: Worker;
  /** Rejects when the thread has ended. */
  readonly #ended: Promise<never>;

  /** Throws the errors of `Worker` if the system has no thread left, or Node may not start one. */
  constructor(script: string, { set, defaults }: SchemaData, limits: ExamineSettings) {
    requireDescriptors();
    const workerData: DeepThreadData = { isDeep: true, limits, schemas: { set: set.source, defaults } };
    const resourceLimits = { stackSizeMb: deepStackSize(limits.maxDepth) };
    const worker = new Worker(script, { workerData, stdin: false, resourceLimits });
    this.#worker = worker;
    this.#ended = new Promise((_, reject) => {
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread for deep payloads has ended')));
    });
    this.#ended.catch(() => {}); // `examine` throws it
  }

  /** See `Examiner.examine`; one payload at a time. Throws errors of the thread. */
  async examine(
    { bytes, span, base, ending }: PayloadBytes,
    givenKind: string | null,
    countsOnly: boolean,
  ): Promise<Examined> {
    const { start, end } = span;
    const text = new Uint8Array(bytes.subarray(start, end));
    const question: DeepQuestion = { text, start, base, ending, givenKind, countsOnly };
    const asked = once(this.#worker, 'message') as Promise<[Examined | DeepRefusal]>; // the thread sends nothing else
    this.#worker.postMessage(question, [text.buffer]);
    const [answer] = await Promise.race([asked, this.#ended]);
    if ('findings' in answer) return answer;
    throw new (answer.refusedBy === 'schema' ? SchemaError : TooCostly)(answer.reason);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

export function isDeepThread(): boolean {
  return (workerData as Partial<DeepThreadData>).isDeep === true; // all of paylint's threads have data
}

/** True in a thread for Ajv, which no other thread loads: see ajv.ts. */
export function isAjvThread(): boolean {
  return 'ajv' in (workerData as object); // all of paylint's threads have data
}

export async function workDeep(): Promise<void> {
  const { schemas, limits } = workerData as DeepThreadData; // checked by `isDeepThread`
  const { createExaminer } = await import('./examiner.ts');
  const { reloadSchemas } = await import('../schema/load.ts');
  const examiner = await createExaminer({ ...schemas, set: reloadSchemas(schemas.set) }, limits);
  let buffer = Buffer.alloc(0);
  const examine = (...asked: Parameters<typeof examiner.examine>): Examined | DeepRefusal => {
    try {
      return examiner.examine(...asked);
    } catch (error) {
      // Any other error ends the thread.
      if (error instanceof SchemaError) return { refusedBy: 'schema', reason: error.message };
      if (error instanceof TooCostly) return { refusedBy: 'limit', reason: error.message };
      throw error;
    }
  };
  parentPort!.on('message', ({ text, start, base, ending, givenKind, countsOnly }: DeepQuestion) => {
    const end = start + text.length;
    if (buffer.length < end) buffer = Buffer.alloc(2 * end);
    // The payload is at the same index as in the asking thread, so that all indexes in the answer are valid there.
    buffer.set(text, start);
    const payload = { bytes: buffer.subarray(0, end), span: { start, end }, base, ending };
    parentPort!.postMessage(examine(payload, givenKind, countsOnly));
  });
}
