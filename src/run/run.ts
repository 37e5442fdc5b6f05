/**
 * The flow on one screen: sources in order, their violations to the reports, the counts to the exit code.
 */

import type { AcceptCode } from '../accept/acceptor.ts';
import type { CheckOptions } from '../check/check.ts';
import type { Progress } from '../cli/progress.ts';
import {
  type AcceptSource,
  createEngines,
  type EngineOptions,
  type SchemaSource,
} from '../engines/engines.ts';
import { ClosedPipe } from '../errors.ts';
import type { Target } from '../fill/target.ts';
import { Window } from '../input/window.ts';
import type { Report } from '../report/report.ts';
import type { FillWants } from '../threads/gather.ts';
import { checkPart, type PartContext } from '../threads/part.ts';
import type { Turn } from '../threads/schedule.ts';
import { planSerial, SHARED_BYTES, sizeOf } from '../threads/serial.ts';
import type { Failure, Io, Source } from '../types.ts';
import type { Counts } from './counts.ts';
import type { HeldEvents } from './held-events.ts';
import { Results } from './results.ts';

export interface Job {
  readonly sources: readonly Source[];
  /** What went wrong while the sources were looked for. */
  readonly failures: readonly Failure[];
  readonly schemas: SchemaSource;
  readonly engineOptions: EngineOptions;
  readonly accept: AcceptSource;
  /** A file with Ajv's functions for the schemas that come with paylint; null where the schemas are others. */
  readonly precompiled: string | null;
  readonly options: CheckOptions;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
  /** Only `ndjson` is reported, so that threads can draw it. */
  readonly drawn: boolean;
  /** How many threads may work; null: as many as there are cores. */
  readonly threads: number | null;
  /** Where filled sources go; null where nothing is filled in. */
  readonly fill: FillJob | null;
}

export interface FillJob {
  readonly target: Target;
  /** Reports want to hear of every member, with its pointer and place. */
  readonly wantsFills: boolean;
  /** Keeps the events of a source until it is known whether its target fails; null if no target may fail. */
  readonly held: HeldEvents | null;
}

/**
 * Checks all sources and reports; resolves to the counts, from which the exit code follows.
 * Throws Interrupted, ClosedPipe and WriteError.
 */
export async function run(job: Job, report: Report, progress: Progress, io: Io): Promise<Counts> {
  const begun = io.now();
  const window = new Window();
  const engines = createEngines(
    job.schemas,
    job.engineOptions,
    window.memory,
    job.accept,
    job.precompiled,
    io.beforeExamining,
  );
  const context = {
    window,
    engines,
    options: job.options,
    // Standard input is opened by being asked for.
    get stdin() {
      return io.stdin;
    },
    interrupt: io.interrupt,
    now: io.now,
  };
  const results = new Results(job, report, progress, io);
  for (const failure of job.failures) results.fail(failure);
  const turns = isForOne(job) ? oneByOne(job.sources) : await shared(job, context);
  try {
    for await (const { batch, results: found } of turns) {
      results.reading = found === null ? window : null;
      for (const [i, part] of batch.parts.entries()) {
        const result = found?.[i];
        if (result === undefined && found !== null) break; // left undone: an invalid payload has ended the run
        results.beginPart(part);
        if (result != null) results.replay(result);
        await results.endPart(part, result ?? (await checkPart(part, context, results.sink)));
        await results.sink.flush();
        if (results.stopped) break;
      }
      if (results.stopped) break;
    }
  } finally {
    results.close();
    await engines.close();
    await job.fill?.target.close();
  }
  report.event({ type: 'summary', summary: results.counts.summary(Math.round(io.now() - begun)) });
  progress.end();
  await closeReport(report, results.counts);
  return results.counts;
}

/** A reader that is gone says nothing about the run; if it has failures as well, they decide. */
async function closeReport(report: Report, { failures }: Counts): Promise<void> {
  try {
    await report.close();
  } catch (error) {
    if (!(error instanceof ClosedPipe && failures > 0)) throw error;
  }
}

/** True if there is nothing to share with other threads: then what sharing takes is not even loaded. */
function isForOne({ threads, sources }: Job): boolean {
  if (threads === 1) return true;
  const [source] = sources;
  if (source === undefined || sources.length > 1) return source === undefined;
  const size = sizeOf(source);
  return size === null || size <= SHARED_BYTES;
}

function* oneByOne(sources: readonly Source[]): Generator<Turn> {
  for (const batch of planSerial(sources)) yield { batch, results: null };
}

/** No more threads than this unless they are asked for: each takes memory, and may be one of many processes on a large machine. */
const DEFAULT_THREADS = 8;

/** The sources in turn, with other threads once that is worth it. */
async function shared(job: Job, context: PartContext): Promise<AsyncIterable<Turn>> {
  const [{ availableParallelism }, { plan }, { schedule }] = await Promise.all([
    import('node:os'),
    import('../threads/plan.ts'),
    import('../threads/schedule.ts'),
  ]);
  const manner = { bail: job.bail, wants: wantsOf(job.fill), drawn: job.drawn };
  const batches = plan(job.sources, job.options.framing);
  return schedule(
    batches,
    job.threads ?? Math.min(DEFAULT_THREADS, availableParallelism()),
    context,
    manner,
    async () => ({
      // Defaults are known by the schema objects that have them.
      schemas: job.precompiled === null || job.engineOptions.defaults !== null ? await job.schemas() : null,
      engineOptions: job.engineOptions,
      options: job.options,
      precompiled: job.precompiled,
      accept: new Map(await Promise.all(acceptFor(job))),
    }),
  );
}

/** The code for every kind that sources are said to have. */
function acceptFor({ sources, accept }: Job): Promise<readonly [string | null, AcceptCode]>[] {
  const kinds = [...new Set(sources.map(({ kind }) => kind))];
  return kinds.map(async (kind) => [kind, await accept(kind)] as const);
}

function wantsOf(fill: FillJob | null): FillWants | null {
  if (fill === null) return null;
  const { target, wantsFills } = fill;
  return { bytes: target.wantsBytes, insertions: target.wantsInsertions, fills: wantsFills };
}
