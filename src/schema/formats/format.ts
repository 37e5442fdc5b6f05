/**
 * What is known of a format: its pattern, which both engines use, and the function that judges what no pattern can.
 * Patterns are matched in time linear in the text. For some of them, RegExp overflows V8's stack if a text has
 * several megabytes. And formats of a config, as plain data that can be sent to threads, and of a caller of the library.
 */
import { CallerFault } from '../../errors.ts';
import { once } from '../../json/on-demand.ts';
import { compileMatcher } from '../../regex/matcher.ts';
import { wholeText } from './patterns.ts';

/** Judges the values of a format that have its type. */
export type FormatTest = (value: never) => boolean;

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
  const expression = once(() => new RegExp(whole, 'u'));
  const byExpression = (text: string): boolean => expression().test(text);
  const matches = once(() => compileMatcher(whole).matches ?? byExpression);
  return (text) => (text.length <= short ? byExpression(text) : matches()(text));
}

/** Its texts match the pattern anywhere, like the keyword `pattern`, or are one of the values. */
export type OwnFormat = (
  | { /** With the flag `u`, and matched in linear time. */ readonly pattern: string }
  | { readonly values: ReadonlySet<string> }
  | { /** A function of the caller's, for this thread alone. */ readonly test: (text: string) => boolean }
) & {
  /** What its author says of texts that are not in it. */
  readonly message?: string;
};

/** A format as a config has it; `values`: the path of a file. */
export type RawFormat = false | { readonly pattern?: string; readonly values?: string; readonly message?: string };

/** By name; false: a format of paylint that is off. */
export type OwnFormats = ReadonlyMap<string, OwnFormat | false>;

/** True if some are functions, which no other thread has. */
export function hasFunctions(formats: OwnFormats | undefined): boolean {
  return [...(formats?.values() ?? [])].some((own) => own !== false && 'test' in own);
}

/** More values, or more characters of them, have no code: the compiled engine is unsure of them. */
const MOST_VALUES = 2000;
const MOST_CHARACTERS = 50_000;

/** What both engines need of it. */
export function formatOf(own: OwnFormat): FormatDefinition {
  if ('test' in own) {
    const judge = (text: string): boolean => {
      const result = answerOfCaller('the function of a format', () => own.test(text));
      if (typeof result === 'boolean') return result;
      throw new CallerFault('the function of a format returned neither true nor false');
    };
    return { judge };
  }
  if ('pattern' in own) {
    const { pattern } = own;
    const matches = once(() => compileMatcher(pattern).matches!); // it was compiled when the config was read
    return { search: pattern, judge: (text: string) => matches()(text) };
  }
  const { values } = own;
  const judge = (text: string): boolean => values.has(text);
  // Half of a surrogate pair is written as an escape, which the compiled engine does not compare.
  const texts = [...values].filter((text) => text.isWellFormed());
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length > MOST_VALUES || characters > MOST_CHARACTERS) return { judge };
  return { search: `^(?:${texts.map(escaped).join('|')})$`, judge };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * What a function of the caller of the library returns. Whatever it does is an answer or a fault of the payload at hand: a
 * promise is no answer, and one that rejects must not end the process. `what`: the beginning of the message. Throws CallerFault.
 */
export function answerOfCaller(what: string, ask: () => unknown): unknown {
  let answer: unknown;
  try {
    answer = ask();
  } catch (cause) {
    throw new CallerFault(`${what} threw an error`, { cause });
  }
  // If it is a promise, or looks like one, nobody else handles its rejection.
  if (typeof answer === 'object' && answer !== null) Promise.resolve(answer).catch(() => {});
  return answer;
}
