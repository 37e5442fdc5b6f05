/**
 * The thread of `DeepExaminer`: examines one payload after another until it is ended.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { SchemaError, TooCostly } from '../errors.ts';
import type { Examined } from '../examine/examine.ts';
import { type HiddenCounts, lastStart, MANY } from '../examine/lists.ts';
import type { Hidden } from '../types.ts';
import type { DeepAnswer, DeepQuestion, DeepRefusal, DeepSlice, DeepThreadData } from './deep-examiner.ts';

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
