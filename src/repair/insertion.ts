/**
 * The text for members that are added to an object, and their place in an object that has none. They look like their
 * neighbours: in separator, indentation, and spaces around the colon. A filled-in value has lost the text and the
 * order of the schemas' defaults: these are looked up. Of the gaps that accept has found, most objects of one schema
 * with the same missing members are compact, so they get the same text.
 */
import type { AcceptGap } from '../engine/compile/acceptor.ts';
import type { DefaultTexts, FillableObject } from '../engine/compile/context.ts';
import { Children } from '../json/children.ts';
import { entryOf } from '../json/on-demand.ts';
import { isSpace, skipValue, withoutSpace } from '../json/skip.ts';
import { writtenText } from '../json/value.ts';
import { linksOf } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { DefaultMap } from './wanted-defaults.ts';

/** A member to add: its name, and its value as JSON text, as it is to be inserted. */
interface NewMember {
  readonly name: string;
  readonly text: string;
}

/** The text to insert after the last value of an object with members. */
export function afterMembers(members: readonly NewMember[], style: Style): string {
  return members.map((member) => style.between + memberText(member, style)).join('');
}

/** The text to insert at a place in an object without members. */
export function betweenBrackets(
  members: readonly NewMember[],
  { before, after, style }: Omit<EmptyPlace, 'at'>,
): string {
  return before + members.map((member) => memberText(member, style)).join(style.between) + after;
}

function memberText({ name, text }: NewMember, style: Style): string {
  const start = JSON.stringify(name) + style.colon;
  return start + layOut(Buffer.from(text), style, start);
}

/**
 * A value in the style of its surroundings: only the white space between tokens changes. `start`: what is before it in its item.
 */
function layOut(value: Buffer, outer: Style, start: string): string {
  const opening = value[0];
  if (opening !== 0x7b && opening !== 0x5b) return value.toString();
  const beginsWithComma = /\n[^,]*,[^\n]*$/.test(outer.between);
  const style = beginsWithComma ? alignedStyle(outer, start) : innerStyle(outer, lastIndentOf(outer.between));
  const items: string[] = [];
  const children = new Children(value, 0, value.length);
  for (let end = -1; children.next(end); ) {
    end = skipValue(value, children.start, value.length);
    const name = children.isObject ? value.toString('utf8', children.nameStart, children.nameEnd) + style.colon : '';
    items.push(name + layOut(value.subarray(children.start, end), style, name));
  }
  const [open, close] = opening === 0x7b ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  const isOnOneLine = beginsWithComma && items.length === 1 && !items[0]!.includes('\n');
  return open + style.open + items.join(style.between) + (isOnOneLine ? style.open : style.close) + close;
}

/** For a value inside one in a style that begins lines with commas: these are below its bracket. `start`: as in `layOut`. */
function alignedStyle({ between, open, colon }: Style, start: string): Style {
  const line = between.lastIndexOf('\n') + 1;
  const indent = (between.slice(line) + start).replace(/[^\t]/g, ' ');
  const close = between.slice(between.indexOf('\n') - Number(between.includes('\r\n')), line) + indent;
  return { open, between: close + between.slice(between.indexOf(',')), colon, close };
}

/** A place between two brackets. */
interface EmptyPlace {
  /** Offset of the members from the opening bracket, in bytes. */
  readonly at: number;
  /** White space before the first member and after the last one. */
  readonly before: string;
  readonly after: string;
  readonly style: Style;
}

/**
 * Where members go in an object that has none, and the white space around them. The white space between its brackets
 * stays: it is used as part of the space before the first member and after the last one, as far as it fits. `space`:
 * the white space between the brackets; `style`: of an object at this place without white space between its brackets.
 */
export function placeInEmpty(space: string, style: Style): EmptyPlace {
  if (space.includes('\n')) return onLines(space, style.between.includes('\n') ? style : linedStyle(space, style));
  if (style.close.includes('\n')) return onOneOfLines(space, style);
  // The space before the first member is also the space after the last one.
  return style.open.startsWith(space)
    ? { at: space.length, before: style.open.slice(space.length), after: style.close, style }
    : { at: space.length, before: '', after: space, style };
}

