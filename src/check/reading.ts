/**
 * How the sources are cut into payloads: by the options of the run, and by what the schema says of a source.
 */

import type { AcceptRun } from '../accept/acceptor.ts';
import type { CutterOptions } from '../input/framing.ts';
import type { Window } from '../input/window.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import type { Source, Span } from '../types.ts';
import type { RunOptions, Sink } from './flow.ts';

/** As a cutter needs it. */
export interface Reading extends CutterOptions {
  /** A top-level array is the payload because of the schema. */
  readonly bySchema: boolean;
}

/** What the acceptor has read of a source, so that it need not read that again. */
export interface Read {
  /** The one payload, which is not accepted; null: it is not known. */
  readonly refused: Span | null;
  /** A run over the lines from the window's start on, whose counts are not taken; null: there was none. */
  readonly run: AcceptRun | null;
}

export function readingOf({ arrays }: Source, { whole, maxBytes }: RunOptions): Reading {
  const bySchema = !whole && arrays === 'payload';
  return { whole: whole || bySchema, unclear: !whole && arrays === 'unclear', maxBytes, bySchema };
}

/**
 * Counts the payload that begins at `start`, in `json` framing, if it is an array and would be a list without its
 * schema.
 */
export function countArray({ bySchema }: Reading, { bytes }: Window, start: number, sink: Sink): void {
  if (bySchema && bytes[start] === 0x5b) sink.array?.();
}

/**
 * The span of what is probably the one payload of a source in `json` framing; null if it is surely not one, or not all
 * is in the window.
 */
export function wholeSpan(window: Window, { whole, maxBytes }: Reading): Span | null {
  if (!window.atEnd) return null;
  const { bytes } = window;
  const start = skipSpace(bytes, window.start, window.end);
  const end = withoutSpace(bytes, start, window.end);
  const isList = bytes[start] === 0x5b && !whole;
  return start === end || isList || end - start > maxBytes ? null : { start, end };
}
