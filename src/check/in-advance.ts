/**
 * Elements of a large array that other threads accept in advance. A thread begins where it guesses that an element begins. What it found counts
 * only if the check of the source, which goes through the array from its beginning, arrives at the same place between two elements: from there
 * on it would find the same.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { FileState } from '../input/byte-reader.ts';
import type { Between } from '../input/elements.ts';
import { createElementCutter } from '../input/framing.ts';
import { LineTracker, type Place } from '../json/lines.ts';
import type { Flow } from './flow.ts';

/** Elements that were accepted one after another. */
export interface AcceptedElements {
  /** Offset in the source of the first one. */
  readonly from: number;
  /** Offset at which the next element begins or is expected, or of what follows the last one. */
  readonly to: number;
  /** See `AcceptRun`. */
  readonly afterElement: boolean;
  readonly payloads: number;
  /** Line and column of `to`, counted from `from`. */
  readonly place: Place;
}

/** What was accepted in advance in one source. */
export interface InAdvance {
  /** Offset in the source at which to call `take`; infinite: none is left. */
  readonly border: number;
  /**
   * The check has arrived at the border, or is past it; `atElement`: an element begins just there. Reports the elements that were accepted from
   * there on, and returns where the check goes on; null: there are none. Then the border is another one.
   */
  take(atElement: boolean): Promise<AcceptedElements | null>;
  close(): Promise<void>;
}

/** Begins to accept elements in advance. `from`: offset of the first byte that was not read. Null if it is not worth it. */
export type AdvanceMaker = (from: number, file: FileState, between: Between) => Promise<InAdvance | null>;

/** Those accepted so far, one after another. */
interface Run {
  readonly from: number;
  readonly lines: LineTracker;
  to: number;
  afterElement: boolean;
  payloads: number;
}

/**
 * Accepts the elements of an array in the window, which begins with one, to its end. `found` is called with each run of them, after their pieces
 * have been made. Elements that are unsure are passed over.
 */
export async function acceptElements(
  { window, options, outlet, sink }: Flow,
  acceptor: Acceptor,
  found: (elements: AcceptedElements) => void,
): Promise<void> {
  const cutter = createElementCutter(options);
  let run: Run | null = null;
  const extend = (to: number): void => {
    run!.lines.advance(window.bytes, window.base, window.base + to); // there is one
    run!.to = window.base + to;
  };
  const end = (): void => {
    if (run === null) return;
    const { from, to, afterElement, payloads, lines } = run;
    found({ from, to, afterElement, payloads, place: { line: lines.line, column: lines.column } });
    run = null;
  };
  acceptor.reset();
  outlet?.begin('json', acceptor);
  for (;;) {
    const mode = cutter.seek(window);
    const accepted = mode === null ? null : acceptor.run(window, mode);
    const { start, base } = window;
    if (accepted !== null && accepted.stop > start) {
      const { stop, afterElement } = accepted;
      run ??= { from: base + start, lines: new LineTracker(base + start, acceptor.counter), ...NOTHING };
      run.payloads += passOn(acceptor, { start, end: stop }, { outlet, sink });
      run.afterElement = afterElement;
      extend(stop);
      window.start = stop;
      cutter.passed(afterElement);
      if (accepted.full) continue;
    }
    // The bytes are not UTF-8.
    if (mode !== null && accepted === null) break;
    const cut = cutter.next(window);
    if (cut === 'payload') end();
    else if (cut !== 'more') break;
    else {
      if (run !== null && !run.afterElement) extend(window.start);
      outlet?.release();
      if (!(await window.more())) break;
    }
  }
  end();
  outlet?.end();
}

const NOTHING = { to: 0, afterElement: false, payloads: 0 };

/** Gives what was accepted to the sink and the outlet. Returns its number. */
function passOn(
  acceptor: Acceptor,
  span: { readonly start: number; readonly end: number },
  { outlet, sink }: Pick<Flow, 'outlet' | 'sink'>,
): number {
  let payloads = 0;
  acceptor.takeCounts((kind, count) => {
    payloads += count;
    sink.accepted(kind, count);
  });
  if (outlet === null) acceptor.dropGaps();
  else {
    const places = { index: 0, prefix: '', placesOf: () => new Map() };
    outlet.accepted({ span, payloads, lineFeeds: 0, kind: null, acceptor, ...places });
  }
  return payloads;
}
