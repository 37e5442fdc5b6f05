/**
 * A violation as one JSON object, its fields in the order of the contract: the common part of the JSON formats.
 * It is written once for each of possibly millions of violations, so the words that are repeated
 * (kind, pointer, rule, schema) are escaped once and kept: twice as fast as JSON.stringify of the whole.
 */
import type { Statement } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import type { Template } from './template.ts';

const REMEMBERED = 1000;

/** The template of objects with `before` before the first member. `end`: after the object. */
export function recordTemplate(before: string, end: string): Template {
  return {
    head: (file) => `${before}"file":${jsonText(file)},"payload":`,
    numbers: [
      ['payload', ',"line":'],
      ['line', ',"column":'],
      ['column', ',"endLine":'],
      ['endLine', ',"endColumn":'],
      ['endColumn', ',"offset":'],
      ['offset', ''],
    ],
    form: 'record',
    text: createRecord(),
    end,
  };
}

/** @returns a function that gives the members after those of the place, and the brace at the end */
export function createRecord(): (statement: Statement) => string {
  const word = createWord();
  return (v) =>
    `,"kind":${word(v.kind)}` +
    `,"severity":"${v.severity}","pointer":${word(v.pointer)},"rule":${word(v.rule)},"message":${jsonText(v.message)}` +
    `,"params":${jsonText(v.params)},"schema":${word(v.schema)},"fixable":${v.fixable}` +
    (v.fix === undefined ? '' : `,"fix":"${v.fix}"`) +
    (v.suggestion === undefined ? '' : `,"suggestion":${jsonText(v.suggestion)}`) +
    (v.reject === undefined ? '' : `,"reject":${v.reject}`) +
    `${v.children === undefined ? '' : `,"children":${jsonText(v.children)}`}}`;
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
