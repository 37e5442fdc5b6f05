/**
 * The thread of `DeepExaminer`: examines one payload after another until it is ended.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { DeepQuestion, DeepThreadData } from './deep-examiner.ts';

/** True in a thread that is to examine deep payloads. */
export function isDeepThread(): boolean {
  return (workerData as Partial<DeepThreadData>).isDeep === true; // every thread of ours has data
}

/** Answers questions. They come one at a time. */
export async function workDeep(): Promise<void> {
  const { schemas, limits } = workerData as DeepThreadData; // `isDeepThread` has seen it
  const { createExaminer } = await import('./examiner.ts');
  const examiner = await createExaminer(schemas, limits);
  let room = Buffer.alloc(0);
  parentPort!.on('message', ({ text, start, base, ending, forced, hides }: DeepQuestion) => {
    const end = start + text.length;
    if (room.length < end) room = Buffer.alloc(2 * end);
    // At the place that it has for the one who asks, so that all indexes in the answer are good there.
    room.set(text, start);
    const payload = { bytes: room.subarray(0, end), span: { start, end }, base, ending };
    parentPort!.postMessage(examiner.examine(payload, forced, hides));
  });
}