/** `{  }` in a style with members on lines: the space becomes the indentation of the closing bracket. */
function onOneOfLines(space: string, style: Style): EmptyPlace {
  const outer = lastIndentOf(style.close);
  let shared = Math.min(space.length, outer.length);
  while (!outer.endsWith(space.slice(space.length - shared))) shared--;
  const rest = space.slice(0, space.length - shared);
  const before = style.open.startsWith(rest) ? style.open.slice(rest.length) : style.open;
  return { at: rest.length, before, after: style.close.slice(0, style.close.length - shared), style };
}

/** Brackets on separate lines: the first member goes to the line after the opening one. */
function onLines(space: string, style: Style): EmptyPlace {
  // In a style that begins lines with commas, the first member is beside the bracket.
  if (!style.open.includes('\n')) return { at: 0, before: style.open, after: '', style };
  const line = space.indexOf('\n') + 1;
  const indent = lastIndentOf(style.open);
  const next = space.indexOf('\n', line);
  if (next >= 0) {
    // Of several lines between them, the first one is used. The others stay after the members.
    const there = space.slice(line, next).replace(/\r$/, '');
    const fitting = indent.startsWith(there) ? there.length : 0;
    return { at: line + fitting, before: indent.slice(fitting), after: '', style };
  }
  const own = space.slice(line);
  const outer = lastIndentOf(style.close);
  const missing = outer.endsWith(own) ? outer.slice(0, outer.length - own.length) : '';
  return { at: line, before: indent, after: lineEndIn(space) + missing, style };
}

/** A style on lines, from the white space between two brackets alone. The colon is that of `style`, if that has one. */
function linedStyle(space: string, style: Style): Style {
  const outer = lastIndentOf(space);
  const indent = outer + (outer.includes('\t') ? '\t' : '  ');
  const lineEnd = lineEndIn(space);
  return {
    open: lineEnd + indent,
    between: `,${lineEnd}${indent}`,
    colon: style === COMPACT ? ': ' : style.colon,
    close: lineEnd + outer,
  };
}

function lineEndIn(space: string): string {
  return space[space.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}

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

/** Between brackets with nothing between them. */
export const IN_COMPACT = { before: '', after: '', style: COMPACT };

/** The index at which the white space before `at` begins. */
export function spaceBefore(bytes: Uint8Array, at: number): number {
  return withoutSpace(bytes, 0, at);
}

/** The style of an object, by the indexes of the quote of its last member's name and of its closing bracket. */
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
  const indent = lastIndentOf(style.between);
  const outer = lastIndentOf(style.close);
  return indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : '  ';
}

