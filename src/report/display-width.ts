/**
 * The number of terminal columns of a text, character by character. It is exact except for characters that join to one
 * sequence (emoji, parts of Korean syllables), for which it may be too large but never too small. Code frames, whose
 * carets must be exact, measure graphemes instead (`graphemes.ts`).
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
