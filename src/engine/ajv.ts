/**
 * Asks Ajv about payloads, in a thread that is ended if a payload takes too long: its expressions and its `uniqueItems`
 * let a payload choose what it costs. Both sides are here: the one that asks, and the thread.
 */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { AjvFault, Interrupted, SchemaError, TooCostly, Unexamined } from '../errors.ts';
import { AJV_PAYLOAD_MS, AJV_SCHEMAS_MS } from '../limits.ts';
import { requireDescriptors } from '../source/system-errors.ts';
import type { AjvAnswer, AjvSchemas } from './ajv-judge.ts';

const MOST_MS = { payload: AJV_PAYLOAD_MS, schemas: AJV_SCHEMAS_MS } as const;

/** The first answer says whether Ajv can compile the schemas; null: it can. */
interface AjvStart {
  readonly refused: string | null;
}

type Answer = AjvStart | { readonly verdict: AjvAnswer } | { readonly fault: string };

export class AjvThread {
  readonly #script: string;
  readonly #schemas: AjvSchemas;
  readonly #interrupt: AbortSignal;
  #worker: Worker | null = null;

  /** `script`: of threads; `interrupt`: ends what takes long. */
  constructor(script: string, schemas: AjvSchemas, interrupt: AbortSignal) {
    this.#script = script;
    this.#interrupt = interrupt;
    this.#schemas = schemas;
  }

  /** Starts the thread. Throws SchemaError for schemas that Ajv cannot compile. */
  async begin(): Promise<void> {
    requireDescriptors();
    const worker = new Worker(this.#script, { workerData: { ajv: this.#schemas }, stdin: false });
    this.#worker = worker;
    const answer = await this.#answer(worker, 'schemas');
    if (answer === null || !('refused' in answer)) throw new SchemaError('Ajv takes too long to compile this schema');
    if (answer.refused !== null) throw new SchemaError(`Ajv cannot compile this schema: ${answer.refused}`);
  }

  /** Throws Unexamined for a payload that takes too long, and Interrupted. */
  async judge(text: string): Promise<AjvAnswer> {
    if (this.#worker === null) await this.begin();
    const worker = this.#worker!; // `begin` has made it
    worker.postMessage(text);
    const answer = await this.#answer(worker, 'payload');
    if (answer !== null && 'verdict' in answer) return answer.verdict;
    const fault = answer !== null && 'fault' in answer ? answer.fault : null;
    const cause = fault === null ? new TooCostly('Ajv takes too long for it') : new AjvFault(`Ajv failed: ${fault}`);
    throw new Unexamined('a payload could not be checked by Ajv', { cause });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /** Null: there was none in time, and the thread has ended. */
  async #answer(worker: Worker, about: keyof typeof MOST_MS): Promise<Answer | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), MOST_MS[about]);
    const signal = AbortSignal.any([late.signal, this.#interrupt]);
    try {
      // `once` rejects for an error of the thread.
      const [answer] = (await once(worker, 'message', { signal })) as [Answer]; // the thread sends nothing else
      return answer;
    } catch (error) {
      await this.close();
      if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
      if (late.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

export async function workAjv(): Promise<void> {
  const { ajv } = workerData as { readonly ajv: AjvSchemas }; // checked by `isAjvThread` of deep.ts
  const port = parentPort!; // this is a thread
  try {
    const { createAjvJudge } = await import('./ajv-judge.ts');
    const judge = createAjvJudge(ajv);
    port.on('message', (text: string) => port.postMessage(answerTo(text, judge)));
    port.postMessage({ refused: null } satisfies AjvStart);
  } catch (error) {
    port.postMessage({ refused: messageOf(error) } satisfies AjvStart);
  }
}

function answerTo(text: string, judge: (text: string) => AjvAnswer): Answer {
  try {
    return { verdict: judge(text) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
