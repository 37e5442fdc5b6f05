/**
 * Formats in time linear in the text. The regular expression of `url` takes cubic time, and V8 has no stack for those of others if a text is
 * several megabytes long. The verdicts stay those of ajv-formats.
 */
import type { Ajv, Format } from 'ajv';
import { compileMatcher } from '../automaton/compile.ts';

/** For the other formats, RegExp takes linear time, and is faster for shorter texts than an automaton. */
const SHORT = 10_000;

/** For these, it does not. */
const SLOW = new Set(['url']);

/** Replaces the formats of `ajv` that are regular expressions. */
export function linearFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format instanceof RegExp) ajv.addFormat(name, linear(format, SLOW.has(name) ? 0 : SHORT));
  }
}

/** `short`: up to this number of characters, the expression itself is used. */
function linear(expression: RegExp, short: number): Format {
  let matches: ((text: string) => boolean) | null = null;
  return (text) => {
    if (text.length <= short) return expression.test(text);
    matches ??=
      compileMatcher(withoutCase(expression), expression.unicode).matches ??
      ((other) => expression.test(other));
    return matches(text);
  };
}

/** Parts of a regular expression in which letters have another meaning, or a character is given by its number. */
const TOKENS = /\\(?:x..|u\{[^}]*\}|.)|\(\?:|([a-z])-([a-z])|[\s\S]/gi;

/**
 * The source of an expression without the flag `i` that matches the same texts. With the flag `u`, two characters that are not ASCII are
 * equal to letters: the long s, and the sign for kelvin.
 */
export function withoutCase({ source, ignoreCase, unicode }: RegExp): string {
  if (!ignoreCase) return source;
  let inClass = false;
  return source.replace(TOKENS, (token, from?: string, to?: string) => {
    if (token === '[' || token === ']') inClass = token === '[';
    if (from !== undefined && to !== undefined && inClass) {
      const others = unicode ? [...'\u017f\u212a'].filter((one) => isBetween(one, from, to)).join('') : '';
      return `${token.toLowerCase()}${token.toUpperCase()}${others}`;
    }
    if (!/^[a-z]$/i.test(token)) return token;
    const letters = `${token.toLowerCase()}${token.toUpperCase()}${unicode ? (FOLDED[token.toLowerCase()] ?? '') : ''}`;
    return inClass ? letters : `[${letters}]`;
  });
}

const FOLDED: Readonly<Record<string, string>> = { s: '\u017f', k: '\u212a' };

function isBetween(other: string, from: string, to: string): boolean {
  const letter = other === '\u017f' ? 's' : 'k';
  return from.toLowerCase() <= letter && letter <= to.toLowerCase();
}
