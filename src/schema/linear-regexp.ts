/**
 * Matches the patterns of a schema in time linear in the text, so that no text can make a run hang. Only expressions
 * with backreferences, lookbehind or certain lookaheads are left to RegExp, which may take exponential time.
 *
 * It is loaded only for schemas that have patterns.
 */
import { compileMatcher } from '../automaton/matcher.ts';
import { visitor } from '../automaton/visit.ts';
import { toRegExp } from './regexp.ts';

/** The first texts are matched without an automaton, which takes longer to make, if they are short. */
const FEW = 20;
const SHORT = 300;

/** Whether texts match the expression. Throws SyntaxError, like RegExp. */
export function linearMatcher(source: string): (text: string) => boolean {
  const regExp = toRegExp(source);
  let matches: ((text: string) => boolean) | null = null;
  let visits: ReturnType<typeof visitor> | undefined;
  let left = FEW;
  return (text) => {
    if (left > 0 && text.length <= SHORT) {
      left--;
      if (visits === undefined) visits = visitor(regExp);
      const found = visits?.(text) ?? null;
      if (found !== null) return found;
    }
    // Compiled at the first call: most patterns of a large schema are never used.
    matches ??= compileMatcher(regExp.source).matches ?? ((other) => regExp.test(other));
    return matches(text);
  };
}
