// Bytes as text that shows each of them, for what Markdown cannot show: `\r`, `\n`, `\t`, `\x1b` for a byte, `\u{feff}` for a character, `\\` for a
// backslash, `\*500{[}` for 500 times the same, and a backslash at the end of a line, which then has no line feed.
// `unescaped(escaped(bytes))` is `bytes`.
import { isUtf8 } from 'node:buffer';

/** Characters that a reader does not see, or that an editor would change. */
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\xa0\xad\u1680\u2000-\u200c\u200e-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/u;
/** The same few characters so often that nobody counts them. */
const MANY = /([^\n]{1,12}?)\1{199,}/u;
const ESCAPE = /\\(?:(\\|[rnt]|\}|\n)|x([0-9a-f]{2})|u\{([0-9a-f]+)\}|\*(\d+)\{((?:\\[\s\S]|[^\\}])*)\})?/g;

/**
 * Whether a text says less than it is if it is shown as it is.
 * @param {string} text
 */
export const needsEscapes = (text) => HIDDEN.test(text) || MANY.test(text);

/** @param {Uint8Array} bytes */
export function escaped(bytes) {
  return piecesOf(bytes)
    .map((piece) => (typeof piece === 'string' ? escapedText(piece) : hex(piece)))
    .join('');
}

const hex = (/** @type {number} */ byte) => `\\x${byte.toString(16).padStart(2, '0')}`;

/** Text, and between it the bytes that are none. */
function piecesOf(/** @type {Uint8Array} */ bytes) {
  /** @type {(string | number)[]} */
  const pieces = [];
  for (let from = 0, to = 0; to < bytes.length; from = to) {
    for (let length = charAt(bytes, to); length > 0; length = charAt(bytes, to)) to += length;
    if (to > from) pieces.push(Buffer.from(bytes.subarray(from, to)).toString());
    const byte = bytes[to];
    if (byte === undefined) break;
    pieces.push(byte);
    to++;
  }
  return pieces;
}

/** The length of the character at a place; 0: there is none. */
function charAt(/** @type {Uint8Array} */ bytes, /** @type {number} */ at) {
  const byte = bytes[at] ?? 0xff;
  const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  const char = bytes.subarray(at, at + length);
  return char.length === length && isUtf8(char) ? length : 0;
}

/** @type {(text: string) => string} */
function escapedText(text) {
  const run = MANY.exec(text);
  if (run === null) return [...text].map(escapedChar).join('');
  const [all, unit = ''] = run;
  const inside = [...unit].map((char) => (char === '}' ? '\\}' : escapedChar(char))).join('');
  const rest = text.slice(run.index + all.length);
  return `${escapedText(text.slice(0, run.index))}\\*${all.length / unit.length}{${inside}}${escapedText(rest)}`;
}

function escapedChar(/** @type {string} */ char) {
  if (char === '\\') return '\\\\';
  if (char === '\r') return '\\r';
  if (!HIDDEN.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  return code < 0x80 ? hex(code) : `\\u{${code.toString(16)}}`;
}

/**
 * @param {string} text
 * @returns {Buffer}
 */
export function unescaped(text) {
  /** @type {Buffer[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(ESCAPE)) {
    parts.push(Buffer.from(text.slice(from, found.index)), meant(found));
    from = found.index + found[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}

/** @type {(found: RegExpMatchArray) => Buffer} */
function meant([is, char, byte, code, count, unit]) {
  if (byte !== undefined) return Buffer.from(byte, 'hex');
  if (code !== undefined) return Buffer.from(String.fromCodePoint(Number.parseInt(code, 16)));
  if (count !== undefined) return Buffer.concat(Array(Number(count)).fill(unescaped(unit ?? '')));
  if (char === undefined) throw new Error(`${is} is no escape: a backslash is \\\\`);
  return Buffer.from(MEANT[char] ?? char);
}

/** @type {Record<string, string>} */
const MEANT = { r: '\r', n: '\n', t: '\t', '\n': '' };

/**
 * The name of a file, which is between backquotes.
 * @param {string} path
 */
export function escapedPath(path) {
  return escaped(Buffer.from(path)).replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('`', '\\x60');
}
