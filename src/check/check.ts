/**
 * One source through the flow: bytes to payloads, payloads to findings, findings to violations with lines and columns.
 *
 * A small file whose one payload is valid is done here. What everything else takes is loaded when it is needed.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { Examined, PayloadBytes } from '../examine/examine.ts';
import type { TranscriptSink } from '../fill/transcript.ts';
import type { CutterOptions } from '../input/framing.ts';
import type { Window } from '../input/window.ts';
import type { Excerpt, Framing, Hidden, Source, Violation } from '../types.ts';
import { acceptWhole } from './whole.ts';

export interface CheckOptions extends CutterOptions {
  /** Over what names and content say. */
  readonly framing: Framing | null;
  readonly redact: boolean;
  /** Code frames are wanted. */
  readonly excerpts: boolean;
  /** How many more violations will be shown, counted by all threads; absent: there is no end to them. */
  readonly shownLeft?: Int32Array;
  /** Those beyond are only counted. */
  readonly countsOthers: boolean;
}

/** What the engines are: the fast one, and the true one, made when it is first needed. */
export interface Engines {
  /** For payloads of a forced kind, or (null) of those that the door tells apart. */
  readonly acceptor: (forced: string | null) => Promise<Acceptor>;
  readonly examine: (payload: PayloadBytes, forced: string | null, hides: boolean) => Promise<Examined>;
  /** Ends what the engines have started. */
  readonly close: () => Promise<void>;
}

/** What becomes of the results. The flow waits for `flush` between windows, so that memory stays bounded. */
export interface CheckSink {
  violation(violation: Violation, excerpt: Excerpt | null): void;
  /** One that is only to be counted. */
  hidden(violation: Hidden): void;
  /** A payload was examined; `kind` null where it is of none. Answers whether to go on. */
  payload(kind: string | null, valid: boolean): boolean;
  /** So many payloads of a kind were accepted, and are valid. */
  accepted(kind: string, payloads: number): void;
  /** Where the bytes go, with the defaults filled in; null where nobody wants them. */
  readonly transcript: TranscriptSink | null;
  /** A payload could not be checked. It counts as not valid, without a violation. Answers whether to go on. */
  fault(fault: PayloadFault): boolean;
  flush(): Promise<void>;
}

/** What was thrown while a payload was examined: a bug, or a limit of the machine. Payload text only if that is allowed in reports. */
export interface PayloadFault {
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  /** 1-based. */
  readonly line: number;
  /** What was thrown; null: it may be payload text. */
  readonly message: string | null;
  /** Where in paylint it was thrown; null if it is no bug. */
  readonly stack: string | null;
}

/**
 * Checks all payloads of `source`, whose bytes `window` reads; or, where the window does not begin with the source's first byte,
 * the lines from there on. Violations come in the order of their places, payloads and lines counted from where the window
 * begins. Resolves to the line feeds passed. Throws what the reader and the sink throw; what was found before stays reported.
 */
export async function checkSource(
  source: Source,
  window: Window,
  engines: Engines,
  options: CheckOptions,
  sink: CheckSink,
): Promise<number> {
  const acceptor = await engines.acceptor(source.kind);
  if (window.base === 0 && sink.transcript === null && acceptsAll(source, window, acceptor, options)) {
    acceptor.takeCounts((kind, payloads) => sink.accepted(kind, payloads));
    acceptor.dropNotes();
    return 0;
  }
  const { checkPayloads } = await import('./payloads.ts');
  return checkPayloads(source, window, acceptor, engines, options, sink);
}

/** True if all of a small source is at hand, and all of its payloads are accepted. */
function acceptsAll(source: Source, window: Window, acceptor: Acceptor, options: CheckOptions): boolean {
  const framing = options.framing ?? source.framing;
  if (framing === 'json') return acceptWhole(window, acceptor, options, false);
  if (framing !== 'lines' || !window.atEnd) return false;
  acceptor.reset();
  if (acceptor.run(window, 'lines')?.stop === window.end) return true;
  // They are counted when all of the source is checked.
  acceptor.takeCounts(() => {});
  return false;
}
