/** The flow: sources in order, violations to the reports, pieces to the destination, counts to the exit code. */
import { type Schemas, schemasOf } from '../engine/accept.ts';
import { shareable } from '../engine/compile/code.ts';
import { ClosedPipe, Interrupted } from '../errors.ts';
import { withoutUndefined } from '../json/on-demand.ts';
import type { Report } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import type { Source } from '../types.ts';
import { comparesTwo } from './check/flow.ts';
import type { Counts } from './counts.ts';
import type { Job, Progress } from './job.ts';
import {
  checkPart,
  createContext,
  type Judgement,
  likelySize,
  type PartContext,
  SHARED_BYTES,
  sizeOf,
  whole,
} from './part.ts';
import type { RelatedPayloads } from './related-payloads.ts';
import { Results } from './results.ts';
import type { SourceEnds } from './source-ends.ts';
import { freePieces } from './workers/gather.ts';
import type { ThreadSchemas, ThreadSettings } from './workers/pool.ts';
import type { Turn } from './workers/schedule.ts';

/**
 * Checks and reports all sources. Resolves to the counts, which decide the exit code. Throws ClosedPipe and WriteError
 * after the reports in files are complete, with what was found so far, and Interrupted after all reports are.
 */
export async function run(job: Job, report: Report, progress: Progress, io: Io): Promise<Counts> {
  const begun = io.now();
  const judgement = judgementOf(job);
  const world = { stdin: () => io.stdin, interrupt: io.interrupt, now: io.now, world: io };
  const context = await createContext(judgement, world).catch(async (error: unknown) => {
    await job.destination?.close();
    throw error;
  });
  const { relations } = job.options;
  const comparing = relations && (await import('./related-payloads.ts'));
  const hint: SourceEnds['hint'] = (file, text) => results.ends.hint(file, text);
  const related = comparing ? new comparing.RelatedPayloads(report, job.options, relations!.list, hint) : null;
  const results: Results = new Results(job, related ?? report, progress, io);
  results.related = related;
  const { ends } = results;
  for (const failure of job.failures) ends.fail(failure);
  const summarize = (isWhole: boolean, fillable: number | null = null): void => {
    const { engine } = job.options;
    const counted = ends.counts.summary(Math.round(io.now() - begun), fillable);
    const summary = {
      ...counted,
      ...(job.options.verdicts ? { uncounted: true as const } : {}),
      ...(comparesTwo(job.options) ? { compare: ends.counts.outcomes(engine === 'ajv') } : {}),
      ...(job.shard === undefined ? {} : { shard: job.shard }),
    };
    report.event({ type: 'summary', summary: isWhole ? summary : { ...summary, interrupted: true } });
  };
  let interrupted: Interrupted | null = null;
  try {
    if (io.interrupt.aborted) throw new Interrupted(io.interrupt);
    await checkAll(job, { judgement, context, results, io });
    await related?.compare(new Turns(io));
    await ends.finish(!results.stopped);
    await settle(related, results, true, io);
    if (related?.isCut === true) interrupted = new Interrupted(io.interrupt);
  } catch (error) {
    if (!(error instanceof Interrupted)) {
      await ends.abandon(results.unfinished());
      await settle(related, results, false, io).catch(() => {});
      summarize(false);
      await abandonReport(report, error);
      throw error;
    }
    interrupted = error;
    await ends.breakOff(results.unfinished());
    await ends.finish(false);
    await settle(related, results, false, io);
  } finally {
    related?.close();
    results.close();
    await context.engine.close();
    await job.destination?.close();
  }
  const isWhole = interrupted === null && !results.stopped;
  summarize(isWhole, isWhole ? await fillableBy(job, ends.counts) : null);
  progress.clear();
  await closeReport(report, ends.counts);
  if (interrupted !== null) throw interrupted;
  return ends.counts;
}

async function fillableBy({ fillable }: Job, { fixable }: Counts): Promise<number | null> {
  return fixable.size === 0 || fillable === undefined ? null : fillable(fixable);
}

/** Reports what payloads have in common. `isWhole`: the run was not interrupted. */
async function settle(
  related: RelatedPayloads | null,
  { ends, stopped, lastName }: Results,
  isWhole: boolean,
  io: Io,
): Promise<void> {
  if (related === null) return;
  const knowsAll = isWhole && !stopped && ends.counts.failures === 0;
  const fault = await related.settle(ends, knowsAll, io);
  if (fault !== null) ends.fail({ file: lastName, message: fault });
}

