/**
 * What statements say, in the forms in which formats write it. The thread that finds violations makes these texts.
 */
import type { Statement, StatementTexts, TextForm } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { commandData, commandProperty } from '../words/markup.ts';
import { childLines } from './children.ts';
import { type Paint, pointerText } from './paint.ts';
import { createRecord } from './record.ts';

/** The texts of some forms. */
export function textsOf(forms: readonly TextForm[]): StatementTexts[] {
  const makers = { record: createRecord(), line: saidInLine, command: saidInCommand };
  return forms.map((form) => ({ form, make: (statement) => makers[form](statement) }));
}

interface LineColours {
  readonly rule: Paint;
  readonly help: Paint;
}

const NO_COLOURS: LineColours = { rule: String, help: String };

/** The text after the place in the format `line`. */
export function saidInLine(
  { rule, severity, message, suggestion }: Pick<Statement, 'rule' | 'severity' | 'message' | 'suggestion'>,
  colours = NO_COLOURS,
): string {
  const mark = severity === 'warning' ? 'warning: ' : '';
  const help = suggestion === undefined ? '' : `; did you mean ${colours.help(quote(suggestion))}?`;
  return `: ${mark}${colours.rule(visible(rule))} ${visible(message)}${help}`;
}

/** The text after the place in a workflow command. */
export function saidInCommand({
  rule,
  pointer,
  message,
  suggestion,
  children,
}: Pick<Statement, 'rule' | 'pointer' | 'message' | 'suggestion' | 'children'>): string {
  const help = suggestion === undefined ? '' : `; did you mean ${quote(suggestion)}?`;
  const tail = commandTail(rule, `${pointerText(pointer)}: ${message}${help}`);
  return children === undefined ? tail : [tail, ...childLines({ children }).map(commandData)].join(LINE_END);
}

/** In the message of a workflow command. */
const LINE_END = '%0A';

/** The title and the message of a workflow command. */
export function commandTail(subject: string, message: string): string {
  return `,title=${commandProperty(`paylint: ${subject}`)}::${commandData(message)}`;
}
