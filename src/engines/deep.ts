/**
 * Examines payloads that overflow the stack, in a thread with a large stack. The main thread and other threads have
 * stacks of different sizes, so the verdict depends on the payload and its schema, not on the thread. Both sides are
 * here: the one that asks, and the thread.
 */
import {
  MessageChannel,
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { SchemaError, TooCostly } from '../errors.ts';
import { type Examined, JUDGED_LEVELS, type PayloadBytes } from '../examine/examine.ts';
import { type Findings, type HiddenCounts, hiddenList, lastStart, MANY, SLICE } from '../examine/lists.ts';
import { requireDescriptors } from '../input/descriptors.ts';
import type { SchemaSource } from '../schema/set.ts';
import type { Finding, Hidden, Limits } from '../types.ts';
import type { SchemaData } from './examiner.ts';

/** The thread's settings; plain data. */
export interface DeepThreadData {
  readonly isDeep: true;
  readonly schemas: SchemaData<SchemaSource>;
  readonly limits: Limits;
  /** The port to which the thread sends slices. */
  readonly slices: MessagePort;
}

/** A payload for the thread to examine. */
export interface DeepQuestion {
  /** The payload alone; its first byte has the index `start`. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly base: number;
  readonly ending: PayloadBytes['ending'];
  readonly forced: string | null;
  readonly hides: boolean;
}

/** The thread's answer. Findings are not included: there may be too many to send at once. */
export interface DeepAnswer extends Omit<Examined, 'findings' | 'hidden'> {
  /** Number of findings. `findings` has all of them if there are at most `MANY`. */
  readonly count: number;
  readonly findings: readonly Finding[];
  readonly lastStart: number;
  readonly hidden: HiddenCounts;
}

/** The reason why the payload was not examined. */
export interface DeepRefusal {
  readonly refusedBy: 'schema' | 'limit';
  readonly reason: string;
}

/**
 * A request for a slice of the findings of the last answer, or (`counts`) for their counts from `from` on. `done`
 * becomes 1 when the slice was sent.
 */
export interface DeepSlice {
  readonly from: number;
  readonly to: number;
  readonly counts: boolean;
  readonly done: Int32Array;
}

/**
 * Stack per level that `--max-depth` allows. Measured with Ajv: less than 2 KiB for small schemas, and less than 32 KiB
 * for one of 400 members, each an object. Only the part that is used takes memory.
 */
const KIB_OF_A_LEVEL = 128;
/** Milliseconds to wait for a slice: a thread that has ended never sends one. */
const PATIENCE = 60_000;
const LEAST_MIB = 16;
const MOST_MIB = (JUDGED_LEVELS * KIB_OF_A_LEVEL) / 1024;

/** Size of the stack, in MiB. It depends only on the options. */
export function deepStackSize(maxDepth: number): number {
  return Math.min(MOST_MIB, Math.max(LEAST_MIB, Math.ceil((maxDepth * KIB_OF_A_LEVEL) / 1024)));
}

interface Waiting {
  readonly resolve: (examined: Examined) => void;
  readonly reject: (error: unknown) => void;
}

export class DeepExaminer {
  readonly #worker: Worker;
  readonly #slices: MessagePort;
  #waiting: Waiting | null = null;
  #error: unknown = null;

  /** Throws the errors of `Worker` if the system has no thread left, or Node may not start one. */
  constructor(script: string, schemas: SchemaData, limits: Limits) {
    requireDescriptors();
    const { port1, port2 } = new MessageChannel();
    this.#slices = port1;
    const { set, defaults } = schemas;
    const workerData: DeepThreadData = {
      ...{ isDeep: true, limits, slices: port2 },
      schemas: { set: set.source, defaults },
    };
    const stackSizeMb = deepStackSize(limits.maxDepth);
    this.#worker = new Worker(script, {
      workerData,
      transferList: [port2],
      stdin: false,
      resourceLimits: { stackSizeMb },
    });
    this.#worker.on('message', (answer: DeepAnswer | DeepRefusal) => this.#take(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread for deep payloads has ended')));
  }

  /** See `Examiner.examine`; one payload at a time. Throws errors of the thread. */
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
      this.#worker.postMessage(question, [question.text.buffer]);
    });
  }

  #take(answer: DeepAnswer | DeepRefusal): void {
    const waiting = this.#settle();
    if ('count' in answer) waiting?.resolve(this.#examined(answer));
    else waiting?.reject(new (answer.refusedBy === 'schema' ? SchemaError : TooCostly)(answer.reason));
  }

  #examined({ count, findings, lastStart, hidden, ...others }: DeepAnswer): Examined {
    const all = count === findings.length ? findings : this.#remote(count, lastStart);
    return { ...others, findings: all, hidden: hiddenList(hidden) };
  }

  /** Findings that the thread keeps until it is asked about another payload. */
  #remote(length: number, lastStart: number): Findings {
    const ask = (from: number, to: number, counts: boolean): unknown => {
      const question: DeepSlice = { from, to, counts, done: new Int32Array(new SharedArrayBuffer(4)) };
      this.#worker.postMessage(question);
      if (Atomics.wait(question.done, 0, 0, PATIENCE) === 'timed-out')
        throw new Error('the thread for deep payloads does not answer');
      return receiveMessageOnPort(this.#slices)!.message; // the thread has sent it
    };
    const slice = (from: number, to = length): readonly Finding[] => ask(from, to, false) as Finding[];
    return {
      length,
      lastStart,
      slice,
      // More than `MANY` findings are of a kind that can be counted.
      countedFrom: (from) => ask(from, length, true) as HiddenCounts,
      *[Symbol.iterator]() {
        for (let from = 0; from < length; from += SLICE) yield* slice(from, Math.min(length, from + SLICE));
      },
    };
  }

  async close(): Promise<void> {
    this.#slices.close();
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

/** True in a thread that is to examine deep payloads. */
export function isDeepThread(): boolean {
  return (workerData as Partial<DeepThreadData>).isDeep === true; // all of paylint's threads have data
}

/** Answers questions. They come one at a time. */
export async function workDeep(): Promise<void> {
  const { schemas, limits, slices } = workerData as DeepThreadData; // checked by `isDeepThread`
  const { createExaminer } = await import('./examiner.ts');
  const { reloadSchemas } = await import('../schema/load.ts');
  const examiner = await createExaminer({ ...schemas, set: reloadSchemas(schemas.set) }, limits);
  let room = Buffer.alloc(0);
  let examined: Examined | null = null;
  const examine = (...asked: Parameters<typeof examiner.examine>): DeepAnswer | DeepRefusal => {
    try {
      examined = examiner.examine(...asked);
      return answerOf(examined);
    } catch (error) {
      // Any other error ends the thread.
      if (error instanceof SchemaError) return { refusedBy: 'schema', reason: error.message };
      if (error instanceof TooCostly) return { refusedBy: 'limit', reason: error.message };
      throw error;
    }
  };
  const answer = ({ text, start, base, ending, forced, hides }: DeepQuestion): void => {
    const end = start + text.length;
    if (room.length < end) room = Buffer.alloc(2 * end);
    // The payload is at the same index as in the asking thread, so that all indexes in the answer are valid there.
    room.set(text, start);
    const payload = { bytes: room.subarray(0, end), span: { start, end }, base, ending };
    parentPort!.postMessage(examine(payload, forced, hides));
  };
  parentPort!.on('message', (question: DeepQuestion | DeepSlice) => {
    if (!('done' in question)) return answer(question);
    const { from, to, counts } = question;
    slices.postMessage(counts ? examined?.findings.countedFrom?.(from) : examined?.findings.slice(from, to));
    Atomics.store(question.done, 0, 1);
    Atomics.notify(question.done, 0);
  });
}

function answerOf({ findings, hidden, ...others }: Examined): DeepAnswer {
  const count = findings.length;
  const sent = count > MANY ? [] : findings.slice(0);
  return { ...others, count, findings: sent, lastStart: lastStart(findings), hidden: countsOf(hidden) };
}

function countsOf(hidden: Iterable<Hidden>): HiddenCounts {
  const counts = new Map<string, [Hidden, number]>();
  for (const one of hidden) {
    const key = `${one.rule} ${one.fixable}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, [one, 1]);
    else known[1]++;
  }
  return [...counts.values()];
}