/** The schemas with their code, for this thread and others. */
function judgementOf({ schemas, against, ajv, options, check }: Job): Judgement {
  const old = against && { ...against, schemas: schemasOf(against.schemas) };
  return { schemas: schemasOf(schemas), options, ...withoutUndefined({ against: old, ajv, check }) };
}

/** What the parts of a run are checked with. */
interface Work {
  readonly judgement: Judgement;
  readonly context: PartContext;
  readonly results: Results;
  readonly io: Io;
}

/** Checks part by part, in the order of the sources, in one thread or several. */
async function checkAll(job: Job, work: Work): Promise<void> {
  const { context, results } = work;
  const turns = isForOne(job) ? oneByOne(job.sources) : await shared(job, work);
  for await (const { batch, results: found, unfinished } of turns) {
    if (unfinished !== undefined) return results.interruptAt(batch, unfinished);
    results.reading = found === null ? context.window : null;
    for (const [i, part] of batch.parts.entries()) {
      const result = found?.[i];
      if (result === undefined && found !== null) break; // not done: an invalid payload has ended the run
      results.beginPart(part);
      if (result != null) results.replay(result.gathered);
      await results.endPart(part, result?.end ?? (await checkPart(part, context, results)));
      // Results that another thread had ready are written together.
      if (result == null) await results.flush();
      if (results.stopped) break;
    }
    await results.flush();
    for (const result of found ?? []) if (result !== null) freePieces(result.gathered);
    if (results.stopped) return;
  }
}

/** A reader that has gone does not change the result of the run; if there are failures, they decide. */
async function closeReport(report: Report, { failures }: Counts): Promise<void> {
  try {
    await report.close();
  } catch (error) {
    if (!(error instanceof ClosedPipe && failures > 0)) throw error;
  }
}

/** After an error that ends the run. Even if the reader has gone, files that cannot be written are reported. */
async function abandonReport(report: Report, error: unknown): Promise<void> {
  try {
    await report.abandon();
  } catch (another) {
    if (error instanceof ClosedPipe) throw another;
  }
}

/** True if there is nothing to share with other threads: then the code for sharing is not even loaded. */
function isForOne({ threads, sources, check, options }: Job): boolean {
  if (threads === 1 || check !== undefined || options.engine === 'ajv') return true;
  const [source] = sources;
  if (source === undefined || sources.length > 1) return source === undefined;
  const size = sizeOf(source);
  return size === null || size <= SHARED_BYTES;
}

/** The turns of a run with one thread: all of the sources, one after another. */
export function* oneByOne(sources: readonly Source[]): Generator<Turn> {
  for (const source of sources)
    yield { batch: { parts: [whole(source, likelySize(source))], serial: true }, results: null };
}

/** Checks the sources in turn, with other threads as soon as they save time. */
async function shared(job: Job, { judgement, context, io }: Work): Promise<AsyncIterable<Turn>> {
  const { mostThreads, plan, SharedWork } = await import('./workers/schedule.ts');
  const { sources, options, threads } = job;
  const batches = plan(sources, options.framing);
  // Just before other threads are started.
  const share = (): Promise<ThreadSettings> => {
    io.beforeMuchWork?.('payloads');
    return settingsFor(judgement, sources);
  };
  return new SharedWork(batches, context, { threads: mostThreads(threads), share }).turns();
}

async function settingsFor(
  { schemas, against, options }: Judgement,
  sources: readonly Source[],
): Promise<ThreadSettings> {
  const kinds = [...new Set(sources.map(({ kind }) => kind))];
  const own = await schemasFor(schemas, kinds);
  if (against === undefined) return { ...own, options, against: null };
  const known = kinds.filter((kind) => kind !== null && against.kinds.includes(kind));
  const old = await schemasFor(against.schemas, [null, ...known]);
  return { ...own, options, against: { ...old, kinds: against.kinds } };
}

/** `kinds`: those that are set for a source. */
async function schemasFor(schemas: Schemas, kinds: readonly (string | null)[]): Promise<ThreadSchemas> {
  const { load, precompiled, defaults } = schemas;
  const accept = kinds.map(async (kind) => [kind, shareable(await schemas.accept(kind))] as const);
  return {
    set: precompiled === null ? (await load()).source : null,
    defaults,
    precompiled,
    accept: new Map(await Promise.all(accept)),
  };
}