/** The white space at the beginning of the last line of `text`; empty if there is only one line. */
function lastIndentOf(text: string): string {
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

/** Gives the texts of members as in the schemas: looked up by the member's name and its value. */
export interface MemberTexts {
  /** The value as JSON text. */
  text(name: string, value: unknown): string;
  /** The position of the first default with that name and value among all of them; infinite if there is none. */
  rank(name: string, value: unknown): number;
  /** Whether a schema has a member with this name. Other names come from the payload. */
  knows(name: string): boolean;
}

export interface NamedDefault {
  readonly name: string;
  readonly value: unknown;
  text(): string;
}

/** `defaults`: in file order. Of those with the same name and value, the first one counts. */
export function createMemberTexts(defaults: Iterable<NamedDefault>, names: ReadonlySet<string>): MemberTexts {
  const known = new Map<string, { readonly text: () => string; readonly rank: number }>();
  for (const one of defaults) {
    const key = keyOf(one.name, one.value);
    if (!known.has(key)) known.set(key, { text: () => one.text(), rank: known.size });
  }
  return {
    text: (name, value) => known.get(keyOf(name, value))?.text() ?? writtenText(value),
    rank: (name, value) => known.get(keyOf(name, value))?.rank ?? Number.POSITIVE_INFINITY,
    knows: (name) => names.has(name),
  };
}

function keyOf(name: string, value: unknown): string {
  return writtenText([name, value]);
}

/** The names that the schemas of members have in the `properties` of others, by their places. */
export function memberNames(nodes: readonly SchemaNode[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { properties = {} } of nodes)
    for (const [name, member] of Object.entries(properties)) if (isNode(member)) names.set(member.origin.place, name);
  return names;
}

/** Looks up defaults where Ajv does: in the member's own subschema, not after its `$ref`. */
export function defaultTexts(defaults: DefaultMap): DefaultTexts {
  return {
    textOf({ properties }, name) {
      const member = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return (isNode(member) ? defaults.get(member.origin.place) : undefined) ?? null;
    },
  };
}

/** Objects of a schema with the same missing members. */
export interface GapGroup {
  readonly object: FillableObject;
  readonly members: FillableObject['members'];
  /** The text for compact objects. */
  readonly compact: GapText;
  /** Number of objects in the group. */
  times: number;
}

/** A text to insert, and its bytes. */
interface GapText {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface GapInsertion extends GapText {
  /** Index in the bytes of the gap. */
  readonly at: number;
  readonly group: GapGroup;
}

export class GapGroups {
  /** By object, then by the mask of missing members. */
  readonly #groups = new Map<FillableObject, Map<bigint, GapGroup>>();
  /** The same for objects without members. */
  readonly #emptyGroups = new Map<FillableObject, Map<bigint, GapGroup>>();

  /** The insertion for the gap in `bytes`. It is counted. */
  insertion(bytes: Buffer, gap: AcceptGap): GapInsertion {
    const group = this.#groupOf(gap);
    group.times++;
    const at = spaceBefore(bytes, gap.close);
    const isCompact = gap.lastName < 0 || (at === gap.close && isCompactMember(bytes, gap.lastName));
    const { text, bytes: inserted } = isCompact
      ? group.compact
      : gapText(afterMembers(group.members, styleOf(bytes, gap.lastName, gap.close)));
    return { at, group, text, bytes: inserted };
  }

  *[Symbol.iterator](): Generator<GapGroup> {
    for (const groups of [this.#groups, this.#emptyGroups])
      for (const byMissing of groups.values()) yield* byMissing.values();
  }

  /** The group of a gap: the same object of the schema, with the same missing members. */
  #groupOf({ object, missing, lastName }: AcceptGap): GapGroup {
    const isEmpty = lastName < 0;
    const groups = isEmpty ? this.#emptyGroups : this.#groups;
    const byMissing = entryOf(groups, object, () => new Map());
    return entryOf(byMissing, missing, () => {
      const members = object.members.filter(({ bit }) => (missing & bit) !== 0n);
      const compact = gapText(isEmpty ? betweenBrackets(members, IN_COMPACT) : afterMembers(members, COMPACT));
      return { object, members, compact, times: 0 };
    });
  }
}

function gapText(text: string): GapText {
  return { text, bytes: Buffer.from(text) };
}

/**
 * From schemas to those that certainly apply to a value, once the conditions are judged: only they fill in members, and only they
 * remove some. Alternatives, `not`, `if`, `contains` and `propertyNames` are not among them.
 */
const CERTAIN = [
  ...(['$ref', 'then', 'else', 'allOf', 'dependentSchemas', 'properties', 'patternProperties'] as const),
  ...(['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems', 'prefixItems'] as const),
];

/** The schemas that a node applies to the value or to what is in it, not as an alternative nor as a test. */
export function certainIn(node: SchemaNode): SchemaNode[] {
  return linksOf(node, CERTAIN);
}

/** Those of `nodes` that lead to one for which `holds` is true, themselves included. */
export function leadingTo(holds: (node: SchemaNode) => boolean, nodes: readonly SchemaNode[]): Set<Schema> {
  const before = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) for (const next of certainIn(node)) entryOf(before, next, () => []).push(node);
  const found = new Set<SchemaNode>(nodes.filter(holds));
  for (const node of found) for (const one of before.get(node) ?? []) found.add(one);
  return found;
}
