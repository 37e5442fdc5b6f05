/**
 * Patterns of formats, matched in time linear in the text. For some of them, RegExp overflows V8's stack if a text has
 * several megabytes.
 */
import { compileMatcher } from '../automaton/matcher.ts';
import { wholeText } from './patterns.ts';

/** Up to this number of characters, RegExp is faster than an automaton. */
const SHORT = 10_000;

/** A function that matches whole texts. `short`: RegExp matches texts up to this number of characters. */
export function linear(pattern: string, short = SHORT): (text: string) => boolean {
  const whole = wholeText(pattern);
  let expression: RegExp | null = null;
  let matches: ((text: string) => boolean) | null = null;
  const byExpression = (text: string): boolean => {
    expression ??= new RegExp(whole, 'u');
    return expression.test(text);
  };
  return (text) => {
    if (text.length <= short) return byExpression(text);
    matches ??= compileMatcher(whole).matches ?? byExpression;
    return matches(text);
  };
}
