/**
 * Cuts the members that are asked for out of the bytes of a JSON value, in one walk: what nobody asks for is skipped, not parsed.
 * The text must be well-formed, without equal names in an object. Values have their numbers as they are written.
 */

import { exactValue, jsonNumber } from './decimal.ts';
import { skipSpace, skipValue } from './skip.ts';
import { setMember } from './value.ts';

/** Which parts of a value are asked for. */
export class MemberPaths {
  /** All of it. */
  isWhole = false;
  /** Of an object; `*` is every item of an array, too. */
  readonly members = new Map<string, MemberPaths>();
  readonly #names: { readonly name: string; readonly bytes: Buffer; readonly cut: MemberPaths }[] = [];

  /** Adds what is at `path`, and returns that. `isAsked`: only whether it is there. */
  add(path: readonly string[], isAsked: boolean): MemberPaths {
    const [name, ...rest] = path;
    if (name === undefined) {
      this.isWhole ||= !isAsked;
      return this;
    }
    let cut = this.members.get(name);
    if (cut === undefined) {
      cut = new MemberPaths();
      this.members.set(name, cut);
      this.#names.push({ name, bytes: Buffer.from(JSON.stringify(name)), cut });
    }
    return cut.add(rest, isAsked);
  }

  /** The member whose name is the token in `bytes[start, end)`; undefined: it is not asked for. */
  named(bytes: Buffer, start: number, end: number): { readonly name: string; readonly cut: MemberPaths } | undefined {
    for (const one of this.#names) if (one.bytes.length === end - start && isAt(bytes, start, one.bytes)) return one;
    let at = start;
    while (at < end && bytes[at] !== BACKSLASH) at++;
    if (at === end) return undefined;
    const name = JSON.parse(bytes.toString('utf8', start, end)) as string; // the token of a name
    return this.#names.find((one) => one.name === name);
  }
}

function isAt(bytes: Buffer, start: number, token: Buffer): boolean {
  for (let i = token.length - 2; i > 0; i--) if (bytes[start + i] !== token[i]) return false;
  return true;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** A half-open range of bytes. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A value that is asked for as a whole, and where it is. */
export interface CutPlace extends ByteRange {
  readonly cut: MemberPaths;
  readonly value: unknown;
}

/** The value in `bytes[start, end)` with the parts of `cut`. What is only asked for is null. */
export function cutOut(bytes: Buffer, { start, end }: ByteRange, cut: MemberPaths): unknown {
  return new MemberReader(bytes, end, null).value(skipSpace(bytes, start, end), cut);
}

/** The values that `cut` asks for as a whole, in the order of their places. */
export function placesIn(bytes: Buffer, { start, end }: ByteRange, cut: MemberPaths): readonly CutPlace[] {
  const places: CutPlace[] = [];
  new MemberReader(bytes, end, places).value(skipSpace(bytes, start, end), cut);
  return places;
}

class MemberReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  /** The end of the last value. */
  #after = 0;

  readonly #places: CutPlace[] | null;

  constructor(bytes: Buffer, end: number, places: CutPlace[] | null) {
    this.#bytes = bytes;
    this.#end = end;
    this.#places = places;
  }

  value(at: number, cut: MemberPaths): unknown {
    const byte = this.#bytes[at];
    if (!cut.isWhole && byte === OPEN_OBJECT && cut.members.size > 0) return this.#object(at, cut);
    const item = cut.isWhole || cut.members.size !== 1 ? undefined : cut.members.get('*');
    if (byte === OPEN_ARRAY && item !== undefined) return this.#array(at, item);
    this.#after = skipValue(this.#bytes, at, this.#end);
    if (!cut.isWhole && cut.members.size === 0) return null;
    const value = valueIn(this.#bytes, at, this.#after);
    if (cut.isWhole) this.#places?.push({ cut, value, start: at, end: this.#after });
    return value;
  }

  #object(start: number, cut: MemberPaths): unknown {
    const [bytes, end] = [this.#bytes, this.#end];
    const object: Record<string, unknown> = {};
    let at = skipSpace(bytes, start + 1, end);
    while (bytes[at] !== CLOSE_OBJECT) {
      const nameEnd = skipValue(bytes, at, end);
      const found = cut.named(bytes, at, nameEnd);
      const from = skipSpace(bytes, skipSpace(bytes, nameEnd, end) + 1, end);
      if (found === undefined) at = skipValue(bytes, from, end);
      else {
        setMember(object, found.name, this.value(from, found.cut));
        at = this.#after;
      }
      at = skipSpace(bytes, at, end);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1, end);
    }
    this.#after = at + 1;
    return object;
  }

  #array(start: number, cut: MemberPaths): unknown {
    const [bytes, end] = [this.#bytes, this.#end];
    const items: unknown[] = [];
    let at = skipSpace(bytes, start + 1, end);
    while (bytes[at] !== CLOSE_ARRAY) {
      items.push(this.value(at, cut));
      at = skipSpace(bytes, this.#after, end);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1, end);
    }
    this.#after = at + 1;
    return items;
  }
}

/** Whether there may be a number that is no double: it has many digits, or a negative exponent. */
function mayLoseDigits(bytes: Buffer, start: number, end: number): boolean {
  let digits = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits >= SHORT) return true;
    } else if (byte !== 0x2e) {
      digits = 0;
      if ((byte | 0x20) === 0x65 && bytes[i + 1] === 0x2d) return true;
    }
  }
  return false;
}

/** A number with fewer characters is the double that it is written as. */
const SHORT = 16;

function valueIn(bytes: Buffer, start: number, end: number): unknown {
  const byte = bytes[start]!;
  if (byte === QUOTE) {
    const text = bytes.toString('utf8', start + 1, end - 1);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text; // a string
  }
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    const text = bytes.toString('utf8', start, end);
    return mayLoseDigits(bytes, start, end) ? exactValue(text) : JSON.parse(text);
  }
  const text = bytes.toString('latin1', start, end);
  if (byte > 0x39) return JSON.parse(text);
  return text.length < SHORT && !/e/i.test(text) ? Number(text) : jsonNumber(text);
}
