/**
 * The text for members that are added to an object, in its style.
 */
import { skipValue } from '../json/skip.ts';
import { skipSpace } from '../json/space.ts';
import type { EmptyPlace } from './empty.ts';
import { indentOf, innerStyle, type Style } from './style.ts';

/** A member to add: its name, and its value as JSON text, as it is to be inserted. */
export interface NewMember {
  readonly name: string;
  readonly text: string;
}

/** The text to insert after the last value of an object with members. */
export function afterMembers(members: readonly NewMember[], style: Style): string {
  return members.map((member) => style.between + memberText(member, style)).join('');
}

/** The text to insert between the brackets of an object with nothing between them. */
export function betweenBrackets(members: readonly NewMember[], style: Style): string {
  return style.open + inRow(members, style) + style.close;
}

/** The text to insert at a place in an object without members. */
export function atEmptyPlace(members: readonly NewMember[], { before, after, style }: EmptyPlace): string {
  return before + inRow(members, style) + after;
}

function inRow(members: readonly NewMember[], style: Style): string {
  return members.map((member) => memberText(member, style)).join(style.between);
}

function memberText({ name, text }: NewMember, style: Style): string {
  return JSON.stringify(name) + style.colon + layOut(Buffer.from(text), style);
}

/** A value in the style of its surroundings: only the white space between tokens changes. */
function layOut(value: Buffer, outer: Style): string {
  const opening = value[0];
  if (opening !== 0x7b && opening !== 0x5b) return value.toString();
  const style = innerStyle(outer, indentOf(outer));
  const items: string[] = [];
  let at = skipSpace(value, 1, value.length);
  while (value[at] !== 0x7d && value[at] !== 0x5d) {
    let name = '';
    if (opening === 0x7b) {
      const end = skipValue(value, at, value.length);
      name = value.toString('utf8', at, end) + style.colon;
      at = skipSpace(value, skipSpace(value, end, value.length) + 1, value.length);
    }
    const end = skipValue(value, at, value.length);
    items.push(name + layOut(value.subarray(at, end), style));
    at = skipSpace(value, end, value.length);
    if (value[at] === 0x2c) at = skipSpace(value, at + 1, value.length);
  }
  const [open, close] = opening === 0x7b ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  return open + style.open + items.join(style.between) + style.close + close;
}
