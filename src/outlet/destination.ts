/**
 * Where the pieces of outlets go, in the main thread: each source from its beginning to its end, one after another. A destination is one of
 * the ways in which a verb is asked to leave them.
 */
import type { ByteEdit } from '../json/edits.ts';
import type { Failure, Source } from '../types.ts';

export interface Destination {
  /** Whether `end` may return a failure: then nothing is reported of a source before it is known. */
  readonly mayFail: boolean;
  /** Whether it writes files: then the run goes on even if nobody reads its report any more. */
  readonly writesFiles: boolean;
  begin(source: Source): void;
  /** Bytes of the present source, good until `flush` has resolved; as `Pieces` has them. */
  bytes(chunk: Uint8Array, changed: boolean, channel: number): void;
  edit(edit: ByteEdit): void;
  /** Throws ClosedPipe and WriteError. */
  flush(): Promise<void>;
  /** The present source is done; `whole`: all of it was read. */
  end(whole: boolean): Promise<Left>;
  /**
   * There are no more sources. `whole`: all of them were read to their ends. Resolves to what was not left where it should be, and why.
   * Throws ClosedPipe and WriteError.
   */
  finish?(whole: boolean): Promise<readonly Failure[]>;
  /** The run is over, or broken off: nothing half-done stays. */
  close(): Promise<void>;
}

/** What has become of a source. */
export interface Left {
  /** What was made of it has been left somewhere. */
  readonly done: boolean;
  /** What kept it from being left, in one clause. */
  readonly failure: string | null;
  /** What could not be kept as it was, in one clause; absent or null if everything was. */
  readonly warning?: string | null;
}

export const ALL_LEFT: Left = { done: true, failure: null };

/** Nothing is left anywhere: `fill --check`. */
export const NO_DESTINATION: Destination = {
  mayFail: false,
  writesFiles: false,
  begin() {},
  bytes() {},
  edit() {},
  async flush() {},
  async end() {
    return ALL_LEFT;
  },
  async close() {},
};
