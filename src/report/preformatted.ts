/**
 * Violations drawn as `ndjson` by a thread that does not know how many payloads and lines come before its part of the source. The
 * numbers that depend on it are marked, and corrected by the main thread: far less work than sending objects.
 */
import type { Violation } from '../types.ts';
import { placeOfFirst } from '../words/facts.ts';
import { createRecord } from './record.ts';

/** The JSON formats write no raw control characters, so these are unambiguous. */
const PAYLOAD = '\u0001';
const LINE = '\u0002';
const END = '\u0003';

/** @returns a function that gives a violation's line of `ndjson`, its payload and lines marked */
export function createMarkedRecord(): (violation: Violation) => string {
  const record = createRecord();
  return (violation) => {
    const { payload, line, endLine } = violation;
    const marked = {
      ...violation,
      payload: `${PAYLOAD}${payload}${END}`,
      line: `${LINE}${line}${END}`,
      endLine: `${LINE}${endLine}${END}`,
    };
    const text = `{"type":"violation",${record(marked)}}\n`;
    const first = placeOfFirst(violation);
    return first === null ? text : markFirst(text, first.line);
  };
}

/** `params.first` is the only place within params: `"first":{"line":3,…`. */
function markFirst(text: string, line: number): string {
  return text.replace(`"first":{"line":${line},`, `"first":{"line":${LINE}${line}${END},`);
}

/** The text with `payloads` and `lines` that come before it counted in. */
export function settle(text: string, payloads: number, lines: number): string {
  const pieces = text.split(END);
  const last = pieces.length - 1;
  // Every piece but the last ends with a mark and digits, a few characters at most.
  for (let i = 0; i < last; i++) {
    const piece = pieces[i]!;
    let mark = piece.length - 1;
    while (piece.charCodeAt(mark) >= 0x30) mark--;
    const before = piece[mark] === PAYLOAD ? payloads : lines;
    pieces[i] = piece.slice(0, mark) + (Number(piece.slice(mark + 1)) + before);
  }
  return pieces.join('');
}
