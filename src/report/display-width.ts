/**
 * How many columns of a terminal text takes, character by character: exact except for characters that join to one
 * (sequences of emoji, parts of Korean syllables), and never too few.
 * Code frames, whose carets have to be exact, measure graphemes instead (`graphemes.ts`).
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
