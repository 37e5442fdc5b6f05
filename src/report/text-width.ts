/**
 * The width of text in terminal columns, text broken into lines at its spaces, and lines cut to what is near a violation.
 *
 * A width is counted character by character. It is exact except for characters that join to one sequence (emoji, parts of
 * Korean syllables), for which it may be too large but never too small. Code frames, whose carets must be exact, measure
 * graphemes instead (`graphemes.ts`).
 */

import { eastAsianWidth } from 'get-east-asian-width';
import type { Excerpt } from '../types.ts';

/** Characters without a column of their own: marks and joiners. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Makes the character before it an emoji, which is one column wider. */
const EMOJI_SELECTOR = '\ufe0f';

/** Columns of `text`, which must not contain control characters. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (character === EMOJI_SELECTOR) width++;
    else if (!ZERO.test(character)) width += eastAsianWidth(character.codePointAt(0)!);
  }
  return width;
}

/**
 * Lines of at most `width` display columns, unless one word is wider. The first line begins with `first`, the others
 * with `rest`; both count. Only plain text: colours would count as well.
 */
export function wrapped(text: string, width: number, first: string, rest: string): string[] {
  if (first.length + text.length <= width && !/[^ -~]/.test(first + text)) return [first + text];
  const lines: string[] = [];
  let line = first;
  let used = displayWidth(first);
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const wide = displayWidth(word);
    if (!isEmpty && used + 1 + wide > width) {
      lines.push(line);
      line = rest;
      used = displayWidth(rest);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    used += wide + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  lines.push(line);
  return lines;
}

/** Code units before and after the beginning of the violation. */
const BEFORE = 100;
const AFTER = 160;

/** A piece of a line, and whether the line continues before or after it. */
type Piece = Pick<Excerpt, 'text' | 'cutBefore' | 'cutAfter'>;

/** The piece of a line around `at`, the place of the violation; `first` is its first code unit. */
export function nearby({ text, cutBefore, cutAfter }: Piece, at: number): Piece & { readonly first: number } {
  const first = beforePair(text, Math.max(0, at - BEFORE));
  const end = beforePair(text, Math.min(text.length, at + AFTER));
  return {
    text: text.slice(first, end),
    cutBefore: cutBefore || first > 0,
    cutAfter: cutAfter || end < text.length,
    first,
  };
}

/** `index`, or one less if it is in the middle of a surrogate pair. */
export function beforePair(text: string, index: number): number {
  return index > 0 && index < text.length && text.codePointAt(index - 1)! > 0xffff ? index - 1 : index;
}
