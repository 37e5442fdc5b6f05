/**
 * What is known of a format: its pattern, which both engines use, and the function that judges what no pattern can.
 * Patterns are matched in time linear in the text. For some of them, RegExp overflows V8's stack if a text has
 * several megabytes.
 */
import { compileMatcher } from '../../regex/matcher.ts';
import { wholeText } from './patterns.ts';

/** Judges the values of a format that have its type. */
export interface FormatTest {
  readonly test: (value: never) => boolean;
}

/** Patterns have the flag `u`. */
export interface FormatDefinition {
  /** Matches the texts of the format, and no others, between `^` and `$`. */
  readonly pattern?: string;
  /** The same for texts that it matches anywhere, as the keyword `pattern` does. */
  readonly search?: string;
  /** Matches some texts of the format and no others, between `^` and `$`: for accept, instead of the pattern. */
  readonly accepts?: string;
  /** Matches every text of the format, and also others: for accept, instead of the pattern. */
  readonly needs?: string;
  /** Judges the values. */
  readonly judge?: FormatTest;
  /** Loads the judge of the values. Without a judge the pattern decides; without a pattern, all values are in the format. */
  readonly load?: () => Promise<FormatTest>;
  /** The type of its values; "string" if absent. */
  readonly type?: 'number';
}

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
