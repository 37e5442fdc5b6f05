/**
 * What the check of a source needs, whatever the source.
 */
import type { Engines } from '../engines/engines.ts';
import type { Window } from '../input/window.ts';
import type { Outlet } from '../outlet/outlet.ts';
import type { AdvanceMaker } from './in-advance.ts';
import type { RunOptions } from './run-options.ts';
import type { Sink } from './sink.ts';

/** Records which payload is examined, so that it can be named if its examination never ends. */
export interface Mark {
  /** `payload`: its index in the source or the range of it that is checked; `line`: there, from 1. */
  examines(payload: number, line: number): void;
  examined(): void;
}

export interface Flow {
  /** Reads the bytes of the source. */
  readonly window: Window;
  readonly engines: Engines;
  readonly options: RunOptions;
  readonly sink: Sink;
  /** Null: results go to the sink only. */
  readonly outlet: Outlet | null;
  /**
   * Lets other threads accept elements of a large array in advance. Absent: no other threads, or the source is not a
   * file.
   */
  readonly inAdvance?: AdvanceMaker;
  /** Absent: no record of the examined payload is needed. */
  readonly mark?: Mark;
}
