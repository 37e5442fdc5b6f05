/** What the check of a source finds, as one union, and the sink that receives it. */

import type { TallyData } from '../../engine/judge/tally.ts';
import type { ByteEdit } from '../../json/edits.ts';
import type { HiddenCount } from '../../log/violation-table.ts';
import type { ChangedPlace, Extra, RelatedValue, Repair, Statement, Violation, ViolationPlace } from '../../types.ts';

/** A value of a payload that is compared with those of others, with all that is reported if it is wrong. */
export interface Claim
  extends Pick<RelatedValue, 'relation' | 'role' | 'hash' | 'text'>,
    Pick<Violation, 'payload' | 'line' | 'column' | 'endLine' | 'endColumn' | 'offset' | 'kind' | 'pointer'> {
  /** The payload is valid, apart from what it has in common with others. */
  readonly valid: boolean;
  /** Violations of the payload that are listed, apart from those. */
  readonly listed: number;
}

/**
 * What is found in a source besides its violations, each by its `type`. Indexes of payloads and lines count from the beginning
 * of the part.
 */
export type SourceEvent =
  /** `count` payloads of a kind were accepted as valid, one after another. */
  | { readonly type: 'accepted'; readonly kind: string; readonly count: number }
  /** A payload was examined; `kind`: null if it has none. */
  | { readonly type: 'payload'; readonly kind: string | null; readonly valid: boolean }
  /** A payload could not be checked. It counts as invalid, without a violation. */
  | { readonly type: 'fault'; readonly fault: PayloadFault }
  /** Violations that are only counted. */
  | ({ readonly type: 'hidden' } & Readonly<HiddenCount>)
  /** Of a payload, `count` violations are not listed, because it has more than `LISTED_VIOLATIONS`. They are counted besides. */
  | { readonly type: 'unlisted'; readonly payload: number; readonly count: number }
  /** A value that is compared with those of other payloads. */
  | { readonly type: 'claim'; readonly claim: Claim }
  /** A hint for the user about the source, in one clause; it is not a violation. */
  | { readonly type: 'hint'; readonly text: string }
  /** A payload is a top-level array, because the schema is about arrays. */
  | { readonly type: 'array' }
  /** The payload that comes next did not break, but the two schemas that are compared do not both accept it. */
  | { readonly type: 'compared'; readonly outcome: 'healed' | 'invalid' }
  /** What was counted of the places of the schemas in a part of the source. */
  | { readonly type: 'covered'; readonly counted: TallyData }
  /** A change that an outlet has made to the bytes. */
  | { readonly type: 'edit'; readonly edit: ByteEdit }
  /** A member that was filled in, or removed. */
  | { readonly type: 'change'; readonly repair: Repair; readonly place: ChangedPlace }
  /** `count` members were filled in, or removed, at `pattern`, a pointer with `*` for any index. */
  | { readonly type: 'changed'; readonly repair: Repair; readonly pattern: string; readonly count: number }
  /** So many payloads of the source, or of the part, were rejected by the outlet. */
  | { readonly type: 'rejected'; readonly count: number };

/**
 * Receives the results of one source, in order, from the check in the same thread. The check waits for `flush` between
 * windows, so that memory stays bounded. What a sink does not need, it drops.
 *
 *     const isFull = sink.violation(statement, place, null);
 *     sink.emit({ type: 'payload', kind: 'emoji', valid: false }); // the payload of that violation
 *     if (isFull || sink.isDue) await sink.flush();
 */
export interface Sink {
  /** An invalid payload has ended the run: nothing more is checked. */
  readonly stopped: boolean;
  /** It has to be flushed before the next payload is examined. Reading it may read the clock. */
  readonly isDue: boolean;
  /**
   * `place` is used again after the call; `again`: the same statement may be passed for later violations. Returns whether it
   * has to be flushed before it takes more.
   */
  violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again?: boolean): boolean;
  emit(found: SourceEvent): void;
  flush(): Promise<void> | void;
}

/** A payload whose examination failed: a bug, or a limit of the machine. It has payload text only if reports may. */
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
