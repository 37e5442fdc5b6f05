/**
 * A thread of the pool: takes batches until there are none, and posts what came of each.
 */
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngines } from '../engines.ts';
import { Window } from '../input/window.ts';
import { bundledSchema, DOOR } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import { Claims } from './claims.ts';
import { checkBatch, type PartResult } from './part.ts';
import type { ThreadData, ThreadResult } from './pool.ts';

const data = workerData as ThreadData; // the pool posts nothing else
const window = new Window();
const context = {
  window,
  engines: createEngines(
    readSchemas,
    data.engineOptions,
    window.memory,
    async (forced) => data.accept.get(forced)!,
    data.ready,
  ),
  options: data.options,
  stdin: Readable.from([]), // standard input is for the main thread
  interrupt: new AbortController().signal,
};
async function readSchemas(): Promise<SchemaSet> {
  if (data.schemas !== null) return data.schemas;
  const { loadSchemas } = await import('../schema/load.ts');
  return loadSchemas(bundledSchema(DOOR));
}

const claims = new Claims(data.claims.shared, data.batches, data.claims.ahead);

for (let batch = claims.take(true); typeof batch === 'number'; batch = claims.take(true)) {
  const results = await checkBatch(data.batches[batch]!, context, data.manner);
  parentPort!.postMessage(...message(batch, results));
}

/** Violations as JSON text, which is quicker to hand over than objects; but where there are bytes, these change hands. */
function message(batch: number, results: PartResult[]): [ThreadResult, ArrayBuffer[]] {
  if (results.some(({ finds, fills }) => finds.length > 0 && fills === null)) {
    return [{ batch, results: JSON.stringify(results) }, []];
  }
  const buffers = results.flatMap(({ fills }) => fills?.chunks.map(({ chunk }) => chunk.buffer) ?? []);
  return [{ batch, results }, buffers];
}
