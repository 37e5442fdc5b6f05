/**
 * Where in a file a violation is, for the strip that shows it: by lines, or by payloads if there are many of them on a line.
 */

import type { RowData } from '../report/html-data.ts';
import type { SourceCounts } from '../types.ts';
import type { Model } from './model.ts';

export interface Axis {
  readonly unit: 'line' | 'payload';
  /** Lines or payloads of the file. */
  readonly length: number;
  /** The file has about that many: reports do not say how many lines a file has. */
  readonly estimated: boolean;
}

/** From 1. */
export function placeOn({ unit }: Axis, row: RowData): number {
  return unit === 'line' ? row.line : row.payload + 1;
}

/** The axis of each file that has violations. */
export function axesOf({ rows, sources }: Model): Map<string, Axis> {
  const last = new Map<string, { line: number; payload: number }>();
  for (const { file, endLine, payload } of rows) {
    const seen = last.get(file);
    if (seen === undefined) last.set(file, { line: endLine, payload });
    else {
      seen.line = Math.max(seen.line, endLine);
      seen.payload = Math.max(seen.payload, payload);
    }
  }
  return new Map([...last].map(([file, { line, payload }]) => [file, axisOf(line, payload, sources.get(file))]));
}

function axisOf(line: number, payload: number, source: SourceCounts | undefined): Axis {
  const payloads = Math.max(payload + 1, source?.payloads ?? 0);
  if (line <= payload / 2) return { unit: 'payload', length: payloads, estimated: false };
  // As many lines for each payload after the last violation as before it.
  const lines = Math.round((line / (payload + 1)) * payloads);
  return { unit: 'line', length: Math.max(line, lines), estimated: lines > line };
}
