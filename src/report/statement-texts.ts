/** What statements say, as formats write it: made into text once for all violations that share a statement. */

import { messageText, placeAt, statementAt } from '../log/violation-table.ts';
import type { Severity, Statement, ViolationPlace, ViolationsEvent, ViolationTable } from '../types.ts';
import { jsonText, quote, visible } from '../words/escape.ts';
import { commandData, commandProperty } from '../words/markup.ts';
import { type Palette, pointerText } from './paint.ts';
import { childLines, withHelp } from './violation.ts';

/** The text after the place in the format `line`. */
export function lineText(
  statement: Pick<Statement, 'rule' | 'severity' | 'message' | 'suggestion' | 'authorMessage'>,
  colours: Pick<Palette, 'rule' | 'help'>,
): string {
  const { rule, severity, suggestion } = statement;
  const mark = severity === 'warning' ? 'warning: ' : '';
  const help = suggestion === undefined ? '' : `; did you mean ${colours.help(quote(suggestion))}?`;
  return `: ${mark}${colours.rule(visible(rule))} ${visible(messageText(statement))}${help}`;
}

/** The text after the place in a workflow command. */
export function commandText(
  statement: Pick<Statement, 'rule' | 'pointer' | 'message' | 'suggestion' | 'authorMessage' | 'children'>,
): string {
  const { rule, pointer, children } = statement;
  const tail = commandTail(rule, `${pointerText(pointer)}: ${withHelp(statement)}`);
  return children === undefined ? tail : [tail, ...childLines({ children }).map(commandData)].join(LINE_END);
}

/** In the message of a workflow command. */
const LINE_END = '%0A';

/** The title and the message of a workflow command. */
export function commandTail(subject: string, message: string): string {
  return `,title=${commandProperty(`paylint: ${subject}`)}::${commandData(message)}`;
}

/**
 * A violation as one JSON object is written once for each of possibly millions of violations. So the words that are repeated
 * (kind, pointer, rule, schema) are escaped once and kept: twice as fast as JSON.stringify of the whole. This many are kept.
 */
const REMEMBERED_STATEMENTS = 1000;

/** Objects with `before` before the first member, and `end` after the object. */
export function recordFormat(before: string, end: string): RowFormat {
  const fileText = createWord();
  const word = createWord();
  return {
    // The members after those of the place, and the brace at the end.
    text: (v) =>
      `,"kind":${word(v.kind)}` +
      `,"severity":"${v.severity}","pointer":${word(v.pointer)},` +
      (v.pattern === undefined ? '' : `"pattern":${word(v.pattern)},`) +
      `"rule":${word(v.rule)},"message":${jsonText(v.message)}` +
      `,"params":${jsonText(v.params)},"schema":${word(v.schema)},"fixable":${v.fixable}` +
      (v.fix === undefined ? '' : `,"fix":"${v.fix}"`) +
      (v.suggestion === undefined ? '' : `,"suggestion":${jsonText(v.suggestion)}`) +
      (v.misspelt === undefined ? '' : `,"misspelt":${jsonText(v.misspelt)}`) +
      (v.reason === undefined ? '' : `,"reason":${jsonText(v.reason)}`) +
      (v.authorMessage === undefined ? '' : `,"authorMessage":${jsonText(v.authorMessage)}`) +
      (v.reject === undefined ? '' : `,"reject":${v.reject}`) +
      `${v.children === undefined ? '' : `,"children":${jsonText(v.children)}`}}`,
    row: ({ file, payload, line, column, endLine, endColumn, offset }, text) =>
      `${before}"file":${fileText(file)},"payload":${payload},"line":${line},"column":${column},"endLine":${endLine},` +
      `"endColumn":${endColumn},"offset":${offset}${text}${end}`,
  };
}

function createWord(): (text: string | null) => string {
  const words = new Map<string | null, string>();
  return (text) => {
    let written = words.get(text);
    if (written === undefined) {
      if (words.size >= REMEMBERED_STATEMENTS) words.clear();
      written = jsonText(text);
      words.set(text, written);
    }
    return written;
  };
}

/** How a format writes a violation. */
export interface RowFormat {
  readonly text: (statement: Statement, file: string) => string;
  /** The whole violation, with this text and its place. */
  readonly row: (place: ViolationPlace, text: string, severity: Severity) => string;
}

/** Creates the function that writes the violations of an event. */
export function createRowWriter({ text, row }: RowFormat): (event: ViolationsEvent) => string {
  let present: ViolationTable | null = null;
  let texts: string[] = [];
  return ({ table, from, to, before }) => {
    if (table !== present) {
      present = table;
      texts = table.statements.map((_, index) => text(statementAt(table, index, before), table.file));
    }
    let written = '';
    for (let i = from; i < to; i++) {
      const { place, index } = placeAt(table, i, before);
      written += row(place, texts[index]!, table.statements[index]!.severity);
    }
    return written;
  };
}
