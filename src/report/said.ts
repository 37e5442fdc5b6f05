/**
 * The content of a violation, that is everything but its place, in the forms in which reports write it. The thread that
 * notes violations makes these texts; the reports use the same functions for violations that are objects.
 */
import type { NotedForm, Said, Violation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { commandData, commandProperty } from '../words/markup.ts';
import { childLines } from './children.ts';
import { type Paint, pointerText } from './paint.ts';
import { createSaid } from './record.ts';

/** One function for each form. */
export function createForms(): Readonly<Record<NotedForm, (said: Said) => string>> {
  const record = createSaid();
  return {
    record: (said) => `,${record(said)}}`,
    line: (said) => saidInLine(said),
    command: saidInCommand,
    facts: (said) => JSON.stringify(said),
  };
}

interface LineColours {
  readonly rule: Paint;
  readonly help: Paint;
}

const NO_COLOURS: LineColours = { rule: String, help: String };

/** The text after the place in the format `line`. */
export function saidInLine(
  { rule, severity, message, suggestion }: Pick<Violation, 'rule' | 'severity' | 'message' | 'suggestion'>,
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
}: Pick<Violation, 'rule' | 'pointer' | 'message' | 'suggestion' | 'children'>): string {
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
