/**
 * A violation as one JSON object, its fields in the order of the contract: the common part of the JSON formats.
 * It is written once for each of possibly millions of violations, so the words that are repeated
 * (file, kind, rule, schema) are escaped once and kept: twice as fast as JSON.stringify of the whole.
 */
import type { Said, Violation } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import type { NotedTemplate } from './noted.ts';

const REMEMBERED = 1000;

/** @returns a function that gives the members of a violation's object, without the braces around them */
export function createRecord(): (violation: Violation) => string {
  const said = createSaid();
  const file = createWord();
  return (v) =>
    `"file":${file(v.file)},"payload":${v.payload},"line":${v.line},"column":${v.column}` +
    `,"endLine":${v.endLine},"endColumn":${v.endColumn},"offset":${v.offset},${said(v)}`;
}

/** The members before the first number. */
export function recordHead(file: string): string {
  return `"file":${jsonText(file)},"payload":`;
}

/** The numbers, as `createRecord` writes them. */
export const RECORD_NUMBERS: NotedTemplate['numbers'] = [
  ['payload', ',"line":'],
  ['line', ',"column":'],
  ['column', ',"endLine":'],
  ['line', ',"endColumn":'],
  ['endColumn', ',"offset":'],
  ['offset', ''],
];

/** @returns a function that gives the members after those of the place */
export function createSaid(): (said: Said) => string {
  const word = createWord();
  return (v) =>
    `"kind":${word(v.kind)}` +
    `,"severity":"${v.severity}","pointer":${word(v.pointer)},"rule":${word(v.rule)},"message":${jsonText(v.message)}` +
    `,"params":${jsonText(v.params)},"schema":${word(v.schema)},"fixable":${v.fixable}` +
    (v.fix === undefined ? '' : `,"fix":"${v.fix}"`) +
    (v.suggestion === undefined ? '' : `,"suggestion":${jsonText(v.suggestion)}`) +
    (v.reject === undefined ? '' : `,"reject":${v.reject}`) +
    (v.children === undefined ? '' : `,"children":${jsonText(v.children)}`);
}

function createWord(): (text: string | null) => string {
  const words = new Map<string | null, string>();
  return (text) => {
    let written = words.get(text);
    if (written === undefined) {
      if (words.size >= REMEMBERED) words.clear();
      written = jsonText(text);
      words.set(text, written);
    }
    return written;
  };
}
