/**
 * An outlet receives the payloads of a source, beside the report. A verb is the flow with another outlet.
 *
 * It runs in the thread that checks the payloads. It receives all of them in order, with their bytes, and makes pieces:
 * bytes to be written, edits, events. The pieces go to a `Destination` in the main thread, in the order of the sources.
 */

import type { Acceptor } from '../../engine/compile/acceptor.ts';
import type { FillTable } from '../../engine/judge/row-log.ts';
import type { Layout } from '../../engine/wasm/layout.ts';
import type { ByteEdit } from '../../json/insertions.ts';
import type { Place } from '../../json/lines.ts';
import type { Window } from '../../source/window.ts';
import type { Failure, FilledPlace, Framing, Source, Span } from '../../types.ts';
import type { Extent } from '../stream-output.ts';

/** One or several payloads. Indexes are into the window. */
interface Payloads {
  readonly span: Span;
  /** Of the first payload in its source, or in its part of a source, from 0. */
  readonly index: number;
  /** Null: it has none, or not all have the same. */
  readonly kind: string | null;
  /** The beginning of pointers into the payload: `/3` for an element of an array, otherwise empty. */
  readonly prefix: string;
  /** Line and column of indexes, ascending, none before the span. */
  readonly placesOf: (indexes: readonly number[]) => ReadonlyMap<number, Place>;
}

/** Payloads that were accepted one after another; the span has the white space and the punctuation around them, too. */
export interface AcceptedRun extends Payloads {
  readonly payloads: number;
  /** Line feeds in the span, in `lines` framing. */
  readonly lineFeeds: number;
  /** It holds the gaps of these payloads. The outlet must take or drop them. */
  readonly acceptor: Acceptor;
}

/** A payload that was checked by itself. */
export interface CheckedPayload extends Payloads {
  /** The span is only the beginning of a payload that is too large: calls of `rest` follow. */
  readonly open: boolean;
  readonly valid: boolean;
  /** What fills in the payload. */
  readonly fills: FillTable;
}

/** The outlet for one source, or for one part of it. What is absent is false, null, or not needed. */
export interface Outlet {
  /**
   * The outlet needs every edit with its payload: then payloads are accepted one by one, and only with edits whose
   * pointers are known.
   */
  readonly wantsEachEdit?: boolean;
  /** The outlet needs the bytes after the last payload too. */
  readonly wantsRest?: boolean;
  /** The outlet needs every payload's kind, so payloads are accepted one by one. */
  readonly wantsEachKind?: boolean;
  /** Number of payloads of the source, or of the part, rejected so far; null if nothing needs it. */
  readonly rejects?: number | null;
  /** Called first, and again if later bytes show another framing. `acceptor`: the one that will accept payloads. */
  begin?(framing: Framing, acceptor: Acceptor): void;
  /**
   * Returns the output that is not yet written, in steps, so that each step can be written before the next. Usually
   * returns nothing.
   */
  accepted(run: AcceptedRun): Iterable<void> | undefined;
  /** The same. */
  payload(payload: CheckedPayload): Iterable<void> | undefined;
  /** More bytes of an open payload; `open`: more will follow. */
  rest?(span: Span, open: boolean): void;
  /** The window will drop the bytes before its start. All payloads there have been passed on. */
  release?(): void;
  /** The source, or the part, has ended. */
  end?(): void;
}

/** Which outlet, with its settings: plain data that can be sent to threads. */
export type OutletSpec = FillSpec | FilterSpec | ConvertSpec | RejectsSpec;

export interface FillSpec {
  readonly type: 'fill';
  /** Which pieces to make. */
  readonly bytes: boolean;
  readonly edits: boolean;
  /** Make a piece for every filled-in member, with its pointer and place. */
  readonly members: boolean;
  /** Something to fill in fails the run: `--check`. Absent: false. */
  readonly check?: boolean;
}

export interface FilterSpec {
  readonly type: 'filter';
  /** Pass the invalid payloads, not the valid ones. */
  readonly invert: boolean;
  /** Pass the other payloads too, in the channel `REJECTS`. */
  readonly rejects: boolean;
  /** Violations must contain the index of the rejected payload. */
  readonly reasons: boolean;
}

/** Only the invalid payloads, in the channel 0. */
export interface RejectsSpec {
  readonly type: 'rejects';
}

/** The channel of the payloads that `filter` does not pass on. */
export const REJECTS = 1;

export interface ConvertSpec {
  readonly type: 'convert';
  readonly as: Layout;
  /** Only payloads of this kind; null: of any kind. */
  readonly only: string | null;
  /**
   * These kinds have one channel each, in this order, and all other payloads have the last one; null: all payloads have
   * the same one.
   */
  readonly split: readonly string[] | null;
}

/** Receives the pieces that an outlet makes, in order. Absent: pieces of this sort are not needed. */
export interface Pieces {
  /**
   * Bytes to be written, valid until the next flush. `changed`: they are not all the source's own. `channel`: the
   * number of the destination's output, if it has several; 0 unless given.
   */
  bytes(chunk: Uint8Array, changed: boolean, channel?: number): void;
  /**
   * Memory for a piece that is made from a copy of `bytes`, and that is passed to `bytes` next: it is not copied again.
   * Absent: pieces are not copied.
   */
  room?(bytes: Uint8Array): Uint8Array;
  /** A change of the source. */
  edit?(edit: ByteEdit): void;
  /** A member that was filled in. */
  fill?(place: FilledPlace): void;
  /** `count` members were filled in at `pattern`, a pointer with `*` for any index. */
  filled?(pattern: string, count: number): void;
  /** `count` payloads were rejected in the whole source, or part. */
  rejected?(count: number): void;
}

export interface OutletPart {
  readonly source: Source;
  readonly window: Window;
  readonly pieces: Pieces;
}

export type OutletMaker = (part: OutletPart) => Outlet;

/**
 * Receives the pieces of outlets in the main thread: each source from beginning to end, one after another. There is
 * one destination for each way to write them.
 */
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
  end(whole: boolean): Promise<SourceOutcome>;
  /** The current source was read to its end and is done. Like `end(true)`; null: slow work is put off until `settle`. */
  endLater?(): Promise<SourceOutcome | null>;
  /** So much work is put off that `settle` should be called. Absent: false. */
  readonly isFull?: boolean;
  /**
   * Does what was put off. Resolves to the results, in the order of the sources. If it is never called, that work is
   * not done.
   */
  settle?(): Promise<readonly SourceOutcome[]>;
  /**
   * There are no more sources. Resolves to the outputs that could not be written, and why. Throws ClosedPipe and WriteError.
   */
  finish?(extent: Extent): Promise<readonly Failure[]>;
  /** The run is over or interrupted: nothing unfinished may stay. */
  close(): Promise<void>;
}

export interface SourceOutcome {
  /** Its pieces have been written. */
  readonly done: boolean;
  /** Why they were not, in one clause. */
  readonly failure: string | null;
  /** What could not be kept, in one clause; absent or null if everything was. */
  readonly warning?: string | null;
}

export const ALL_WRITTEN: SourceOutcome = { done: true, failure: null };
