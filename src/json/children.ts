/**
 * Walks over the members of an object, or the items of an array, one after another. The text must be well-formed. Indexes are
 * those of bytes.
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  skipValue,
} from './skip.ts';
import { decodeString } from './utf8.ts';

/**
 * ```ts
 * const children = new Children(bytes, open, end);
 * while (children.next()) read(children.name(), children.start);
 * return children.after;
 * ```
 */
export class Children {
  readonly isObject: boolean;
  /** The number of the present child; 0-based. */
  index = -1;
  /** The name of the present member with its quotes; -1 for an item. */
  nameStart = -1;
  nameEnd = -1;
  /** Where the value of the present child starts. */
  start = -1;
  /** The index after the closing bracket, once `next` has returned false; -1 until then. */
  after = -1;
  /** Of the first child, or the closing bracket. */
  readonly #first: number;
  readonly #bytes: Buffer;
  readonly #end: number;
  /** Whether the name of the present member has an escape. */
  #hasEscape = false;

  /** `open`: index of the opening bracket; `end`: of the end of the text. */
  constructor(bytes: Buffer, open: number, end: number) {
    this.#bytes = bytes;
    this.#end = end;
    this.isObject = bytes[open] === OPEN_OBJECT;
    this.#first = skipSpace(bytes, open + 1, end);
  }

  /** Goes to the next child, or returns false. `valueEnd`: the index after the value of the present one; -1: it is skipped. */
  next(valueEnd = -1): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#first;
    if (this.start >= 0) {
      at = skipSpace(bytes, valueEnd < 0 ? skipValue(bytes, this.start, end) : valueEnd, end);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1, end);
    }
    if (at >= end || bytes[at] === CLOSE_OBJECT || bytes[at] === CLOSE_ARRAY) {
      this.after = at + 1;
      return false;
    }
    this.index++;
    if (this.isObject) {
      this.nameStart = at;
      let nameEnd = at + 1;
      while (nameEnd < end && bytes[nameEnd] !== QUOTE && bytes[nameEnd] !== BACKSLASH) nameEnd++;
      this.#hasEscape = bytes[nameEnd] === BACKSLASH;
      nameEnd = this.#hasEscape ? skipValue(bytes, at, end) : nameEnd + 1;
      this.nameEnd = nameEnd;
      at = bytes[nameEnd] === COLON ? nameEnd + 1 : skipSpace(bytes, nameEnd, end) + 1;
      at = skipSpace(bytes, at, end);
    }
    this.start = at;
    return true;
  }

  /** The name of the present member. */
  name(): string {
    return decodeString(this.#bytes, this.nameStart, this.nameEnd, this.#hasEscape);
  }

  /** Whether that name is the one of the token. */
  isNamed(token: NameToken): boolean {
    const { bytes, name } = token;
    const length = this.nameEnd - this.nameStart;
    if (bytes.length === length && isAt(this.#bytes, this.nameStart, bytes)) return true;
    return this.#hasEscape && this.name() === name;
  }
}

/** A name, and its usual token. */
export interface NameToken {
  readonly name: string;
  /** As UTF-8, with its quotes. */
  readonly bytes: Buffer;
}

export function nameToken(name: string): NameToken {
  return { name, bytes: Buffer.from(JSON.stringify(name)) };
}

function isAt(bytes: Buffer, start: number, token: Buffer): boolean {
  for (let i = token.length - 2; i > 0; i--) if (bytes[start + i] !== token[i]) return false;
  return true;
}
