/**
 * Regular expressions of ECMA-262.
 */
import type { Judge } from './format.ts';

/**
 * Escapes one after another; the first group: a letter that ECMA-262 gives no meaning, though engines of the web read
 * it as itself.
 */
const ESCAPES = /\\(?:([aeg-jlmoqyzACE-OQRT-VX-Z])|[\s\S])/g;

function isRegExp(text: string): boolean {
  if (compiles(text, 'u')) return true;
  for (const [, letter] of text.matchAll(ESCAPES)) if (letter !== undefined) return false;
  return compiles(text, '');
}

function compiles(text: string, flags: string): boolean {
  try {
    new RegExp(text, flags);
    return true;
  } catch {
    return false;
  }
}

export const regex: Judge = { test: isRegExp };
