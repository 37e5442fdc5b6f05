/**
 * What the parts of a run share in one thread, and where the results of a part go.
 */
import type { Mark } from '../check/flow.ts';
import type { AdvanceMaker } from '../check/in-advance.ts';
import type { RunOptions } from '../check/run-options.ts';
import type { Sink } from '../check/sink.ts';
import type { Engines } from '../engines/engines.ts';
import type { Io } from '../input/io.ts';
import type { Window } from '../input/window.ts';
import type { OutletMaker, Pieces } from '../outlet/outlet.ts';
import type { Source } from '../types.ts';
import type { Teller } from './claims.ts';

export interface PartContext {
  readonly window: Window;
  readonly engines: Engines;
  readonly options: RunOptions;
  /** Null: results go to the sink only. */
  readonly outlet: OutletMaker | null;
  readonly stdin: Io['stdin'];
  readonly interrupt: AbortSignal;
  /** See `Io`. */
  readonly now: () => number;
  /** Lets other threads accept the elements of an array in a file in advance; absent: there are no other threads. */
  readonly inAdvance?: (source: Source, collector: Collector) => AdvanceMaker;
  /** Tells the main thread what this one does; absent in the main thread. */
  readonly teller?: Teller;
}

/** Receives the findings of a part, and the pieces of its outlet. */
export interface Collector {
  readonly sink: Sink;
  readonly pieces: Pieces;
}

/** How a part ended. */
export interface PartEnd {
  /** False if the source could not be opened. */
  readonly opened: boolean;
  /** Why the source was not read, or not to its end; null: it was. */
  readonly failure: string | null;
  /** Line feeds in the part, if it is a range. */
  readonly lines: number;
  /** Bytes read from the file. */
  readonly bytes: number;
}

/** The part of the teller that a flow needs. */
export function markOf({ teller }: PartContext): { readonly mark?: Mark } {
  return teller === undefined ? {} : { mark: teller };
}
