/**
 * The parts of a run, what they share in one thread, and how a part is opened, checked and closed, in any thread.
 * `schedule.ts` divides the work among threads, and is loaded on demand.
 */

import { schemasOf } from '../engine/accept.ts';
import type { Engine, EngineWorld } from '../engine/engine.ts';
import { createEngine, type EngineParts } from '../engine/supply.ts';
import { SourceError } from '../errors.ts';
import type { Io } from '../source/io.ts';
import { openBytes } from '../source/open-bytes.ts';
import { type FileTime, isRewritten, openRange, timeOf } from '../source/range.ts';
import { SMALL_FILE_BYTES, statsOf } from '../source/read-file.ts';
import { changedError } from '../source/system-errors.ts';
import { Window } from '../source/window.ts';
import type { Source } from '../types.ts';
import { checkSource } from './check/check.ts';
import type { Checked, EngineMaker, Plan, SourceChecker } from './check/flow.ts';
import type { Relater } from './check/related-values.ts';
import { loadOutlet } from './outlets/load-outlet.ts';
import type { OutletMaker, Pieces } from './outlets/outlet.ts';
import type { Sink } from './outlets/sink.ts';
import type { ProgressMark } from './workers/claims.ts';

/** A source, or what begins in a range of its bytes. */
export interface Part {
  readonly source: Source;
  /** The lines that begin in a range of the file, in bytes; `file`: when the ranges were planned. Null: the whole source. */
  readonly range: { readonly from: number; readonly to: number; readonly file: FileTime } | null;
  /** True for the last part of its source. */
  readonly last: boolean;
  /** True for a regular file that can probably be read in one go. */
  readonly small: boolean;
}

/** Parts that one thread does in one go. */
export interface Batch {
  readonly parts: readonly Part[];
  /** True if it may be large and cannot be divided: its results are reported as they come, when it is its turn. */
  readonly serial: boolean;
}

/** A larger file gets a batch of its own. In bytes. */
export const SHARED_BYTES = 1 << 20;

/** Bytes of a regular file; null for anything else. A missing file counts as small: opening it reports the error. */
export function sizeOf({ path }: Source): number | null {
  if (path === null) return null;
  const stats = statsOf(path);
  if (stats === null) return 0;
  return stats.isFile() ? stats.size : null;
}

/** The same, but 0 for a file of one JSON text: most are small, and opening it shows. That saves a system call for each. */
export function likelySize(source: Source): number | null {
  const { name, regular, framing } = source;
  return regular && framing === 'json' && !GZIP_NAME.test(name) ? 0 : sizeOf(source);
}

const GZIP_NAME = /\.gz$/i;

/** The whole of a source; `size` in bytes, null if it is not known. */
export function whole(source: Source, size: number | null): Part {
  return { source, range: null, last: true, small: size !== null && size < SMALL_FILE_BYTES };
}

/** What the parts of a run share in one thread. */
export interface PartContext {
  readonly window: Window;
  readonly engine: Engine;
  /** Makes engines of other schemas over the same window. */
  readonly engineOf: EngineMaker;
  readonly check: SourceChecker;
  readonly options: Plan;
  /** Null: results go to the sink only. */
  readonly outlet: OutletMaker | null;
  /** Finds the values that are compared with those of other payloads. Absent: none are. */
  readonly relater?: Relater | undefined;
  /** Opens standard input. */
  readonly stdin: () => Io['stdin'];
  readonly interrupt: AbortSignal;
  /** See `Io`. */
  readonly now: () => number;
  /** Tells the main thread what this one does; absent in the main thread. */
  readonly progress?: ProgressMark;
}

/** How payloads are judged, in any thread. */
export interface Judgement extends EngineParts {
  readonly options: Plan;
  /** Checks a source, in the main thread only; absent: each payload by the engine. */
  readonly check?: SourceChecker;
}

/** What a thread has of its own. */
export type ThreadWorld = Pick<PartContext, 'stdin' | 'interrupt' | 'now' | 'progress'> & {
  readonly world?: EngineWorld;
};

