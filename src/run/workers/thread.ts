/**
 * A thread of the pool: takes batches until there are none, and posts the results of each.
 */
import { Readable } from 'node:stream';
import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { LoadSchemas, Schemas } from '../../engine/accept.ts';
import { createEngines } from '../../engine/engines.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../package.ts';
import type { SchemaSet, SchemaSource } from '../../schema/set.ts';
import { once } from '../../source/on-demand.ts';
import { Window } from '../../source/window.ts';
import { loadOutlet } from '../../write/outlets/load-outlet.ts';
import { checkSource } from '../check/check.ts';
import { checkBatch, packed } from './check-batch.ts';
import { Claims, tellerOf } from './claims.ts';
import { Blocks } from './gather.ts';
import type { Batch, PartContext } from './part.ts';
import type { Offer, ThreadData, ThreadResult, ThreadSchemas, ThreadSettings } from './pool.ts';

/** Does the work that the pool has for this thread. */
export async function work(): Promise<void> {
  // Deno has no port from which messages can be taken when they are needed: the main thread does all.
  if (!(parentPort instanceof MessagePort)) return;
  const data = workerData as ThreadData; // set by the pool
  const teller = tellerOf(data.claims.shared, data.slot);
  const load = once(() => loaded(data.set));
  const context = { ...(await createContext(data, load)), teller };
  const blocks = new Blocks();
  const claims = new Claims(data.claims, data.slot);
  for (let batch = claims.take(true); typeof batch === 'number'; batch = claims.take(true)) {
    const results = await checkBatch(received(batch), context, blocks);
    const result: ThreadResult = { batch, results: packed(results) };
    parentPort!.postMessage(result);
  }
  await context.engines.close();
}

/** The batch `wanted`, which was offered before it could be taken. Other threads have taken those before it. */
function received(wanted: number): Batch {
  for (;;) {
    const { index, batch } = receiveMessageOnPort(parentPort!)!.message as Offer; // the pool sends nothing else
    if (index === wanted) return batch;
  }
}

/** The context in which the thread checks parts. `load`: loads the schemas, if they are needed. */
export async function createContext(settings: ThreadSettings, load: LoadSchemas): Promise<PartContext> {
  const { options } = settings;
  const window = new Window(options.outlet?.type === 'convert');
  return {
    window,
    ...(await enginesFor(settings, load, window.memory)),
    options,
    outlet: options.outlet === null ? null : await loadOutlet(options.outlet),
    stdin: Readable.from([]), // only the main thread reads standard input
    interrupt: new AbortController().signal,
    now: () => performance.now(),
  };
}

async function enginesFor(
  settings: ThreadSettings,
  load: LoadSchemas,
  memory: WebAssembly.Memory,
): Promise<Pick<PartContext, 'engines' | 'check'>> {
  const { options, against } = settings;
  const schemas = schemasOf(settings, load);
  const check = checkSource;
  if (options.covers !== undefined) {
    const { coveringEngines, checkCovered } = await import('../check/covered.ts');
    const engines = coveringEngines(schemas, options, memory);
    return { engines, check: checkCovered(engines) };
  }
  if (against === null) return { engines: createEngines(schemas, options, memory), check };
  const { comparedEngines } = await import('../check/compared.ts');
  const old = {
    schemas: schemasOf(
      against,
      once(() => loaded(against.set)),
    ),
    kinds: against.kinds,
  };
  return { engines: comparedEngines(schemas, old, options, memory), check };
}

function schemasOf({ defaults, precompiled, accept }: ThreadSchemas, load: LoadSchemas): Schemas {
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
