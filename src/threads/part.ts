/**
 * One part of the work, done in whatever thread: opened, checked, closed, with what came of it as data.
 */
import { type CheckOptions, type CheckSink, checkSource, type Engines } from '../check/check.ts';
import type { Window } from '../input/window.ts';
import type { Io } from '../types.ts';
import type { Part } from './serial.ts';

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

/** What the parts of a run have in common. */
export interface PartContext {
  readonly window: Window;
  readonly engines: Engines;
  readonly options: CheckOptions;
  readonly stdin: Io['stdin'];
  readonly interrupt: AbortSignal;
  /** As `Io` has it. */
  readonly now: () => number;
}

/** Checks a part; what is found goes to `sink`. Throws what is no trouble of the source's own, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd> {
  if (part.small) {
    const end = await checkSmall(part, context, sink);
    if (end !== null) return end;
  }
  const { checkOpened } = await import('./opened.ts');
  return checkOpened(part, context, sink);
}

/** The same for a file that is read in one go; null where that cannot be. */
export async function checkSmall(
  { source }: Part,
  { window, engines, options }: PartContext,
  sink: CheckSink,
): Promise<PartEnd | null> {
  if (!window.readSmall(source.path!)) return null; // only files are small
  const lines = await checkSource(source, window, engines, options, sink);
  return { opened: true, failure: null, lines, bytes: window.bytesRead };
}
