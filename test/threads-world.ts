/**
 * The schedule of a run without the run: batches in, what came of each in its turn, other threads started at once.
 */

import { lazyAccept } from '../src/engine/accept.ts';
import { shareable } from '../src/engine/compile/code.ts';
import { plainEngine } from '../src/engine/plain.ts';
import { eventOfTable, type Viewed, viewsOf } from '../src/log/violation-table.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { NO_DEFAULTS } from '../src/repair/wanted-defaults.ts';
import { checkSource } from '../src/run/check/check.ts';
import type { Batch } from '../src/run/part.ts';
import { checkBatch } from '../src/run/workers/check-batch.ts';
import { Blocks } from '../src/run/workers/gather.ts';
import { SharedWork } from '../src/run/workers/schedule.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { Window } from '../src/source/window.ts';
import type { ViolationTable } from '../src/types.ts';
import { RUN_OPTIONS } from './run-options.ts';

/** The turns of a run, all or the first; this thread pauses for some milliseconds before each source, or until something has come. */
export async function workedThrough(
  batches: readonly Batch[],
  count: number,
  pause: number | Promise<unknown>,
  turns = Number.POSITIVE_INFINITY,
): Promise<unknown[]> {
  const load = async () => loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const set = await load();
  const window = new Window();
  const accept = lazyAccept(load, NO_DEFAULTS, null);
  const schemas = { load, accept, precompiled: null, defaults: NO_DEFAULTS };
  const options = { ...RUN_OPTIONS, excerpts: true };
  const engine = plainEngine(schemas, options, window.memory);
  const context = {
    window,
    engine: {
      ...engine,
      reader: async (givenKind: string | null) => {
        await (typeof pause === 'number' ? new Promise((resolve) => setTimeout(resolve, pause)) : pause);
        return engine.reader(givenKind);
      },
    },
    engineOf: async () => engine,
    check: checkSource,
    options,
    outlet: null,
    stdin: () => process.stdin,
    interrupt: new AbortController().signal,
    now: () => performance.now(),
  };
  const share = async () => ({
    options,
    set: set?.source ?? null,
    defaults: NO_DEFAULTS,
    precompiled: null,
    against: null,
    accept: new Map([[null, shareable(await accept(null))]]),
  });
  const pace = { patience: 0, worth: 0, gain: 0 };
  const blocks = new Blocks();
  const results: unknown[] = [];
  for await (const turn of new SharedWork(batches, context, { threads: count, share, pace }).turns()) {
    const { batch } = turn;
    if (results.push({ batch, results: turn.results ?? (await checkBatch(batch, context, blocks)) }) === turns) break;
  }
  return results;
}

/**
 * Results as a text. A thread that notes violations sooner counts the kinds of a part in another order, and violations
 * share their statements in another way.
 */
export function textOf(results: unknown): string {
  return JSON.stringify(results, (name, value: unknown) => {
    if (value instanceof Map) return [...value].map((one) => JSON.stringify(one)).sort();
    const isTable = name === 'violations' && typeof value === 'object' && value !== null;
    return isTable ? [...viewsOf(eventOfTable(value as ViolationTable))].map(withoutIndex) : value;
  });
}

function withoutIndex({ index: _, violation, ...others }: Viewed): unknown {
  const { file, payload, line, column, endLine, endColumn, offset, ...statement } = violation;
  const facts = Object.entries(statement).sort(([a], [b]) => (a < b ? -1 : 1));
  return { place: [file, payload, line, column, endLine, endColumn, offset], facts, ...others };
}
