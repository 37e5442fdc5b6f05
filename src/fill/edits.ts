/**
 * The edits that turn a payload's value before its defaults were filled in into the value after. Ajv's `useDefaults` decides
 * what is filled in.
 */
import { type Located, locate } from '../json/locate.ts';
import { escapeToken, isIndexName } from '../json/pointer.ts';
import { skipValue } from '../json/skip.ts';
import { skipSpace } from '../json/space.ts';
import { isSchemaObject } from '../schema/load.ts';
import type { Fill, FilledMember, Span } from '../types.ts';
import { placeInEmpty } from './empty.ts';
import { afterMembers, atEmptyPlace, betweenBrackets, type NewMember } from './insertion.ts';
import type { MemberTexts } from './member-texts.ts';
import { COMPACT, innerStyle, isCompactMember, type Style, spaceBefore, styleOf } from './style.ts';

/** Where an object is. */
interface Place {
  readonly pointer: string;
  /** The same with `*` for any index, and for any name that is in no schema. */
  readonly pattern: string;
  /** Pointer of the object around it; null if there is none. */
  readonly around: string | null;
}

/** An object with missing members. */
interface Gap {
  readonly place: Place;
  readonly isEmpty: boolean;
  readonly members: readonly NewMember[];
}

/** The edits that turn `before`, the value in `bytes[span)`, into `after`; in the order of their places. */
export function fillEdits(
  bytes: Buffer,
  span: Span,
  before: unknown,
  after: unknown,
  memberTexts: MemberTexts,
): Fill[] {
  const gaps: Gap[] = [];
  findGaps(before, after, { pointer: '', pattern: '', around: null }, memberTexts, gaps);
  if (gaps.length === 0) return [];
  const wanted = new Set<string>();
  for (const { place, isEmpty } of gaps) {
    wanted.add(place.pointer);
    if (isEmpty && place.around !== null) wanted.add(place.around);
  }
  const places = locate(bytes, span.start, span.end, wanted);
  const styles = new Styles(bytes, places);
  const fills = gaps.map((gap) => fillOf(gap, bytes, places, styles));
  return fills.sort((a, b) => a.at - b.at);
}

function findGaps(
  before: unknown,
  after: unknown,
  place: Place,
  memberTexts: MemberTexts,
  gaps: Gap[],
): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) {
      const inner = { ...place, pointer: `${place.pointer}/${i}`, pattern: `${place.pattern}/*` };
      findGaps(item, after[i], inner, memberTexts, gaps);
    }
  } else if (isSchemaObject(before) && isSchemaObject(after)) {
    const names = Object.keys(before);
    const members = missingMembers(before, after, memberTexts);
    if (members.length > 0) gaps.push({ place, isEmpty: names.length === 0, members });
    for (const name of names) {
      const value = before[name];
      if (typeof value === 'object')
        findGaps(value, after[name], memberPlace(place, name, memberTexts), memberTexts, gaps);
    }
  }
}

function missingMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  memberTexts: MemberTexts,
): NewMember[] {
  const missing = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  // JavaScript puts names that look like indexes first, whatever their order in the text.
  if (missing.length > 1 && isIndexName(missing[0]!)) {
    missing.sort((a, b) => memberTexts.rank(a, after[a]) - memberTexts.rank(b, after[b]));
  }
  return missing.map((name) => ({ name, text: memberTexts.text(name, after[name]) }));
}

function memberPlace({ pointer, pattern }: Place, name: string, memberTexts: MemberTexts): Place {
  const token = escapeToken(name);
  return {
    pointer: `${pointer}/${token}`,
    pattern: `${pattern}/${memberTexts.knows(name) ? token : '*'}`,
    around: pointer,
  };
}

function fillOf(
  { place, isEmpty, members }: Gap,
  bytes: Buffer,
  places: ReadonlyMap<string, Located>,
  styles: Styles,
): Fill {
  const object = places.get(place.pointer)!.value; // it is in the value, so it is in the text
  const close = object.end - 1;
  const filled = members.map(({ name, text }): FilledMember => {
    const token = escapeToken(name);
    return { pointer: `${place.pointer}/${token}`, pattern: `${place.pattern}/${token}`, text };
  });
  if (isEmpty && isCompactPlace(bytes, places.get(place.pointer)!, place.around)) {
    return { at: close, text: betweenBrackets(members, COMPACT), members: filled };
  }
  if (isEmpty) {
    const space = bytes.toString('latin1', object.start + 1, close);
    const empty = placeInEmpty(space, styles.inside(place.around, object.start));
    return { at: object.start + 1 + empty.at, text: atEmptyPlace(members, empty), members: filled };
  }
  const text = afterMembers(members, styleOf(bytes, lastNameOf(bytes, object), close));
  return { at: spaceBefore(bytes, close), text, members: filled };
}

/**
 * True for `{}` if the member that it belongs to, or the payload, has no white space: then the insertion has none
 * either.
 */
function isCompactPlace(bytes: Buffer, { value, name }: Located, around: string | null): boolean {
  if (value.end - value.start !== 2) return false;
  return name === null ? around === null : isCompactMember(bytes, name.start);
}

/**
 * The styles of objects that contain others. Results are kept, because there may be many in one object, on one line.
 */
class Styles {
  readonly #bytes: Buffer;
  readonly #places: ReadonlyMap<string, Located>;
  readonly #known = new Map<string, Style>();
  /** An index, and where its line begins. */
  #at = 0;
  #line = 0;

  constructor(bytes: Buffer, places: ReadonlyMap<string, Located>) {
    this.#bytes = bytes;
    this.#places = places;
  }

  /** The style for an empty object that begins at index `start`, in the object at `around`. */
  inside(around: string | null, start: number): Style {
    if (around === null) return COMPACT;
    let style = this.#known.get(around);
    if (style === undefined) {
      const { value } = this.#places.get(around)!; // its content was found before
      style = styleOf(this.#bytes, lastNameOf(this.#bytes, value), value.end - 1);
      this.#known.set(around, style);
    }
    return style.between.includes('\n') ? innerStyle(style, this.#indentAt(start)) : style;
  }

  /** The white space at the beginning of the line of index `at`. */
  #indentAt(at: number): string {
    const from = at < this.#at ? 0 : this.#at;
    const lineFeed = this.#bytes.subarray(from, at).lastIndexOf(0x0a);
    if (lineFeed >= 0) this.#line = from + lineFeed + 1;
    else if (from === 0) this.#line = 0;
    this.#at = at;
    let end = this.#line;
    while (this.#bytes[end] === 0x20 || this.#bytes[end] === 0x09) end++;
    return this.#bytes.toString('latin1', this.#line, end);
  }
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
