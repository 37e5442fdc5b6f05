/**
 * Reads payloads on lines of their own, valid and invalid, and reports what is wrong with them from their bytes, many at once.
 */
import { KIND, LINE_FEEDS, LINE_START, PAYLOAD_START } from '../accept/noter.ts';
import { ascending } from '../examine/ascending.ts';
import type { NoteTaker } from '../examine/noted.ts';
import type { Window } from '../input/window.ts';
import type { LineTracker, TextCounter } from '../json/lines.ts';
import type { Hidden, NotedPlace } from '../types.ts';
import type { NotedSink, Sink } from './sink.ts';

/** The source that the lines belong to. */
export interface LinesSource {
  readonly file: string;
  readonly window: Window;
  readonly lines: LineTracker;
  readonly counter: TextCounter;
  readonly sink: Sink;
}

/**
 * Reads from the window's start, where payload `index` begins, and moves it. `noted` takes the violations; null: they are only counted.
 */
export function passNoted(
  taker: NoteTaker,
  source: LinesSource,
  index: number,
  noted: NotedSink | null,
): PassedLines {
  const { window, lines } = source;
  const { start, base, bytes } = window;
  const { payloads } = taker;
  const read = taker.lines(window);
  if (payloads.length === 0) return { count: 0, isFull: false };
  lines.advance(bytes, base, base + start);
  const count = noted === null ? hide(taker, source.sink) : show(taker, source, index, noted);
  const isFull = count < payloads.length;
  const stop = isFull ? payloads.get(count, PAYLOAD_START) : read.stop;
  const lineFeeds = isFull ? payloads.number(count, LINE_FEEDS) : read.lineFeeds;
  if (lineFeeds > 0) lines.jump(base + bytes.lastIndexOf(LINE_FEED, stop - 1) + 1, lineFeeds);
  window.start = stop;
  return { count, isFull };
}

/** What was read. */
export interface PassedLines {
  /** Number of payloads; 0 if nothing is certain about the first. */
  readonly count: number;
  /** The sink has to be flushed before it takes more. */
  readonly isFull: boolean;
}

const LINE_FEED = 0x0a;
const ONLY = [0];

/** Counts the violations. Returns the number of payloads. */
function hide(taker: NoteTaker, sink: Sink): number {
  return eachPayload(taker, sink, (_, from, to) => {
    const hidden: Hidden[] = [];
    for (let row = from; row < to; row++) hidden.push(taker.hiddenAt(row));
    // They come by rule, as they do from examine.
    if (hidden.length > 1) hidden.sort(byRule);
    for (const one of hidden) sink.hidden(one);
    return true;
  });
}

function byRule(a: Hidden, b: Hidden): number {
  if (a.rule !== b.rule) return a.rule < b.rule ? -1 : 1;
  return Number(a.fixable) - Number(b.fixable);
}

/** Reports the violations. `index`: of the first payload. Returns the number of payloads. */
function show(
  taker: NoteTaker,
  { file, window, lines, counter, sink }: LinesSource,
  index: number,
  noted: NotedSink,
): number {
  const { bytes, base } = window;
  const { payloads } = taker;
  const place: NotedPlace = { file, payload: 0, line: 0, column: 0, endColumn: 0, offset: 0 };
  return eachPayload(taker, sink, (i, from, to) => {
    const lineFeeds = payloads.number(i, LINE_FEEDS);
    const lineStart = payloads.get(i, LINE_START);
    // The first line may have begun before the window's start.
    const firstColumn = lineFeeds === 0 ? lines.column : 1;
    place.payload = index + i;
    place.line = lines.line + lineFeeds;
    const statementOf = taker.statements(bytes, i);
    const order = to - from === 1 ? ONLY : ascending(to - from, (k) => taker.placeOf(from + k));
    let hasRoom = true;
    for (const k of order) {
      const { start, end } = taker.spanOf(from + k);
      place.column = firstColumn + counter.codeUnits(lineStart, start);
      place.endColumn = place.column + counter.codeUnits(start, end);
      place.offset = base + start;
      hasRoom = noted(statementOf(from + k), place);
    }
    return hasRoom;
  });
}

/**
 * Counts the payloads. Before that, calls `report` with the number of each invalid one and its rows [from, to), until it returns false. Returns the
 * number of payloads.
 */
function eachPayload(
  taker: NoteTaker,
  sink: Sink,
  report: (i: number, from: number, to: number) => boolean,
): number {
  const { payloads, kinds } = taker;
  for (let i = 0, from = 0; i < payloads.length; i++) {
    const kind = kinds[payloads.number(i, KIND)] ?? null;
    const to = taker.rowsEnd(i);
    if (kind !== null && from === to) sink.accepted(kind, 1);
    else {
      const hasRoom = report(i, from, to);
      sink.payload(kind, false);
      if (!hasRoom) return i + 1;
    }
    from = to;
  }
  return payloads.length;
}
