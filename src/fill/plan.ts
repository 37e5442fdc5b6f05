/**
 * What to insert where, from a payload's value before and after its defaults were filled in: the truth about filling, as
 * Ajv's `useDefaults` has it.
 */
import type { DefaultTexts } from '../accept/compile.ts';
import { type Located, locate } from '../json/locate.ts';
import { escapeToken } from '../json/pointer.ts';
import { skipSpace } from '../json/scan.ts';
import { skipValue } from '../json/skip.ts';
import { isSchemaObject, type SchemaObject } from '../schema/load.ts';
import type { Fill, Span } from '../types.ts';
import { afterMembers, betweenBrackets, type NewMember } from './insertion.ts';
import { COMPACT, innerStyle, type Style, spaceBefore, styleOf } from './style.ts';

/** Spells values as the schemas do: by the name of the member, and the value. */
export type Speller = (name: string, value: unknown) => string;

/** A speller that knows all defaults of `schemas`. */
export function createSpeller(schemas: Iterable<object>, defaults: DefaultTexts): Speller {
  const texts = new Map<string, string>();
  for (const schema of schemas) {
    const { properties } = schema as SchemaObject;
    if (!isSchemaObject(properties)) continue;
    for (const name of Object.keys(properties)) {
      const text = defaults.textOf(schema as SchemaObject, name);
      const key = text === null ? '' : `${name}\0${JSON.stringify(JSON.parse(text))}`;
      if (text !== null && !texts.has(key)) texts.set(key, text);
    }
  }
  return (name, value) => texts.get(`${name}\0${JSON.stringify(value)}`) ?? JSON.stringify(value);
}

/** An object that lacks members. */
interface Gap {
  readonly pointer: string;
  readonly members: readonly NewMember[];
}

/** The fills that make `before`, the value in `bytes[span)`, into `after`; in the order of their places. */
export function planFills(
  bytes: Buffer,
  span: Span,
  before: unknown,
  after: unknown,
  spell: Speller,
): Fill[] {
  const gaps: Gap[] = [];
  findGaps(before, after, '', spell, gaps);
  if (gaps.length === 0) return [];
  const wanted = gaps.flatMap(({ pointer }) => withAncestors(pointer));
  const places = locate(bytes, span.start, span.end, new Set(wanted));
  const fills = gaps.map((gap) => fillOf(gap, bytes, places));
  return fills.sort((a, b) => a.at - b.at);
}

function findGaps(before: unknown, after: unknown, pointer: string, spell: Speller, gaps: Gap[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) findGaps(item, after[i], `${pointer}/${i}`, spell, gaps);
  } else if (isSchemaObject(before) && isSchemaObject(after)) {
    const missing = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    const members = missing.map((name) => ({ name, text: spell(name, after[name]) }));
    if (members.length > 0) gaps.push({ pointer, members });
    for (const name of Object.keys(before)) {
      findGaps(before[name], after[name], `${pointer}/${escapeToken(name)}`, spell, gaps);
    }
  }
}

function withAncestors(pointer: string): string[] {
  const pointers = [pointer];
  for (let slash = pointer.lastIndexOf('/'); slash >= 0; slash = pointer.lastIndexOf('/', slash - 1)) {
    pointers.push(pointer.slice(0, slash));
    if (slash === 0) break;
  }
  return pointers;
}

function fillOf({ pointer, members }: Gap, bytes: Buffer, places: ReadonlyMap<string, Located>): Fill {
  const object = places.get(pointer)!.value; // it was found in the value, so it is in the text
  const close = object.end - 1;
  const lastName = lastNameOf(bytes, object);
  const filled = members.map(({ name, text }) => ({ pointer: `${pointer}/${escapeToken(name)}`, text }));
  if (lastName >= 0) {
    const text = afterMembers(members, styleOf(bytes, lastName, close));
    return { at: spaceBefore(bytes, close), text, members: filled };
  }
  const style = styleAround(pointer, object, bytes, places);
  return {
    at: close,
    text: betweenBrackets(members, withoutSpaceThere(style, bytes, close)),
    members: filled,
  };
}

/** White space that stands between the empty brackets stays, and serves for what would come after the bracket. */
function withoutSpaceThere(style: Style, bytes: Buffer, close: number): Style {
  const there = bytes.toString('latin1', spaceBefore(bytes, close), close);
  if (there === '') return style;
  return style.open.startsWith(there)
    ? { ...style, open: style.open.slice(there.length) }
    : { ...style, open: '', close: there.includes('\n') ? style.close : there };
}

/** The style for an empty object: that of the nearest object around it. */
function styleAround(
  pointer: string,
  object: Span,
  bytes: Buffer,
  places: ReadonlyMap<string, Located>,
): Style {
  for (const around of withAncestors(pointer).slice(1)) {
    const { start, end } = places.get(around)!.value; // an ancestor of what is there
    if (bytes[start] !== 0x7b) continue;
    const style = styleOf(bytes, lastNameOf(bytes, { start, end }), end - 1);
    return innerStyle(style, indentOfLine(bytes, object.start));
  }
  return COMPACT;
}

/** The white space with which the line of index `at` begins. */
function indentOfLine(bytes: Buffer, at: number): string {
  const start = bytes.lastIndexOf(0x0a, at) + 1;
  let end = start;
  while (bytes[end] === 0x20 || bytes[end] === 0x09) end++;
  return bytes.toString('latin1', start, end);
}

/** Index of the quote at which the last member's name begins; -1 for an object without members. */
function lastNameOf(bytes: Buffer, { start, end }: Span): number {
  let last = -1;
  let at = skipSpace(bytes, start + 1, end);
  while (at < end && bytes[at] !== 0x7d) {
    last = at;
    at = skipSpace(bytes, skipValue(bytes, at, end), end);
    at = skipSpace(bytes, skipValue(bytes, skipSpace(bytes, at + 1, end), end), end);
    if (bytes[at] === 0x2c) at = skipSpace(bytes, at + 1, end);
  }
  return last;
}
