/**
 * Matches the patterns of a schema in time linear in the text, so that no text can make a run hang. Only expressions
 * with backreferences, lookbehind or certain lookaheads are left to RegExp, which may take exponential time.
 *
 * It is loaded only for schemas that have patterns.
 */
import { compileMatcher } from '../regex/matcher.ts';
import { toRegExp } from './regexp.ts';

/** Whether texts match the expression. Throws SyntaxError, like RegExp. */
export function linearMatcher(source: string): (text: string) => boolean {
  const regExp = toRegExp(source);
  let matches: ((text: string) => boolean) | null = null;
  return (text) => {
    // Compiled at the first call: most patterns of a large schema are never used.
    matches ??= compileMatcher(regExp.source).matches ?? ((other) => regExp.test(other));
    return matches(text);
  };
}
