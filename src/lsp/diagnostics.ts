/**
 * Violations as diagnostics: rule, message, severity and range are those of the `ndjson` report.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  type Range,
} from 'vscode-languageserver';
import { LineTracker } from '../json/lines.ts';
import { locate } from '../json/locate.ts';
import type { Paylint } from '../library/api.ts';
import { said } from '../report/violation-table.ts';
import { SHOWN_OF_OTHER_FRAMING } from '../run/check/source.ts';
import type { Violation } from '../types.ts';
import { type JudgedDocument, type KnownLine, payloadsIn } from './judgement.ts';
import type { LineText } from './line-text.ts';

/** Diagnostics of one document. */
const MOST = 1000;

export interface DiagnosticsView {
  readonly uri: string;
  /** The schemas are in the folders of its kinds. */
  readonly paylint: Paylint;
  /** The client shows related places. */
  readonly related: boolean;
  /** The text clearly has another framing than its name says: all violations have that cause, and the first ones are enough. */
  readonly isOther: boolean;
}

/**
 * At most 1,000; the last one says how many more there are. Null: violations that must be shown were only counted; they
 * have to be judged again.
 */
export function diagnosticsOf(document: JudgedDocument, shown: DiagnosticsView): Diagnostic[] | null {
  const all: Diagnostic[] = [];
  let count = 0;
  for (const placed of payloadsIn(document, 'invalid')) {
    const { found, offset } = placed;
    count += found.count;
    if (all.length >= MOST) continue;
    if (found.violations.length < found.count) {
      if (placed.line === null) return null;
      document.text.setKnown(placed.line, null);
      return null;
    }
    for (const violation of found.violations) all.push(diagnosticOf(violation, offset, document.text, shown));
  }
  if (shown.isOther) return all.slice(0, SHOWN_OF_OTHER_FRAMING);
  if (count <= MOST) return all;
  const last = all[MOST - 1]!;
  const more = count - MOST + 1;
  const message = `${more} more violations are not shown; paylint validate lists them all`;
  return [...all.slice(0, MOST - 1), { range: last.range, severity: last.severity!, source: 'paylint', message }];
}

function diagnosticOf(
  violation: Violation,
  offset: number,
  text: LineText<KnownLine>,
  shown: DiagnosticsView,
): Diagnostic {
  const { rule, severity } = violation;
  const related = shown.related ? relatedOf(violation, offset, text, shown) : [];
  return {
    range: rangeOf(violation, offset, text),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: rule,
    source: 'paylint',
    message: said(violation),
    ...(rule === 'deprecated' ? { tags: [DiagnosticTag.Deprecated] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

/** `offset`: to be added to its lines. */
export function rangeOf(violation: Violation, offset: number, text: LineText<KnownLine>): Range {
  const { line, column, endLine, endColumn } = violation;
  return {
    start: text.position(line + offset, column - 1),
    end: text.position(endLine + offset, endColumn - 1),
  };
}

function relatedOf(
  { rule, params }: Violation,
  offset: number,
  text: LineText<KnownLine>,
  { uri, paylint }: DiagnosticsView,
): DiagnosticRelatedInformation[] {
  if (rule === 'duplicate-member') {
    const { line, column } = params.first;
    const from = column - 1;
    const name = /^"(?:[^"\\]|\\.)*"/.exec(text.line(line + offset)?.slice(from) ?? '')?.[0] ?? '';
    const start = text.position(line + offset, from);
    const end = text.position(line + offset, from + name.length);
    return [{ location: { uri, range: { start, end } }, message: 'the first member of this name' }];
  }
  const closest = 'closest' in params ? params.closest : undefined;
  const location = typeof closest === 'string' ? schemaLocation(closest, paylint) : null;
  return location === null ? [] : [{ location, message: `the closest alternative, ${closest}` }];
}

/** Of a schema by its file and pointer, in the folder of one of the kinds. Null if it is not there. */
function schemaLocation(place: string, { kinds }: Paylint): DiagnosticRelatedInformation['location'] | null {
  const hash = place.indexOf('#');
  const folders = new Set(kinds.map(({ schema }) => join(schema, '..')));
  for (const folder of folders) {
    const path = join(folder, place.slice(0, hash));
    const range = rangeIn(path, place.slice(hash + 1));
    if (range !== null) return { uri: pathToFileURL(path).href, range };
  }
  return null;
}

/** Of the value that `pointer` leads to in a JSON file; null if there is none. */
function rangeIn(path: string, pointer: string): Range | null {
  try {
    const bytes = readFileSync(path);
    const found = locate(bytes, 0, bytes.length, [pointer]).get(pointer)?.value;
    if (found === undefined) return null;
    const places = new LineTracker(0).places(bytes, 0, [found.start, found.end]);
    const at = (offset: number) => {
      const { line, column } = places.get(offset)!; // requested above
      return { line: line - 1, character: column - 1 };
    };
    return { start: at(found.start), end: at(found.end) };
  } catch {
    return null; // it cannot be read
  }
}
