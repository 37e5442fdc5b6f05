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
  /** Of an object; `*` is every item of an array, or everything in an object. */
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
  return new MemberReader(bytes, start, end).value(skipSpace(bytes, start, end), cut);
}

/** Of such a text, many small values are faster cut from one string than decoded one by one. */
const SMALL_BYTES = 1 << 14;

class MemberReader {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  /** A character for each byte; null: the text is long. */
  readonly #latin1: string | null;
  /** The end of the last value. */
  #after = 0;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#latin1 = end - start > SMALL_BYTES ? null : bytes.toString('latin1', start, end);
  }

  value(at: number, cut: MemberPaths): unknown {
    const byte = this.#bytes[at];
    const item = cut.members.get('*');
    if (!cut.isWhole && cut.members.size > 0) {
      if (byte === OPEN_OBJECT && item === undefined) return this.#object(at, cut);
      if (byte === OPEN_ARRAY && item !== undefined && cut.members.size === 1) return this.#array(at, item);
    }
    this.#after = skipValue(this.#bytes, at, this.#end);
    return !cut.isWhole && cut.members.size === 0 ? null : this.#valueAt(at);
  }

  /** The value that was skipped last. */
  #valueAt(at: number): unknown {
    const text = this.#latin1?.slice(at - this.#start, this.#after - this.#start);
    return text === undefined || !PLAIN.test(text) ? valueIn(this.#bytes, at, this.#after) : valueOfText(text);
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

/** ASCII without an escape. */
const PLAIN = /^[^\\\x80-\xff]*$/;

/** A number with fewer characters is the double that it is written as. */
const SHORT = 16;

/** The value of the token, or from bracket to bracket, in `bytes[start, end)`. */
export function valueIn(bytes: Buffer, start: number, end: number): unknown {
  return valueOfText(bytes.toString('utf8', start, end));
}

function valueOfText(text: string): unknown {
  const first = text.charCodeAt(0);
  if (first === QUOTE) return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return exactValue(text);
  if (first > 0x39) return text === 'true' ? true : text === 'false' ? false : null;
  return text.length < SHORT && !/e/i.test(text) ? Number(text) : jsonNumber(text);
}
