/**
 * A part of a file that is too large for the editor: the lines around a place.
 */
import { LINE_FEED } from '../../json/skip.ts';
import type { RowData } from '../../report/html-data.ts';
import type { Range } from './editor.ts';

/** Bytes before and after the place. */
const AROUND = 100_000;

export interface Part {
  readonly text: string;
  readonly firstLine: number;
  /** Lines that are shown. */
  readonly lines: number;
  /** Where violations are in the text: those that begin in it. */
  readonly placed: (rows: readonly RowData[]) => Map<RowData, Range>;
}

/** `offset`: in bytes, on the line with this number. */
export async function partOf(file: Blob, offset: number, line: number): Promise<Part> {
  const start = Math.max(0, offset - AROUND);
  const bytes = new Uint8Array(await file.slice(start, offset + AROUND).arrayBuffer());
  const place = offset - start;
  // From the beginning of a line or, in a long one, of a character, to the end of a line.
  let first = 0;
  if (start > 0) {
    first = bytes.indexOf(LINE_FEED) + 1;
    if (first === 0 || first > place) for (first = 0; isContinuation(bytes[first]); ) first++;
  }
  let end = bytes.length;
  if (start + end < file.size) {
    const last = bytes.lastIndexOf(LINE_FEED) + 1;
    if (last > place) end = last;
    else while (isContinuation(bytes[end])) end--;
  }
  const decoded = (from: number, to: number): string =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from, to)).replace(/\r\n?/g, '\n');
  const text = decoded(first, end);
  const firstLine = line - (decoded(first, place).split('\n').length - 1);
  return {
    text,
    firstLine,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    placed: (rows) => {
      const found = new Map<RowData, Range>();
      let [at, units] = [first, 0];
      for (const row of [...rows].sort((a, b) => a.offset - b.offset)) {
        const begin = row.offset - start;
        if (begin < first || begin >= end) continue;
        units += decoded(at, begin).length;
        at = begin;
        const next = text.indexOf('\n', units);
        const lineEnd = next < 0 ? text.length : next;
        const width = row.endLine > row.line ? lineEnd : units + row.endColumn - row.column;
        found.set(row, { from: units, to: Math.min(width, lineEnd) });
      }
      return found;
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