/** Throws what `createEngine` throws. */
export async function createContext(judgement: Judgement, given: ThreadWorld): Promise<PartContext> {
  const { world = {}, ...own } = given;
  const { options, check = checkSource } = judgement;
  const window = new Window(options.outlet?.type === 'convert');
  const outlet = options.outlet === null ? null : await loadOutlet(options.outlet);
  const engineOf: EngineMaker = (schemas, engine) => {
    const counts = engine === 'covering' ? { covers: { kind: null } } : {};
    const parts = { schemas: schemasOf(schemas), options: { ...options, ...counts, engine } };
    return createEngine(parts, window.memory, world);
  };
  const engine = await createEngine(judgement, window.memory, world, own.progress);
  const { relations, syntaxOnly } = options;
  const compares = relations !== undefined && syntaxOnly !== true;
  const relater = compares ? new (await import('./check/related-values.ts')).Relater(relations, options) : undefined;
  return { window, engine, engineOf, check, options, outlet, relater, ...own };
}

/** Receives the findings of a part, and the pieces of its outlet. */
export type Collector = Sink & Pieces;

export interface PartEnd extends Checked {
  /** False if the source could not be opened. */
  readonly opened: boolean;
  /** Why the source was not read, or not to its end; null: it was. */
  readonly failure: string | null;
  readonly bytes: number;
}

/** Checks a part, with an outlet of its own. The window has begun with its bytes. */
async function checkIn(source: Source, context: PartContext, collector: Collector): Promise<Checked> {
  const { window, engine, engineOf, options, outlet, relater, check } = context;
  const own = outlet === null ? null : outlet({ source, window, pieces: collector });
  try {
    return await check(source, { window, engine, options, sink: collector, outlet: own, relater }, engineOf);
  } finally {
    const counted = engine.counted?.() ?? null;
    if (counted !== null) collector.emit({ type: 'covered', counted });
  }
}

/** Of a source that could not be read; the failure says so. */
const NOT_CHECKED: Checked = { lines: 0, unread: false };

/** Checks a part. Throws errors that do not belong to the source, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, collector: Collector): Promise<PartEnd> {
  const end = part.small ? await checkSmall(part, context, collector) : null;
  return end ?? checkOpened(part, context, collector);
}

/** See `checkPart`, for a file that is read in one go; null if that is not possible. */
export async function checkSmall(
  { source }: Part,
  context: PartContext,
  collector: Collector,
): Promise<PartEnd | null> {
  const { window } = context;
  if (!window.readSmall(source.path!)) return null; // only files are small
  try {
    return { opened: true, failure: null, ...(await checkIn(source, context, collector)), bytes: window.bytesRead };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { opened: true, failure: error.message, ...NOT_CHECKED, bytes: window.bytesRead };
  }
}

/** See `checkPart`, for a part that is opened and read in pieces: anything that is not a small file. */
export async function checkOpened(part: Part, context: PartContext, collector: Collector): Promise<PartEnd> {
  const { window, options, interrupt } = context;
  const { source, range } = part;
  let opened = false;
  let failure: string | null = null;
  let checked: Checked = NOT_CHECKED;
  let bytes = 0;
  const passesOn = options.outlet !== null && options.outlet.type !== 'fill';
  const path = passesOn ? source.path : null;
  try {
    const before = path === null ? null : (range?.file ?? timeOf(path));
    const ranged = range === null ? null : openRange(source.path!, range.from, range.to, range.file); // only files have them
    const reader = ranged ?? (await openBytes(source, source.path === null ? context.stdin() : null, interrupt));
    opened = true;
    try {
      window.reset(reader, ranged?.start ?? 0);
      checked = await checkIn(source, context, collector);
      if (before !== null && isRewritten(path!, before)) throw changedError();
    } finally {
      bytes = reader.progress.bytes;
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    failure = error.message;
  }
  return { opened, failure, ...checked, bytes };
}
