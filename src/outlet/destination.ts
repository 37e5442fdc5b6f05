/**
 * Receives the pieces of outlets in the main thread: each source from beginning to end, one after another. There is one
 * destination for each way to write them.
 */
import type { ByteEdit } from '../json/insertions.ts';
import type { Extent } from '../output/stream-output.ts';
import type { Failure, Source } from '../types.ts';

export interface Destination {
  /** Whether `end` may return a failure: then the events of a source are reported after it. Absent: false. */
  readonly mayFail?: boolean;
  /** Whether it writes files: then the run continues even if the reader of its report has gone. Absent: false. */
  readonly writesFiles?: boolean;
  begin(source: Source): void;
  /** Bytes of the current source, valid until `flush` has resolved; see `Pieces`. Absent: not needed. */
  bytes?(chunk: Uint8Array, changed: boolean, channel: number): void;
  /** Absent: not needed. */
  edit?(edit: ByteEdit): void;
  /** Throws ClosedPipe and WriteError. */
  flush?(): Promise<void>;
  /** The current source is done; `whole`: it was read to its end. */
  end(whole: boolean): Promise<Left>;
  /** The current source was read to its end and is done. Like `end(true)`; null: slow work is put off until `settle`. */
  endLater?(): Promise<Left | null>;
  /** So much work is put off that `settle` should be called. Absent: false. */
  readonly isFull?: boolean;
  /**
   * Does what was put off. Resolves to the results, in the order of the sources. If it is never called, that work is
   * not done.
   */
  settle?(): Promise<readonly Left[]>;
  /**
   * There are no more sources. Resolves to the outputs that could not be written, and why. Throws ClosedPipe and WriteError.
   */
  finish?(extent: Extent): Promise<readonly Failure[]>;
  /** The run is over or interrupted: nothing unfinished may stay. */
  close(): Promise<void>;
}

/** The result for a source. */
export interface Left {
  /** Its pieces have been written. */
  readonly done: boolean;
  /** Why they were not, in one clause. */
  readonly failure: string | null;
  /** What could not be kept, in one clause; absent or null if everything was. */
  readonly warning?: string | null;
}

export const ALL_LEFT: Left = { done: true, failure: null };
