/**
 * Numbers as a payload writes them, if a double may have lost some of their digits: for keywords that need the number itself.
 */

import { atPointer } from '../json/pointer.ts';

/** Facts about numbers that the values themselves do not hold. */
export interface NumberTexts {
  /** The text of the number at `pointer` (RFC 6901, from the payload's root); undefined if the double prints as the same text. */
  numberText(pointer: string): string | undefined;
}

/** A double keeps 15 digits of any number, and numbers smaller than 1e-308 lose digits or become 0. */
const LONG = /(?:\d\.?){16}|[eE]-\d{3}/;
/** A string, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** For the JSON text of a payload. Undefined if every number is what its double prints. */
export function numberTexts(text: string): NumberTexts | undefined {
  if (!LONG.test(text)) return undefined;
  let texts: unknown;
  return {
    numberText(pointer) {
      // The same values, except for long numbers, which are strings.
      texts ??= JSON.parse(text.replace(TOKENS, (token) => (isLongNumber(token) ? `"${token}"` : token)));
      const found = atPointer(texts, pointer);
      return typeof found === 'string' ? found : undefined;
    },
  };
}

function isLongNumber(token: string): boolean {
  return token[0] !== '"' && LONG.test(token);
}
