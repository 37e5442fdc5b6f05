/**
 * The width of text in terminal columns, and text broken into lines at its spaces.
 *
 * A width is counted character by character. It is exact except for characters that join to one sequence (emoji, parts of
 * Korean syllables), for which it may be too large but never too small. Code frames, whose carets must be exact, measure
 * graphemes instead (`frame.ts`).
 */
import { eastAsianWidth } from 'get-east-asian-width';

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
  const lines = [first];
  let used = displayWidth(first);
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const wide = displayWidth(word);
    if (!isEmpty && used + 1 + wide > width) {
      lines.push(rest);
      used = displayWidth(rest);
      isEmpty = true;
    }
    lines[lines.length - 1] += isEmpty ? word : ` ${word}`;
    used += wide + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  return lines;
}
