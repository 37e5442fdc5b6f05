/**
 * Makes untrusted text harmless: the result cannot control a terminal, reorder or hide text, or start a new line.
 * Nothing is dropped: each dangerous character becomes its `\u` escape. What a CI system would take for a command acts
 * in its log only: see `source/ci-log.ts`. Formats for programs escape it in their own way.
 *
 * Two harmless pieces can still make `::` or `##[` together: escape them as one text.
 */

/** Printable ASCII needs no closer look. This is nearly all text. */
const SUSPECT = /[^ -~]/;

/**
 * One match per character to escape: control characters, line and paragraph separators, lone surrogates, and all that
 * Unicode calls default-ignorable (bidi controls, zero-width and tag characters, fillers). Joiners and variation selectors
 * are kept: scripts and emoji need them.
 */
export function hazards(): RegExp {
  // Made when it is first needed: its sets of characters take longer to build than a small file takes to check.
  return /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
}

/** The first character of each command that some CI system finds in a text: `::`, `##[` and `##word[`. */
export const COMMANDS = /:(?=:)|#(?=#[A-Za-z]*\[)/g;

/** The escape of one code point: `\u001b`, or `\u{e0001}` beyond the basic plane. */
export function escapeCodePoint(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** `text` on one line, harmless in a terminal. Backslashes are kept, so escaping twice changes nothing. */
export function visible(text: string): string {
  return SUSPECT.test(text) ? text.replace(hazards(), escapeCodePoint) : text;
}

/**
 * `text` in double quotes, for a message: as `visible`, and `"` and `\` escaped as in JSON.
 * Shows at most `max` code points; the `…` of a longer text is outside the quotes, so that it cannot be taken for text.
 */
export function quote(text: string, max = 80): string {
  if (text.length <= max && !MARKED.test(text)) return `"${text}"`;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  const shown = text.slice(0, end).replace(/["\\]/g, '\\$&');
  return `"${visible(shown)}"${end < text.length ? '…' : ''}`;
}

/** At most `most` code units of `text`; `…` follows if there is more. */
export function cutTo(most: number, text: string): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** JSON text as it is in the payload, escaped and at most 80 characters of it. */
export function asWritten(json: string): string {
  const characters = [...json];
  return visible(characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : json);
}

/** What `visible` may escape, and what is escaped in quotes. Few texts have any. */
const MARKED = /[^ !#-[\]-~]/;

/**
 * `JSON.stringify`, with everything `visible` would escape, and commands, written as `\uXXXX` inside the strings, so that
 * the text is harmless, also in a log, and `JSON.parse` gives back the same value, but for half a surrogate pair, which
 * becomes U+FFFD. `undefined`, which JSON does not have, becomes `null`.
 */
export function jsonText(value: unknown): string {
  const written = JSON.stringify(value) ?? 'null';
  // Half a surrogate pair is all that stringify writes so. Some readers refuse it.
  const text = written.includes('\\ud') ? written.replace(HALF_PAIRS, replaced) : written;
  // In the output of stringify, none of these characters is outside a string or after a backslash.
  if (!SUSPECT_IN_LOGS.test(text)) return text;
  return text.replace(hazards(), escapeCodeUnits).replace(COMMANDS, escapeCodeUnits);
}

const SUSPECT_IN_LOGS = /[^ -~]|::|##/;

const HALF_PAIRS = /\\(?:ud[89a-f][\da-f]{2}|[\s\S])/g;

function replaced(written: string): string {
  return written.length > 2 ? '\uFFFD' : written;
}

function escapeCodeUnits(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
