/**
 * An outlet receives all payloads of a source in order, with their bytes, in the thread that checks them, beside the
 * report: a verb is the flow with another outlet. It makes pieces (bytes, edits, events), which go to a `Destination`
 * in the main thread, in the order of the sources.
 */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import type { ByteEdit, FillTable, Removals } from '../../json/edits.ts';
import type { Place } from '../../json/lines.ts';
import type { Window } from '../../source/window.ts';
import type { Failure, Framing, Repair, Source, Span } from '../../types.ts';
import type { Layout } from '../../wasm/layout.ts';
import type { Extent } from '../../write/stream-output.ts';
import type { Sink } from './sink.ts';

/** One or several payloads. Indexes are into the window. */
interface Payloads {
  readonly span: Span;
  /** Of the first payload in its source, or in its part of a source, from 0. */
  readonly index: number;
  /** Null: it has none, or not all have the same. */
  readonly kind: string | null;
  /** The beginning of pointers into the payload: `/3` for an element of an array, otherwise empty. */
  readonly prefix: string;
  /** The place of an index that is not before the span, nor before the last one asked for. */
  readonly placeOf: (index: number) => Place;
}

/** Payloads that were accepted one after another; the span has the white space and the punctuation around them, too. */
export interface AcceptedRun extends Payloads {
  readonly payloads: number;
  /** Line feeds in the span, in `lines` framing. */
  readonly lineFeeds: number;
  /** It holds the gaps of these payloads. The outlet must take or drop them. */
  readonly acceptor: Acceptor;
}

export interface CheckedPayload extends Payloads {
  /** The span is only the beginning of a payload that is too large: calls of `rest` follow. */
  readonly open: boolean;
  readonly valid: boolean;
  readonly fills: FillTable;
  readonly removals: Removals;
}

/**
 * The outlet for one source, or for one part of it. What is absent is false, null, or not needed.
 *
 *     outlet.begin?.('lines', acceptor);
 *     for (const _ of outlet.accepted(run) ?? []) await flush();       // a run of valid payloads
 *     for (const _ of outlet.payload(payload) ?? []) await flush();    // one payload that was examined
 *     outlet.release?.();                                              // the window moves on
 *     outlet.end?.();
 */
export interface Outlet {
  /** It needs every edit: payloads are accepted one by one, and only with edits whose pointers are known. */
  readonly wantsEachEdit?: boolean;
  /** It needs the bytes after the last payload too. */
  readonly wantsRest?: boolean;
  /** It needs every payload's kind, so payloads are accepted one by one. */
  readonly wantsEachKind?: boolean;
  /** Number of payloads of the source, or of the part, rejected so far; null if nothing needs it. */
  readonly rejects?: number | null;
  /** Called first, and again if later bytes show another framing. `acceptor`: the one that will accept payloads. */
  begin?(framing: Framing, acceptor: Acceptor): void;
  /** Returns the output that is not yet written, in steps, so that each can be written before the next. */
  accepted(run: AcceptedRun): Iterable<void> | undefined;
  payload(payload: CheckedPayload): Iterable<void> | undefined;
  /** More bytes of an open payload; `open`: more will follow. */
  rest?(span: Span, open: boolean): void;
  /** The window will drop the bytes before its start. All payloads there have been passed on. */
  release?(): void;
  end?(): void;
}

/** Which outlet, as plain data that can be sent to threads. `rejects`: only the invalid payloads, in the channel 0. */
export type OutletSpec = FillSpec | FilterSpec | ConvertSpec | { readonly type: 'rejects' };

/** Of `fill`, `prune`, or both. */
export interface FillSpec {
  readonly type: 'fill';
  readonly repairs: readonly Repair[];
  readonly bytes: boolean;
  readonly edits: boolean;
  /** Make a piece for every member that is filled in or removed, with its pointer and place. */
  readonly members: boolean;
  /** The values of removed members may be shown. */
  readonly values: boolean;
  /** Something to fill in, or to remove, fails the run: `--check`. Absent: false. */
  readonly check?: boolean;
}

export interface FilterSpec {
  readonly type: 'filter';
  readonly invert: boolean;
  /** Pass the other payloads too, in the channel `REJECTS`. */
  readonly rejects: boolean;
  /** Violations must contain the index of the rejected payload. */
  readonly reasons: boolean;
}

/** The channel of the payloads that `filter` does not pass on. */
export const REJECTS = 1;

export interface ConvertSpec {
  readonly type: 'convert';
  readonly as: Layout;
  /** Only payloads of this kind; null: of any kind. */
  readonly only: string | null;
  /** These kinds have one channel each, in this order, and other payloads the last one; null: there is one channel. */
  readonly split: readonly string[] | null;
}

/** Receives the pieces that an outlet makes, in order, and what else it finds. */
export interface Pieces extends Pick<Sink, 'emit'> {
  /** Valid until the next flush. `changed`: not all are the source's own. `channel`: of the outputs; 0 unless given. */
  bytes(chunk: Uint8Array, changed: boolean, channel?: number): void;
  /** Memory for a copy of `bytes` that is passed to `bytes` next: it is not copied again. Absent: nothing is copied. */
  reserve?(bytes: Uint8Array): Uint8Array;
}

export interface OutletPart {
  readonly source: Source;
  readonly window: Window;
  readonly pieces: Pieces;
}

export type OutletMaker = (part: OutletPart) => Outlet;

/** Receives the pieces of outlets in the main thread, source after source: one class for each way to write them. */
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
  /**
   * The current source is done; `whole`: it was read to its end. Resolves to its outcome, after those of the sources that waited;
   * to none if it waits, too.
   */
  end(whole: boolean): Promise<readonly SourceOutcome[]>;
  /** Finishes the sources that wait. Resolves to their outcomes, in their order. Absent: none ever waits. */
  settle?(): Promise<readonly SourceOutcome[]>;
  /** No more sources. Resolves to outputs that could not be written, and why. Throws ClosedPipe and WriteError. */
  finish?(extent: Extent): Promise<readonly Failure[]>;
  /** The run is over or interrupted: nothing unfinished may stay. */
  close(): Promise<void>;
}

export interface SourceOutcome {
  readonly done: boolean;
  /** Why they were not, in one clause. */
  readonly failure: string | null;
  /** What could not be kept, in one clause; absent or null if everything was. */
  readonly warning?: string | null;
}

export const ALL_WRITTEN: SourceOutcome = { done: true, failure: null };
