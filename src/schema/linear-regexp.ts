/**
 * Matches the patterns of a schema in time linear in the text, so that no text can make a run hang. Only expressions
 * with backreferences, lookbehind or certain lookaheads are left to RegExp, which may take exponential time.
 *
 * It is loaded only for schemas that have patterns.
 */
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import { compileMatcher } from '../automaton/compile.ts';

/** The engine for Ajv's option `code.regExp`. Throws SyntaxError, like RegExp. In standalone code it is RegExp. */
export const linearRegExp: RegExpEngine = Object.assign(
  (source: string, flags: string) => new LinearRegExp(source, flags),
  { code: 'new RegExp' },
);

/** Whether texts match the expression. Throws SyntaxError, like RegExp. */
export function linearMatcher(source: string): (text: string) => boolean {
  const expression = new LinearRegExp(source, 'u');
  return (text) => expression.test(text);
}

class LinearRegExp {
  readonly #regExp: RegExp;
  #matches: ((text: string) => boolean) | null = null;

  constructor(source: string, flags: string) {
    this.#regExp = toRegExp(source, flags);
  }

  /** Compiles at the first call: most patterns of a large schema are never used. */
  test(text: string): boolean {
    this.#matches ??= this.#compile();
    return this.#matches(text);
  }

  #compile(): (text: string) => boolean {
    const { source, unicode } = this.#regExp;
    return compileMatcher(source, unicode).matches ?? ((text) => this.#regExp.test(text));
  }

  /** Ajv recognises a repeated pattern by this text. */
  toString(): string {
    return String(this.#regExp);
  }
}

/**
 * Schemas are written for other engines too: an expression that is invalid with the flag `u`, such as `\-` outside a
 * class, may be valid without it.
 */
function toRegExp(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    try {
      return new RegExp(source, flags.replace('u', ''));
    } catch {
      throw error;
    }
  }
}
