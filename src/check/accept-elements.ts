/**
 * Accepts the elements of a part of a large array; see `in-advance.ts`.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import { createElementCutter } from '../input/framing.ts';
import { createWaits } from '../input/window.ts';
import { LineTracker } from '../json/lines.ts';
import type { Span } from '../types.ts';
import type { Flow } from './flow.ts';
import type { AcceptedElements } from './in-advance.ts';

/** The elements accepted so far, one after another. */
interface Run {
  readonly from: number;
  readonly lines: LineTracker;
  to: number;
  afterElement: boolean;
  payloads: number;
}

/**
 * Accepts the elements of an array from the window's start, where one begins, to its end. `found` is called with each
 * run of them, once its output pieces are made. Elements that are unsure are skipped.
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
  const more = (): Promise<boolean> | boolean => {
    if (run !== null && !run.afterElement) extend(window.start);
    outlet?.release();
    return window.more();
  };
  const waits = createWaits(window);
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
    if (mode !== null && waits()) {
      await more();
      continue;
    }
    const cut = cutter.next(window);
    if (cut === 'payload') end();
    else if (cut !== 'more' || !(await more())) break;
  }
  end();
  outlet?.end();
}

const NOTHING = { to: 0, afterElement: false, payloads: 0 };

/** Passes what was accepted to the sink and the outlet. Returns the number of payloads. */
function passOn(acceptor: Acceptor, span: Span, { outlet, sink }: Pick<Flow, 'outlet' | 'sink'>): number {
  let payloads = 0;
  acceptor.takeCounts((kind, count) => {
    payloads += count;
    sink.accepted(kind, count);
  });
  if (outlet === null) acceptor.dropGaps();
  else {
    const places = { index: 0, prefix: '', placesOf: () => new Map() };
    const told = outlet.accepted({ span, payloads, lineFeeds: 0, kind: null, acceptor, ...places });
    for (const _ of told ?? []); // all steps at once: the output goes to the memory of this thread
  }
  return payloads;
}
