/**
 * Accepts the elements in a chunk of a large array, in any thread; see `InAdvance`.
 */

import type { Acceptor } from '../accept/acceptor.ts';
import type { AcceptedElements, Flow } from '../check/flow.ts';
import { SourceError } from '../errors.ts';
import { type ElementRange, openElements } from '../input/elements.ts';
import { createElementCutter } from '../input/framing.ts';
import { createWaits } from '../input/window.ts';
import { LineTracker } from '../json/lines.ts';
import type { Source, Span } from '../types.ts';
import { freePieces } from './blocks.ts';
import type { Gathered, Gatherer } from './gather.ts';
import { flowOf, type PartContext } from './part.ts';

/** The least share of a chunk that its elements must cover: to report fewer costs as much as to accept them again. */
const LEAST_SHARE = 1 / 8;

/** Elements that were accepted, with their kinds and what the outlet has made of them. */
export interface ChunkElements extends AcceptedElements {
  readonly gathered: Gathered;
}

/**
 * Accepts the elements of a chunk, and empties the gatherer after each run of them. If the file cannot be read, it
 * returns none: the check of the source reports the error.
 */
export async function checkChunk(
  source: Source,
  range: ElementRange,
  context: PartContext,
  gatherer: Gatherer,
): Promise<readonly ChunkElements[]> {
  const { window, engines } = context;
  const elements: ChunkElements[] = [];
  const least = (range.to - range.from) * LEAST_SHARE;
  const found = (run: AcceptedElements): void => {
    const gathered = gatherer.take();
    if (run.to - run.from >= least) elements.push({ ...run, gathered });
    else freePieces(gathered);
  };
  try {
    const reader = openElements(source.path!, range); // only files have chunks
    try {
      if (reader !== null) {
        window.reset(reader, reader.start);
        const flow = flowOf(source, context, gatherer);
        await acceptElements(flow, await engines.acceptor(source.kind), found);
      }
    } finally {
      await reader?.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  // The last ones, if the file could not be read to its end.
  freePieces(gatherer.take());
  return elements;
}

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
async function acceptElements(
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
    outlet?.release?.();
    return window.more();
  };
  const waits = createWaits(window);
  acceptor.reset();
  outlet?.begin?.('json', acceptor);
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
  outlet?.end?.();
}

const NOTHING = { to: 0, afterElement: false, payloads: 0 };

/** Passes what was accepted to the sink and the outlet. Returns the number of payloads. */
function passOn(acceptor: Acceptor, span: Span, { outlet, sink }: Pick<Flow, 'outlet' | 'sink'>): number {
  let payloads = 0;
  acceptor.takeCounts((kind, count) => {
    payloads += count;
    sink.accepted?.(kind, count);
  });
  if (outlet === null) acceptor.dropGaps();
  else {
    const places = { index: 0, prefix: '', placesOf: () => new Map() };
    const told = outlet.accepted({ span, payloads, lineFeeds: 0, kind: null, acceptor, ...places });
    for (const _ of told ?? []); // all steps at once: the output goes to the memory of this thread
  }
  return payloads;
}
