/**
 * The layout of an object, so that added members look like their neighbours: separator, indentation, spaces around the
 * colon.
 */
import { isSpace, withoutSpace } from '../json/space.ts';

/** White space and punctuation from an object's text; all of it ASCII. */
export interface Style {
  /** Between the opening bracket and the first name. */
  readonly open: string;
  /** Between one value and the next name, with the comma. */
  readonly between: string;
  /** Between a name and its value. */
  readonly colon: string;
  /** Between the last value and the closing bracket. */
  readonly close: string;
}

/** Compact JSON: the style if there is no example to follow. */
export const COMPACT: Style = { open: '', between: ',', colon: ':', close: '' };

/** The index at which the white space before `at` begins. */
export function spaceBefore(bytes: Uint8Array, at: number): number {
  return withoutSpace(bytes, 0, at);
}

/**
 * The style of the object whose last member's name begins at `lastName` (its quote) and whose closing bracket is at
 * `close`. Indexes into `bytes`.
 */
export function styleOf(bytes: Buffer, lastName: number, close: number): Style {
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to);
  const nameSpace = spaceBefore(bytes, lastName);
  const before = text(nameSpace, lastName);
  const nameEnd = endOfString(bytes, lastName);
  let value = nameEnd;
  while (isSpace(bytes[value]!) || bytes[value] === 0x3a) value++;
  const colon = text(nameEnd, value);
  const end = text(spaceBefore(bytes, close), close);
  if (bytes[nameSpace - 1] === 0x2c) {
    const comma = nameSpace - 1;
    const between = `${text(spaceBefore(bytes, comma), comma)},${before}`;
    // On one line, the space after the opening bracket is not looked up: it is the same as before the closing one.
    return { open: between.includes('\n') ? before : end, between, colon, close: end };
  }
  // The only member: if it is on a line of its own, the next one is too. On one line, a space after the comma is as
  // likely as one after the colon.
  const sameLine = before !== '' || colon.length > 1 ? ', ' : ',';
  return { open: before, between: before.includes('\n') ? `,${before}` : sameLine, colon, close: end };
}

/** The style for an object inside one of `style`, on a line that begins with `indent`. */
export function innerStyle(style: Style, indent: string): Style {
  if (!style.between.includes('\n')) return style;
  const inner = indent + unitOf(style);
  const comma = style.between.indexOf(',');
  // The comma ends a line, begins one, or has a line of its own.
  const before = reindented(style.between.slice(0, comma), inner);
  const open = reindented(style.between.slice(comma + 1), inner);
  const close = style.close.includes('\n') ? style.close : style.between.replace(',', '');
  return { open, between: `${before},${open}`, colon: style.colon, close: reindented(close, indent) };
}

/** White space with another indentation of its last line; unchanged if it is on one line. */
function reindented(space: string, indent: string): string {
  const lineFeed = space.lastIndexOf('\n');
  return lineFeed < 0 ? space : space.slice(0, lineFeed + 1) + indent;
}

/** The white space of one level of indentation. */
function unitOf(style: Style): string {
  const indent = indentOf(style);
  const outer = lastIndentOf(style.close);
  return indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : '  ';
}

/** The indentation of the members. */
export function indentOf({ between }: Style): string {
  return lastIndentOf(between);
}

/** The white space at the beginning of the last line of `text`; empty if there is only one line. */
export function lastIndentOf(text: string): string {
  return /\n([ \t]*)[^\n]*$/.exec(text)?.[1] ?? '';
}

/**
 * True if a member is written without any white space: its name begins at `name`, its quote, directly after a bracket
 * or after a comma that directly follows a value; and there is none around its colon.
 */
export function isCompactMember(bytes: Uint8Array, name: number): boolean {
  const before = bytes[name - 1]!;
  if (before !== 0x7b && !(before === 0x2c && bytes[name - 2]! > 0x20)) return false;
  const colon = endOfString(bytes, name);
  return bytes[colon] === 0x3a && bytes[colon + 1]! > 0x20;
}

/** The index after the string that begins at `start`, its opening quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at + 1;
}
