/**
 * The schedule of a run without the run: batches in, what came of each in its turn, other threads started at once.
 */
import { createEngines, lazyAccept } from '../src/engines/engines.ts';
import { Window } from '../src/input/window.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { checkBatch } from '../src/threads/batch.ts';
import { schedule } from '../src/threads/schedule.ts';
import type { Batch } from '../src/threads/serial.ts';

/** The turns of a run, all or the first; this thread pauses for some milliseconds before each source. */
export async function workedThrough(
  batches: readonly Batch[],
  count: number,
  pause: number,
  turns = Number.POSITIVE_INFINITY,
): Promise<unknown[]> {
  const schemas = async () => loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const set = await schemas();
  const window = new Window();
  const accept = lazyAccept(schemas, null, null);
  const engineOptions = { maxDepth: 1000, maxBytes: 64 << 20, redact: false, defaults: null };
  const options = {
    framing: null,
    whole: false,
    maxBytes: 64 << 20,
    redact: false,
    excerpts: true,
    countsOthers: false,
  };
  const engines = createEngines(schemas, engineOptions, window.memory, accept, null);
  const context = {
    window,
    engines: {
      ...engines,
      acceptor: async (forced: string | null) => {
        await new Promise((resolve) => setTimeout(resolve, pause));
        return engines.acceptor(forced);
      },
    },
    options,
    stdin: process.stdin,
    interrupt: new AbortController().signal,
    now: () => performance.now(),
  };
  const share = async () => ({
    schemas: set,
    engineOptions,
    options,
    precompiled: null,
    accept: new Map([[null, await accept(null)]]),
  });
  const manner = { bail: false, wants: null, drawn: false };
  const haste = { patience: 0, worth: 0, gain: 0 };
  const results: unknown[] = [];
  for await (const turn of schedule(batches, count, context, manner, share, haste)) {
    const { batch } = turn;
    if (
      results.push({ batch, results: turn.results ?? (await checkBatch(batch, context, manner)) }) === turns
    )
      break;
  }
  return results;
}
