/**
 * Receives the results of one source, payload by payload, from the check in the same thread.
 */
import type { Excerpt, Extra, Hidden, InFile, Statement, Violation, ViolationPlace } from '../types.ts';

/**
 * The `@id` of a payload, with all that is reported if another payload of the run has the same `@id` and other content.
 */
export interface Claim
  extends Pick<Violation, 'payload' | 'line' | 'column' | 'endColumn' | 'offset' | 'kind' | 'pointer'> {
  /** Hash of the `@id`. */
  readonly id: string;
  /** Hash of the payload. */
  readonly content: string;
  /** The `@id` as text for a message; null: it must not be shown. */
  readonly text: string | null;
  /** The payload is valid, apart from the comparison of its `@id` with others. */
  readonly valid: boolean;
  readonly excerpt: Excerpt | null;
  readonly inFile?: InFile;
}

/** The check waits for `flush` between windows, so that memory stays bounded. */
export interface Sink {
  /**
   * `place` is used again after the call; `again`: the same statement may be passed for later violations. Returns false
   * if the sink has to be flushed before it takes more.
   */
  violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again?: boolean): boolean;
  /**
   * Called for a payload with an `@id`, if these are compared. Returns whether the `@id` is known to be an error.
   * Absent: they are never compared.
   */
  claim?(claim: Claim): boolean;
  /** A note for the user about the source, in one clause; it is not a violation. */
  note(text: string): void;
  /** A payload is a top-level array, because the schema is about arrays. Absent: they are not counted. */
  array?(): void;
  /** Violations that are only counted; `count` absent: one. */
  hidden(violation: Hidden, count?: number): void;
  /** A payload was examined; `kind` null if it has none. Returns whether to continue. */
  payload(kind: string | null, valid: boolean): boolean;
  /** `payloads` payloads of a kind were accepted as valid. */
  accepted(kind: string, payloads: number): void;
  /** A payload could not be checked. It counts as invalid, without a violation. Returns whether to continue. */
  fault(fault: PayloadFault): boolean;
  flush(): Promise<void> | void;
}

/**
 * An error thrown while a payload was examined: a bug, or a limit of the machine. It contains payload text only if
 * reports may.
 */
export interface PayloadFault {
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  /** 1-based. */
  readonly line: number;
  /** The error's message; null if it may contain payload text and must not. */
  readonly message: string | null;
  /** The stack of the error; null if it is not a bug. */
  readonly stack: string | null;
}
