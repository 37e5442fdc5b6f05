/**
 * How the sources are cut into payloads: by the options of the run, and by what the schema says of a source.
 */
import type { CutterOptions } from '../input/framing.ts';
import type { Window } from '../input/window.ts';
import type { Source } from '../types.ts';
import type { RunOptions } from './run-options.ts';
import type { Sink } from './sink.ts';

/** As a cutter needs it. */
export interface Reading extends CutterOptions {
  /** A top-level array is the payload because of the schema. */
  readonly bySchema: boolean;
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
