/** From ascending byte offsets to JSON Pointers and values, the inverse of `locate`. Memory grows with depth only. */
import { escapeToken } from './pointer.ts';
import { skipSpace, skipValue } from './skip.ts';
import { decodeString } from './utf8.ts';

/** What is at an offset. */
export interface Followed {
  /** RFC 6901, from the root of the text: the pointer of the value, or of the member whose name is at the offset. */
  readonly pointer: string;
  /** The value itself. At a name: the object that has the name. It is available until the next `seek`. */
  readonly value: unknown;
}

/** An open container. */
interface OpenContainer {
  readonly isObject: boolean;
  /** Index of its opening bracket. */
  readonly start: number;
  /** Index of the current element. */
  index: number;
  /** Start of the current member's name. */
  nameStart: number;
  nameEnd: number;
  /** The pointer and the value of the container; null until they are needed. */
  pointer: string | null;
  value: unknown;
  hasValue: boolean;
}

/** A class, because V8 keeps a hidden class for each object literal with a getter. */
class FollowedValue implements Followed {
  readonly pointer: string;
  readonly #value: () => unknown;

  constructor(pointer: string, value: () => unknown) {
    this.pointer = pointer;
    this.#value = value;
  }

  /** A getter, because few rules need the value. */
  get value(): unknown {
    return this.#value();
  }
}

/** The value of the text is not kept in memory. Values are parsed again if they are needed, each byte once. */
export const NOT_KEPT = Symbol('not kept');

/** `root` is the value of the well-formed text in `bytes[start, end)`, or `NOT_KEPT`. */
export class Follower {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #root: unknown;
  readonly #frames: OpenContainer[] = [];
  /** Index of the next token. The last token began at `#token`. */
  #at: number;
  #token = -1;

  constructor(bytes: Buffer, start: number, end: number, root: unknown) {
    this.#bytes = bytes;
    this.#end = end;
    this.#root = root;
    this.#at = skipSpace(bytes, start, end);
  }

  /**
   * The value or member name (its opening quote) that begins at index `offset` of the bytes. Offsets must not descend.
   * For a member with a duplicate name, the value is that of the last one.
   */
  seek(offset: number): Followed {
    while (this.#token < offset && this.#at < this.#end) this.#next();
    const depth = this.#frames.length;
    // A container that begins here is open already, but none of its tokens has been read.
    const isOpening = this.#isOpening && this.#token === offset;
    const at = isOpening ? depth - 2 : depth - 1;
    const frame = this.#frames[at];
    const isName = frame?.isObject === true && frame.nameStart === offset;
    const valueHere = (): unknown => (isName ? this.#valueOf(at) : this.#valueAt(offset, at, isOpening));
    return new FollowedValue(frame === undefined ? '' : `${this.#pointerOf(at)}/${this.#tokenOf(frame)}`, valueHere);
  }

  /** The pointer of the innermost object or array whose brackets are around the place before index `offset`. */
  around(offset: number): string {
    while (this.#at < offset) this.#next();
    return this.#pointerOf(this.#frames.length - 1);
  }

  #isOpening = false;

  /** Reads one token: a name, a scalar, or a bracket. */
  #next(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    const at = this.#at;
    const byte = bytes[at]!;
    const frame = this.#frames[this.#frames.length - 1];
    this.#isOpening = false;
    if (byte === 0x2c) {
      if (!frame!.isObject) frame!.index++;
      else frame!.nameEnd = -1;
      this.#at = skipSpace(bytes, at + 1, end);
      return;
    }
    if (byte === 0x7d || byte === 0x5d) {
      this.#frames.pop();
      this.#at = skipSpace(bytes, at + 1, end);
      return;
    }
    this.#token = at;
    if (frame?.isObject === true && frame.nameEnd < 0) {
      frame.nameStart = at;
      frame.nameEnd = skipValue(bytes, at, end);
      this.#at = skipSpace(bytes, skipSpace(bytes, frame.nameEnd, end) + 1, end);
    } else if (byte === 0x7b || byte === 0x5b) {
      this.#open(byte === 0x7b, at);
      this.#at = skipSpace(bytes, at + 1, end);
    } else this.#at = skipSpace(bytes, skipValue(bytes, at, end), end);
  }

  #open(isObject: boolean, start: number): void {
    this.#isOpening = true;
    const none = { index: 0, nameStart: -1, nameEnd: -1, pointer: null, value: undefined, hasValue: false };
    this.#frames.push({ isObject, start, ...none });
  }

  #tokenOf(frame: OpenContainer): string | number {
    return frame.isObject ? escapeToken(this.#nameOf(frame)) : frame.index;
  }

  #nameOf({ nameStart, nameEnd }: OpenContainer): string {
    return decodeString(this.#bytes, nameStart, nameEnd, this.#bytes.subarray(nameStart, nameEnd).includes(0x5c));
  }

  /** The pointer of the container at this depth. */
  #pointerOf(depth: number): string {
    let pointer = '';
    for (let i = 0; i <= depth; i++) {
      const frame = this.#frames[i]!;
      frame.pointer ??= i === 0 ? '' : `${pointer}/${this.#tokenOf(this.#frames[i - 1]!)}`;
      pointer = frame.pointer;
    }
    return pointer;
  }

  /** The value at `offset`, in the container at this depth (-1: none). `isOpening`: it was opened last. */
  #valueAt(offset: number, depth: number, isOpening: boolean): unknown {
    if (this.#isKept(depth)) return depth < 0 ? this.#root : this.#inner(depth);
    return isOpening ? this.#valueOf(depth + 1) : this.#read(offset);
  }

  /** True if the container at this depth (-1: the text) is part of a value that is known. */
  #isKept(depth: number): boolean {
    if (this.#root !== NOT_KEPT) return true;
    for (let i = depth; i >= 0; i--) if (this.#frames[i]!.hasValue) return true;
    return false;
  }

  #read(start: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, skipValue(this.#bytes, start, this.#end)));
  }

  /** The value of the container at this depth. */
  #valueOf(depth: number): unknown {
    for (let i = 0; i <= depth; i++) {
      const frame = this.#frames[i]!;
      if (frame.hasValue) continue;
      if (this.#isKept(i - 1)) frame.value = i === 0 ? this.#root : this.#inner(i - 1);
      else if (i === depth) frame.value = this.#read(frame.start);
      else continue;
      frame.hasValue = true;
    }
    return this.#frames[depth]!.value;
  }

  /** The current element or member of the container at this depth. */
  #inner(depth: number): unknown {
    const container = this.#valueOf(depth);
    const frame = this.#frames[depth]!;
    if (typeof container !== 'object' || container === null) return undefined;
    const token = frame.isObject ? this.#nameOf(frame) : frame.index;
    return Object.hasOwn(container, token)
      ? (container as Readonly<Record<string | number, unknown>>)[token]
      : undefined;
  }
}
