/**
 * One part of the work, done in whatever thread: opened, checked, closed, with what came of it as data.
 */
import { type CheckOptions, type CheckSink, checkSource, type Engines } from '../check.ts';
import { openBytes } from '../input/bytes.ts';
import { SourceError } from '../input/failure.ts';
import { openRange } from '../input/range.ts';
import type { Window } from '../input/window.ts';
import type { Io } from '../types.ts';
import { type Gathered, Gatherer, type Manner } from './gather.ts';
import { type Batch, type Part, SHARED_BYTES, sizeOf } from './plan.ts';

/** How a part ended. */
export interface PartEnd {
  /** False where the source could not even be opened. */
  readonly opened: boolean;
  /** What kept the source from being read, or read to its end; null where nothing did. */
  readonly failure: string | null;
  /** Line feeds in the part, where it is a range. */
  readonly lines: number;
  /** Bytes read from the file. */
  readonly bytes: number;
}

/** All that came of a part. */
export interface PartResult extends PartEnd, Gathered {}

/** By part; null for one that is to be done in its turn. Fewer than there are parts where an invalid payload has ended the run. */
export type BatchResults = readonly (PartResult | null)[];

/** What the parts of a run have in common. */
export interface PartContext {
  readonly window: Window;
  readonly engines: Engines;
  readonly options: CheckOptions;
  readonly stdin: Io['stdin'];
  readonly interrupt: AbortSignal;
}

/** Checks a part; what is found goes to `sink`. Throws what is no trouble of the source's own, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd> {
  const { window, engines, options, interrupt } = context;
  if (part.small) {
    const end = await checkSmall(part, context, sink);
    if (end !== null) return end;
  }
  const { source, range } = part;
  let opened = false;
  let failure: string | null = null;
  let lines = 0;
  let bytes = 0;
  try {
    const ranged = range === null ? null : openRange(source.path!, range.from, range.to); // only files have ranges
    const reader =
      ranged ?? (await openBytes(source, source.path === null ? context.stdin : null, interrupt));
    opened = true;
    try {
      window.reset(reader, ranged?.start ?? 0);
      lines = await checkSource(source, window, engines, options, sink);
    } finally {
      bytes = reader.progress.bytes;
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    failure = error.message;
  }
  return { opened, failure, lines, bytes };
}

/** The same for a file that is read in one go; null where that cannot be. */
async function checkSmall(
  { source }: Part,
  { window, engines, options }: PartContext,
  sink: CheckSink,
): Promise<PartEnd | null> {
  if (!window.readSmall(source.path!)) return null; // only files are small
  const lines = await checkSource(source, window, engines, options, sink);
  return { opened: true, failure: null, lines, bytes: window.bytesRead };
}

/** As `checkPart`; null for what turns out to be no part of a batch. */
async function checkShared(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd | null> {
  if (part.small) {
    const end = await checkSmall(part, context, sink);
    if (end !== null) return end;
    const size = sizeOf(part.source);
    if (size === null || size > SHARED_BYTES) return null;
  }
  return checkPart({ ...part, small: false }, context, sink);
}

/**
 * Checks the parts of a batch and keeps what came of each; null for one that turns out to be large, and is to be done in its turn: all
 * that came of it might not fit into memory.
 */
export async function checkBatch(batch: Batch, context: PartContext, manner: Manner): Promise<BatchResults> {
  const results: (PartResult | null)[] = [];
  const gatherer = new Gatherer(manner);
  for (const part of batch.parts) {
    const end = await checkShared(part, context, gatherer.sink);
    results.push(end === null ? null : { ...end, ...gatherer.take() });
    if (gatherer.stopped) break;
  }
  return results;
}
