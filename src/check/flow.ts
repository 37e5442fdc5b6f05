/**
 * What the check of a source needs, whatever the source.
 */
import type { Engines } from '../engines/engines.ts';
import type { Window } from '../input/window.ts';
import type { Outlet } from '../outlet/outlet.ts';
import type { AdvanceMaker } from './in-advance.ts';
import type { RunOptions } from './run-options.ts';
import type { Sink } from './sink.ts';

/** Is told which payload is examined, in case that never ends. */
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
  /** Lets other threads accept elements of a large array in advance; absent: there are none, or the source is no file. */
  readonly inAdvance?: AdvanceMaker;
  /** Absent: the payload at work is known without it. */
  readonly mark?: Mark;
}
