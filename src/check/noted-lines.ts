/**
 * Reads payloads on lines of their own, valid and invalid, and reports their violations from the bytes, many at once.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import { ACCEPTED_BEFORE, KIND, LINE_FEEDS, LINE_START } from '../accept/noter.ts';
import type { NotedStatement, NoteTaker } from '../examine/noted.ts';
import { ascending } from '../examine/records.ts';
import type { Window } from '../input/window.ts';
import type { LineTracker } from '../json/lines.ts';
import type { Hidden, ViolationPlace } from '../types.ts';
import type { Sink, Steps } from './flow.ts';

/** The source that the lines belong to. */
export interface LinesSource {
  readonly file: string;
  readonly window: Window;
  readonly lines: LineTracker;
  readonly acceptor: Acceptor;
  readonly sink: Sink;
}

/** Takes a violation; `place` is used again after the call. Returns false if the sink has to be flushed. */
export type Take = (noted: NotedStatement, place: ViolationPlace) => boolean;

/**
 * Reads from the window's start, where payload `index` begins, and moves the start. `take` receives the violations;
 * null: they are only counted. Take the acceptor's counts before. Returns the number of payloads; 0 if nothing is
 * certain about the first.
 */
export function* passNoted(
  taker: NoteTaker,
  source: LinesSource,
  index: number,
  take: Take | null,
): Steps<number> {
  const { window, lines, acceptor, sink } = source;
  const { start, base, bytes } = window;
  const { stop, lineFeeds } = taker.lines(window);
  if (stop === start) return 0;
  let count = taker.payloads.length;
  acceptor.takeCounts((kind, payloads) => {
    sink.accepted?.(kind, payloads);
    count += payloads;
  });
  lines.advance(bytes, base, base + start);
  const report = take === null ? hide(taker, sink) : show(taker, source, index, take);
  const { payloads, kinds } = taker;
  for (let i = 0, from = 0; i < payloads.length; i++) {
    const kind = kinds[payloads.number(i, KIND)] ?? null;
    const to = taker.rowsEnd(i);
    if (kind !== null && from === to) sink.accepted?.(kind, 1);
    else {
      const hasRoom = report(i, from, to);
      sink.payload(kind, false);
      if (!hasRoom) yield sink.flush();
    }
    from = to;
  }
  if (lineFeeds > 0) lines.jump(base + bytes.lastIndexOf(LINE_FEED, stop - 1) + 1, lineFeeds);
  window.start = stop;
  return count;
}

const LINE_FEED = 0x0a;
const ONLY = [0];

/** Reports the rows [from, to) of payload `i` of those that were noted. Returns false if the sink has to be flushed. */
type Report = (i: number, from: number, to: number) => boolean;

/** Counts the violations. */
function hide(taker: NoteTaker, sink: Sink): Report {
  return (_, from, to) => {
    const hidden: Hidden[] = [];
    for (let row = from; row < to; row++) hidden.push(taker.hiddenAt(row));
    // In order of their rules, as examine returns them.
    if (hidden.length > 1) hidden.sort(byRule);
    for (const one of hidden) sink.hidden?.(one);
    return true;
  };
}

function byRule(a: Hidden, b: Hidden): number {
  if (a.rule !== b.rule) return a.rule < b.rule ? -1 : 1;
  return Number(a.fixable) - Number(b.fixable);
}

/** Shows the violations. `index`: of the first payload. */
function show(
  taker: NoteTaker,
  { file, window, lines, acceptor }: LinesSource,
  index: number,
  take: Take,
): Report {
  const { bytes, base } = window;
  const { payloads } = taker;
  const { counter } = acceptor;
  const place = { file, payload: 0, line: 0, column: 0, endLine: 0, endColumn: 0, offset: 0 };
  return (i, from, to) => {
    const lineFeeds = payloads.number(i, LINE_FEEDS);
    const lineStart = payloads.get(i, LINE_START);
    // The first line may have begun before the window's start.
    const firstColumn = lineFeeds === 0 ? lines.column : 1;
    place.payload = index + i + payloads.number(i, ACCEPTED_BEFORE);
    place.line = lines.line + lineFeeds;
    place.endLine = place.line;
    const statementOf = taker.statements(bytes, i);
    const order = to - from === 1 ? ONLY : ascending(to - from, (k) => taker.placeOf(from + k));
    let hasRoom = true;
    for (const k of order) {
      const { start, end } = taker.spanOf(from + k);
      place.column = firstColumn + counter.codeUnits(lineStart, start);
      place.endColumn = place.column + counter.codeUnits(start, end);
      place.offset = base + start;
      hasRoom = take(statementOf(from + k), place) && hasRoom;
    }
    return hasRoom;
  };
}
