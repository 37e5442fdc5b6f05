/**
 * Findings of the rules that no schema states.
 */
import type { Expected } from '../json/scan.ts';
import type { Finding, Params, Rule, Span } from '../types.ts';
import { quote } from '../words/escape.ts';

/** What the end of a payload's bytes is, for the words of a syntax error there. */
export type Ending = 'text' | 'line' | 'last line';

/** A violation of JSON's grammar at the character at `at`. */
export function syntaxFinding(
  bytes: Buffer,
  at: number,
  expected: Expected,
  ending: Ending,
  redact: boolean,
): Finding {
  const span = { start: at, end: at + characterLength(bytes[at]!) };
  const wanted = expected === 'the end' ? `the end of the ${ending === 'text' ? 'text' : 'line'}` : expected;
  const found = redact ? '' : `, found ${quote(bytes.toString('utf8', span.start, span.end))}`;
  return builtin('json-syntax', span, `expected ${wanted}${found}`, { expected });
}

/** The same where the text ends too early. */
export function syntaxFindingAtEnd(at: number, expected: Expected, ending: Ending): Finding {
  const end =
    ending === 'last line' ? 'the end of the last line, which is cut off' : `the end of the ${ending}`;
  return builtin('json-syntax', { start: at, end: at }, `expected ${expected}, found ${end}`, { expected });
}

/** A finding of a rule that no schema states. */
export function builtin(rule: Rule, span: Span, message: string, params: Params, pointer = ''): Finding {
  return { rule, pointer, span, params, schema: null, fixable: false, message, suggestion: null };
}

/** Bytes of the UTF-8 character that a lead byte begins. */
export function characterLength(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
