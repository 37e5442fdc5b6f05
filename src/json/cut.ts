/**
 * Cuts the members that are asked for out of the bytes of a JSON value, in one walk: what nobody asks for is skipped, not parsed.
 * The text must be well-formed, without equal names in an object. Values have their numbers as they are written.
 */

import { Children, type NameToken, nameToken } from './children.ts';
import { exactValue, jsonNumber } from './decimal.ts';
import { OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace, skipValue } from './skip.ts';
import { setMember } from './value.ts';

/** Which parts of a value are asked for. */
export class MemberPaths {
  /** All of it. */
  isWhole = false;
  /** Of an object; `*` is every item of an array, too. */
  readonly members = new Map<string, MemberPaths>();
  readonly #names: { readonly token: NameToken; readonly cut: MemberPaths }[] = [];

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
      this.#names.push({ token: nameToken(name), cut });
    }
    return cut.add(rest, isAsked);
  }

  /** What is asked for of the member that `children` are at; undefined: nothing. */
  named(children: Children): { readonly token: NameToken; readonly cut: MemberPaths } | undefined {
    for (const one of this.#names) if (children.isNamed(one.token)) return one;
    return undefined;
  }
}

/** A half-open range of bytes. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The value in `bytes[start, end)` with the parts of `cut`. What is only asked for is null. */
export function cutOut(bytes: Buffer, { start, end }: ByteRange, cut: MemberPaths): unknown {
  return new MemberReader(bytes, end).value(skipSpace(bytes, start, end), cut);
}

class MemberReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  /** The end of the last value. */
  #after = 0;

  constructor(bytes: Buffer, end: number) {
    this.#bytes = bytes;
    this.#end = end;
  }

  value(at: number, cut: MemberPaths): unknown {
    const byte = this.#bytes[at];
    if (!cut.isWhole && byte === OPEN_OBJECT && cut.members.size > 0) return this.#object(at, cut);
    const item = cut.isWhole || cut.members.size !== 1 ? undefined : cut.members.get('*');
    if (byte === OPEN_ARRAY && item !== undefined) return this.#array(at, item);
    this.#after = skipValue(this.#bytes, at, this.#end);
    return !cut.isWhole && cut.members.size === 0 ? null : valueIn(this.#bytes, at, this.#after);
  }

  #object(start: number, cut: MemberPaths): unknown {
    const object: Record<string, unknown> = {};
    const children = new Children(this.#bytes, start, this.#end);
    for (let after = -1; children.next(after); ) {
      const found = cut.named(children);
      if (found !== undefined) setMember(object, found.token.name, this.value(children.start, found.cut));
      after = found === undefined ? -1 : this.#after;
    }
    this.#after = children.after;
    return object;
  }

  #array(start: number, cut: MemberPaths): unknown {
    const items: unknown[] = [];
    const children = new Children(this.#bytes, start, this.#end);
    for (let after = -1; children.next(after); after = this.#after) items.push(this.value(children.start, cut));
    this.#after = children.after;
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

/** The value of the token, or from bracket to bracket, in `bytes[start, end)`. */
export function valueIn(bytes: Buffer, start: number, end: number): unknown {
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
