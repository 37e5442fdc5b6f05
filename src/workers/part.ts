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
import type { Batch, Part } from './plan.ts';

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

/** Checks the parts of a batch and keeps what came of each. */
export async function checkBatch(batch: Batch, context: PartContext, manner: Manner): Promise<PartResult[]> {
  const results: PartResult[] = [];
  for (const part of batch.parts) {
    const gatherer = new Gatherer(manner);
    const end = await checkPart(part, context, gatherer.sink);
    results.push({ ...end, ...gatherer.take() });
    if (gatherer.stopped) break;
  }
  return results;
}
