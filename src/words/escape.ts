/**
 * Makes untrusted text harmless: what comes out cannot drive a terminal, reorder or hide text, start a new line,
 * or be taken by a CI log for a command. Nothing is dropped: each dangerous character becomes its `\u` escape.
 *
 * Two pieces that are each harmless can still make `::` or `##[` where they touch: escape them together.
 */

/** Printable ASCII that cannot begin a CI command needs no closer look; this is nearly all text there is. */
const SUSPECT = /[^ -~]|::|##/;

/**
 * One match per character to escape: control characters, line and paragraph separators, lone surrogates, all that
 * Unicode calls default-ignorable (bidi controls, zero-width and tag characters, fillers), and the first
 * character of `::`, `##[` and `##word[`. The joiners and variation selectors stay: they are spelling, and without
 * them an emoji falls apart.
 */
export function hazards(): RegExp {
  // Made when it is needed: its sets of characters take longer to build than a small file takes to check.
  return /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|:(?=:)|#(?=#[A-Za-z]*\[)/gu;
}

/** The escape of one code point: `\u001b`, or `\u{e0001}` beyond the basic plane. */
export function escapeCodePoint(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** `text` on one line, harmless in a terminal and in a CI log. Backslashes stay as they are, so twice is as good as once. */
export function visible(text: string): string {
  return SUSPECT.test(text) ? text.replace(hazards(), escapeCodePoint) : text;
}

/**
 * `text` in double quotes, for a message: as `visible`, and `"` and `\` escaped as in JSON.
 * Shows at most `max` code points; the `…` of a longer text stands outside the quotes, where it cannot be taken for text.
 */
export function quote(text: string, max = 80): string {
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  const shown = text.slice(0, end).replace(/["\\]/g, '\\$&');
  return `"${visible(shown)}"${end < text.length ? '…' : ''}`;
}

/**
 * `JSON.stringify`, with everything `visible` would escape written as `\uXXXX` inside the strings, so that the
 * text is harmless and `JSON.parse` gives back the same value. What JSON cannot say (`undefined`) becomes `null`.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // None of these characters can stand outside a string, nor behind a backslash, in what stringify writes.
  return SUSPECT.test(text) ? text.replace(hazards(), escapeCodeUnits) : text;
}

function escapeCodeUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
