/**
 * The flow on one screen: sources in order, their violations to the reports, the counts to the exit code.
 */

import type { AcceptCode } from './accept/acceptor.ts';
import type { CheckOptions } from './check.ts';
import type { Progress } from './cli/progress.ts';
import { Desk } from './desk.ts';
import { type AcceptSource, createEngines, type EngineOptions, type SchemaSource } from './engines.ts';
import type { Target } from './fill/target.ts';
import { Window } from './input/window.ts';
import { ClosedPipe } from './output.ts';
import type { Report } from './report.ts';
import type { Tally } from './tally.ts';
import type { Failure, Io, Source } from './types.ts';
import type { FillWants } from './workers/gather.ts';
import { checkPart, type PartContext } from './workers/part.ts';
import { plan, planSerial, SHARED_BYTES, sizeOf } from './workers/plan.ts';
import type { Turn } from './workers/schedule.ts';

export interface Job {
  readonly sources: readonly Source[];
  /** What went wrong while the sources were looked for. */
  readonly failures: readonly Failure[];
  readonly schemas: SchemaSource;
  readonly engineOptions: EngineOptions;
  readonly accept: AcceptSource;
  /** A file with Ajv's functions for the schemas that come with paylint; null where the schemas are others. */
  readonly ready: string | null;
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
}

/**
 * Checks all sources and reports; resolves to the counts, from which the exit code follows.
 * Throws Interrupted, ClosedPipe and WriteError.
 */
export async function run(job: Job, report: Report, progress: Progress, io: Io): Promise<Tally> {
  const begun = io.now();
  const window = new Window();
  const engines = createEngines(
    job.schemas,
    job.engineOptions,
    window.memory,
    job.accept,
    job.ready,
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
  const desk = new Desk(job, report, progress, io);
  for (const failure of job.failures) desk.fail(failure);
  const turns = isForOne(job) ? oneByOne(job.sources) : await shared(job, context);
  try {
    for await (const { batch, results } of turns) {
      desk.reading = results === null ? window : null;
      for (const [i, part] of batch.parts.entries()) {
        const found = results?.[i];
        if (found === undefined && results !== null) break; // left undone: an invalid payload has ended the run
        desk.beginPart(part);
        if (found != null) desk.replay(found);
        await desk.endPart(part, found ?? (await checkPart(part, context, desk.sink)));
        await desk.sink.flush();
        if (desk.stopped) break;
      }
      if (desk.stopped) break;
    }
  } finally {
    desk.close();
    await engines.close();
    await job.fill?.target.close();
  }
  report.event({ type: 'summary', summary: desk.tally.summary(Math.round(io.now() - begun)) });
  progress.end();
  await closeReport(report, desk.tally);
  return desk.tally;
}

/** A reader that is gone says nothing about the run; if it has failures as well, they decide. */
async function closeReport(report: Report, { failures }: Tally): Promise<void> {
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
  const [{ availableParallelism }, { schedule }] = await Promise.all([
    import('node:os'),
    import('./workers/schedule.ts'),
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
      schemas: job.ready === null || job.engineOptions.defaults !== null ? await job.schemas() : null,
      engineOptions: job.engineOptions,
      options: job.options,
      ready: job.ready,
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
