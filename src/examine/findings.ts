/**
 * Findings of the rules that no schema states.
 */
import { diagnose, type SyntaxFault } from '../json/syntax-cause.ts';
import type { Finding, Params, Rule, Span } from '../types.ts';
import { type Ending, syntaxSentence } from '../words/syntax.ts';

export type { Ending };

/**
 * A violation of JSON's grammar. Its span begins at the byte at which parsing failed and goes to the end of the word, quoted text or
 * comment at fault; it is empty if the text ends too early.
 */
export function syntaxFinding(fault: SyntaxFault, ending: Ending, redact: boolean): Finding {
  const { bytes, at, expected } = fault;
  const { cause: named, found, earlier } = diagnose(fault);
  const cause = named ?? (found.end === found.start && ending === 'last line' ? 'cut-off' : null);
  const shown = redact && found.end > found.start ? null : bytes.toString('utf8', found.start, found.end);
  const message = syntaxSentence({ cause, expected, ending, found: shown });
  const params = cause === null ? { expected } : { cause, expected };
  const finding = builtin('json-syntax', { start: at, end: found.end }, message, params);
  return earlier === null ? finding : { ...finding, earlier };
}

/** A finding of a rule that no schema states. */
export function builtin(rule: Rule, span: Span, message: string, params: Params, pointer = ''): Finding {
  return { rule, pointer, span, params, schema: null, fixable: false, message, suggestion: null };
}
