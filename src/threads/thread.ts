/**
 * A thread of the pool: takes batches until there are none, and posts what came of each.
 */
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngines } from '../engines/engines.ts';
import { Window } from '../input/window.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import { type BatchResults, checkBatch } from './batch.ts';
import { Claims } from './claims.ts';
import type { ThreadData, ThreadResult } from './pool.ts';

/** Does the work that the pool has for this thread. */
export async function work(): Promise<void> {
  const data = workerData as ThreadData; // the pool gives nothing else
  const window = new Window();
  const context = {
    window,
    engines: createEngines(
      async () => data.schemas ?? readBundled(),
      data.engineOptions,
      window.memory,
      async (forced) => data.accept.get(forced)!,
      data.precompiled,
    ),
    options: data.options,
    stdin: Readable.from([]), // standard input is for the main thread
    interrupt: new AbortController().signal,
    now: () => performance.now(),
  };
  const claims = new Claims(data.claims.shared, data.batches, data.claims.ahead, data.slot);
  for (let batch = claims.take(true); typeof batch === 'number'; batch = claims.take(true)) {
    const results = await checkBatch(data.batches[batch]!, context, data.manner);
    parentPort!.postMessage(...message(batch, results));
  }
  await context.engines.close();
}

async function readBundled(): Promise<SchemaSet> {
  const { loadSchemas } = await import('../schema/load.ts');
  return loadSchemas(bundledSchema(ENTRY_SCHEMA));
}

/** Violations as JSON text, which is quicker to hand over than objects; but where there are bytes, these change hands. */
function message(batch: number, results: BatchResults): [ThreadResult, ArrayBuffer[]] {
  if (results.some((result) => result?.fills === null && result.finds.length > 0)) {
    return [{ batch, results: JSON.stringify(results) }, []];
  }
  const buffers = results.flatMap((result) => result?.fills?.chunks.map(({ chunk }) => chunk.buffer) ?? []);
  return [{ batch, results }, buffers];
}
