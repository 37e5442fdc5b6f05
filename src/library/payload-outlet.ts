/**
 * The outlet that passes every payload to the caller. Payloads that were accepted together become results one by one,
 * when the caller requests them.
 */

import type { Acceptor } from '../engine/compile/acceptor.ts';
import { skipSpace, withoutSpace } from '../json/skip.ts';
import type { Baseline } from '../report/baseline.ts';
import { violationAt } from '../report/violation-table.ts';
import type { Sink } from '../run/check/flow.ts';
import type { Window } from '../source/window.ts';
import type { Framing, Span, Violation } from '../types.ts';
import type { AcceptedRun, CheckedPayload, Outlet } from '../write/outlets/outlet.ts';
import type { PayloadResult } from './api.ts';
import type { Lane } from './lanes.ts';
import { failed } from './one-text.ts';

/** Payloads in the window that were accepted together. */
interface Accepted {
  /** The first index and the end index of each payload, one after another. */
  readonly spans: readonly number[];
  /** One kind for all payloads, or a list with the kind of each. */
  readonly kinds: string | readonly string[];
  /** Of the first payload. */
  readonly index: number;
}

/** Lets the caller take all results before the window is changed. */
const HAND_OVER: readonly undefined[] = [undefined];

const LINE_FEED = 0x0a;

export class PayloadOutlet implements Outlet {
  readonly sink: Sink;
  readonly #window: Window;
  #framing: Framing = 'json';
  #index = 0;
  #violations: Violation[] = [];
  #span: Span | null = null;
  /** Results that the caller has not taken yet, in order, from `#next` on. */
  #queue: (PayloadResult | Accepted)[] = [];
  #next = 0;
  /** Number of payloads already taken from the first entry of the queue. */
  #taken = 0;

  /**
   * `baseline`: its violations are left out. `stopped`: true if the caller wants no more payloads. `isDue`: true if the
   * check must be left before the next payload is examined.
   */
  constructor(lane: Lane, baseline: Baseline | null, stopped: () => boolean, isDue: () => boolean) {
    this.#window = lane.window;
    this.sink = {
      violation: (statement, place) => {
        const violation = violationAt(place, statement);
        if (baseline?.knows(violation) !== true) this.#violations.push(violation);
        return true;
      },
      payload: (kind, valid) => {
        const violations = this.#violations;
        const isKnown = baseline !== null && violations.every(({ severity }) => severity === 'warning');
        this.#add({ valid: valid || isKnown, kind, violations });
        return !stopped();
      },
      fault: ({ message, stack }) => {
        this.#add(failed(message ?? stack ?? 'unknown'));
        return !stopped();
      },
      flush() {},
      isDue,
    };
  }

  /** The next result; null if there is none yet. The caller must take all results before the check continues. */
  take(): PayloadResult | null {
    const first = this.#queue[this.#next];
    if (first === undefined) {
      if (this.#next > 0) this.#queue = [];
      this.#next = 0;
      return null;
    }
    if (!('spans' in first)) {
      this.#next++;
      return first;
    }
    const result = this.#resultOf(first, this.#taken++);
    if (2 * this.#taken === first.spans.length) {
      this.#taken = 0;
      this.#next++;
    }
    return result;
  }

  #resultOf({ spans, kinds, index }: Accepted, i: number): PayloadResult {
    const kind = typeof kinds === 'string' ? kinds : kinds[i]!;
    const text = this.#window.bytes.toString('utf8', spans[2 * i]!, spans[2 * i + 1]!);
    return { index: index + i, valid: true, kind, violations: [], text };
  }

  begin(framing: Framing): void {
    this.#framing = framing;
  }

  accepted({ span, payloads, kind, acceptor }: AcceptedRun): Iterable<void> | undefined {
    acceptor.dropGaps();
    if (payloads === 0) return undefined;
    const spans = this.#spansOf(span, acceptor);
    const kinds = kind ?? kindsOf(spans, this.#window.bytes, acceptor);
    this.#queue.push({ spans, kinds, index: this.#index });
    this.#index += payloads;
    return HAND_OVER;
  }

  #spansOf({ start, end }: Span, acceptor: Acceptor): number[] {
    const { bytes } = this.#window;
    const spans: number[] = [];
    if (acceptor.spans.length > 0) acceptor.spans.each((from, to) => spans.push(from, to));
    else if (this.#framing === 'lines') {
      for (let at = skipSpace(bytes, start, end); at < end; ) {
        const lineFeed = bytes.indexOf(LINE_FEED, at);
        const lineEnd = lineFeed < 0 || lineFeed > end ? end : lineFeed;
        spans.push(at, withoutSpace(bytes, at, lineEnd));
        at = skipSpace(bytes, lineEnd, end);
      }
    } else {
      const from = skipSpace(bytes, start, end);
      spans.push(from, withoutSpace(bytes, from, end));
    }
    return spans;
  }

  payload({ span, open }: CheckedPayload): undefined {
    this.#span = open ? null : span;
  }

  #add(verdict: Omit<PayloadResult, 'index' | 'text'>): void {
    const { bytes } = this.#window;
    const { start, end } = this.#span ?? { start: 0, end: 0 };
    const from = skipSpace(bytes, start, end);
    const text = bytes.toString('utf8', from, withoutSpace(bytes, from, end));
    this.#queue.push({ index: this.#index++, ...verdict, text });
    this.#violations = [];
    this.#span = null;
  }
}

/** The kinds of payloads that were accepted, one by one. */
function kindsOf(spans: readonly number[], bytes: Buffer, acceptor: Acceptor): string[] {
  const kinds: string[] = [];
  for (let i = 0; i < spans.length; i += 2)
    kinds.push(acceptor.kinds[acceptor.kindOfText(bytes, spans[i]!, spans[i + 1]!)]!); // it was accepted, so it has a kind
  // They were counted before.
  acceptor.takeCounts(() => {});
  return kinds;
}
