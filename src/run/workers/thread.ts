/** A thread of the pool: takes batches until there are none, and posts the results of each. */
import { Readable } from 'node:stream';
import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Schemas } from '../../engine/accept.ts';
import { once } from '../../json/on-demand.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../package.ts';
import type { SchemaSet, SchemaSource } from '../../schema/set.ts';
import { type Batch, createContext, type Judgement } from '../part.ts';
import { checkBatch, packed } from './check-batch.ts';
import { Claims, progressMark } from './claims.ts';
import { Blocks } from './gather.ts';
import type { Offer, ThreadData, ThreadResult, ThreadSchemas } from './pool.ts';

/** Does the work that the pool has for this thread. */
export async function work(): Promise<void> {
  // Deno has no port from which messages can be taken when they are needed: the main thread does all.
  if (!(parentPort instanceof MessagePort)) return;
  const data = workerData as ThreadData; // set by the pool
  const progress = progressMark(data.claims.shared, data.slot);
  const { options, against } = data;
  const judgement: Judgement = {
    ...{ schemas: schemasOf(data), options },
    ...(against === null ? {} : { against: { schemas: schemasOf(against), kinds: against.kinds } }),
  };
  const context = await createContext(judgement, {
    stdin: () => Readable.from([]), // only the main thread reads standard input
    interrupt: new AbortController().signal,
    now: () => performance.now(),
    progress,
  });
  const blocks = new Blocks();
  const claims = new Claims(data.claims, data.slot);
  for (let batch = claims.take(true); typeof batch === 'number'; batch = claims.take(true)) {
    const results = await checkBatch(received(batch), context, blocks);
    const result: ThreadResult = { batch, results: packed(results) };
    parentPort!.postMessage(result);
  }
  await context.engine.close();
}

/** The batch `wanted`, which was offered before it could be taken. Other threads have taken those before it. */
function received(wanted: number): Batch {
  for (;;) {
    const { index, batch } = receiveMessageOnPort(parentPort!)!.message as Offer; // the pool sends nothing else
    if (index === wanted) return batch;
  }
}

function schemasOf({ set, defaults, precompiled, accept }: ThreadSchemas): Schemas {
  const load = once(() => loaded(set));
  // There is code for every kind of a source.
  return { load, accept: async (givenKind) => accept.get(givenKind)!, precompiled, defaults };
}

/** `source`: null for the bundled schemas. */
async function loaded(source: SchemaSource | null): Promise<SchemaSet> {
  if (source === null) {
    const { bundledSet } = await import('../../schema/resolved.ts');
    const made = bundledSet();
    if (made !== null) return made;
  }
  const { loadSchemas, reloadSchemas } = await import('../../schema/load.ts');
  return source === null ? loadSchemas(bundledSchema(ENTRY_SCHEMA)) : reloadSchemas(source);
}
