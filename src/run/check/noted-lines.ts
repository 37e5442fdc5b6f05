/** Reports the violations of payloads on lines of their own that were noted from the bytes, many payloads at once. */
import type { Acceptor, NotedRows, NotedStatement } from '../../engine/compile/acceptor.ts';
import { INDEX, KIND, LINE_FEEDS, PAYLOAD_START } from '../../engine/compile/output.ts';
import { ascending } from '../../engine/judge/fault.ts';
import type { LineTracker } from '../../json/lines.ts';
import { LINE_FEED } from '../../json/skip.ts';
import type { Window } from '../../source/window.ts';
import type { Hidden, ViolationPlace } from '../../types.ts';
import type { Sink } from '../outlets/sink.ts';
import type { Steps } from './flow.ts';

/** The source that the lines belong to. */
export interface LinesSource {
  readonly file: string;
  readonly window: Window;
  /** Counted up to the window's start. */
  readonly lines: LineTracker;
  /** It has noted violations. */
  readonly reader: Acceptor;
  readonly sink: Sink;
}

/** Takes a violation; `place` is used again after the call. Returns whether the sink has to be flushed. */
export type Take = (noted: NotedStatement, place: ViolationPlace) => boolean;

/**
 * Reports the invalid payloads that the last run of the acceptor has noted, from the window's start on, where payload
 * `index` begins. `take` receives the violations; null: they are only counted. Returns the number of payloads.
 */
export function* reportNoted(source: LinesSource, index: number, take: Take | null): Steps<number> {
  const { reader, sink } = source;
  const notes = reader.notes!;
  const rows = reader.noted!;
  const { payloads, kinds } = notes;
  const report = take === null ? hide(rows, sink) : show(rows, source, index, take);
  for (let i = 0, from = 0; i < payloads.length; i++) {
    const kind = kinds[payloads.number(i, KIND)] ?? null;
    const to = notes.rowsEnd(i);
    if (kind !== null && from === to) sink.emit({ type: 'accepted', kind, count: 1 });
    else {
      const isFull = report(i, from, to);
      sink.emit({ type: 'payload', kind, valid: false });
      if (isFull || (i % PAYLOADS_PER_READING === 0 && sink.isDue)) yield sink.flush();
    }
    from = to;
  }
  return payloads.length;
}

/** Payloads between two looks at the clock. */
const PAYLOADS_PER_READING = 64;
const ONLY = [0];

/** Reports the rows [from, to) of payload `i` of those that were noted. Returns whether the sink has to be flushed. */
type ReportRows = (i: number, from: number, to: number) => boolean;

/** Counts the violations. */
function hide(rows: NotedRows, sink: Sink): ReportRows {
  return (_, from, to) => {
    const hidden: Hidden[] = [];
    for (let row = from; row < to; row++) hidden.push(rows.hiddenAt(row));
    // In order of their rules, as examine returns them.
    if (hidden.length > 1) hidden.sort(byRule);
    for (const { rule, fixable } of hidden) sink.emit({ type: 'hidden', rule, count: 1, fixable: Number(fixable) });
    return false;
  };
}

function byRule(a: Hidden, b: Hidden): number {
  if (a.rule !== b.rule) return a.rule < b.rule ? -1 : 1;
  return Number(a.fixable) - Number(b.fixable);
}

/** Shows the violations. `index`: of the first payload. */
function show(rows: NotedRows, { file, window, lines, reader }: LinesSource, index: number, take: Take): ReportRows {
  const { bytes, base, start } = window;
  const { payloads } = reader.notes!;
  const { counter } = reader;
  const place = { file, payload: 0, line: 0, column: 0, endLine: 0, endColumn: 0, offset: 0 };
  return (i, from, to) => {
    const lineFeeds = payloads.number(i, LINE_FEEDS);
    const lineStart = lineStartBefore(bytes, payloads.get(i, PAYLOAD_START), start);
    // The first line may have begun before the window's start.
    const firstColumn = lineFeeds === 0 ? lines.column : 1;
    place.payload = index + payloads.number(i, INDEX);
    place.line = lines.line + lineFeeds;
    place.endLine = place.line;
    const statementOf = rows.statements(bytes, i);
    const order = to - from === 1 ? ONLY : ascending(to - from, (k) => rows.placeOf(from + k));
    let isFull = false;
    for (const k of order) {
      const { start, end } = rows.spanOf(from + k);
      place.column = firstColumn + counter.codeUnits(lineStart, start);
      place.endColumn = place.column + counter.codeUnits(start, end);
      place.offset = base + start;
      isFull = take(statementOf(from + k), place) || isFull;
    }
    return isFull;
  };
}

/** Where the line of the payload at `at` begins, but not before `from`. Nothing but white space is before the payload. */
function lineStartBefore(bytes: Buffer, at: number, from: number): number {
  let start = at;
  while (start > from && bytes[start - 1] !== LINE_FEED) start--;
  return start;
}
