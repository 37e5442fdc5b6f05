/**
 * What is told of the payloads of a source, in their order: by the check of one source, to the thread that it runs in.
 */
import type { Excerpt, Hidden, Violation } from '../types.ts';

/** The flow waits for `flush` between windows, so that memory stays bounded. */
export interface Sink {
  violation(violation: Violation, excerpt: Excerpt | null): void;
  /** What the user should know of the source, in one clause; it is not a violation. */
  note(text: string): void;
  /** A violation that is only to be counted. */
  hidden(violation: Hidden): void;
  /** A payload was examined; `kind` null if it has none. Returns whether to go on. */
  payload(kind: string | null, valid: boolean): boolean;
  /** `payloads` payloads of a kind were accepted, and are valid. */
  accepted(kind: string, payloads: number): void;
  /** A payload could not be checked. It counts as invalid, without a violation. Returns whether to go on. */
  fault(fault: PayloadFault): boolean;
  flush(): Promise<void>;
}

/** What was thrown while a payload was examined: a bug, or a limit of the machine. It has payload text only if reports may. */
export interface PayloadFault {
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  /** 1-based. */
  readonly line: number;
  /** What was thrown; null: it may be payload text. */
  readonly message: string | null;
  /** The place in paylint at which it was thrown; null if it is not a bug. */
  readonly stack: string | null;
}
