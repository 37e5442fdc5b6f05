/**
 * From byte offsets to JSON Pointers and values, in ascending order: the inverse of `locate`. One pass over the text,
 * in memory that depends only on its depth.
 */
import { escapeToken } from './pointer.ts';
import { decodeString } from './scan.ts';
import { skipValue } from './skip.ts';
import { skipSpace } from './space.ts';

/** What is at an offset. */
export interface Followed {
  /** RFC 6901, from the root of the text: of the value, or of the member whose name is there. */
  readonly pointer: string;
  /** The value itself. At a name: the object that has it. */
  readonly value: unknown;
}

/** An open container. */
interface Frame {
  readonly isObject: boolean;
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

/** `root` is the value of the well-formed text in `bytes[start, end)`. */
export class Follower {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #root: unknown;
  readonly #frames: Frame[] = [];
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
    const frame = this.#frames[isOpening ? depth - 2 : depth - 1];
    if (frame === undefined) return { pointer: '', value: this.#root };
    const at = (isOpening ? depth - 2 : depth - 1) as number;
    const pointer = `${this.#pointerOf(at)}/${this.#tokenOf(frame)}`;
    const isName = frame.isObject && frame.nameStart === offset;
    return { pointer, value: isName ? this.#valueOf(at) : this.#inner(at) };
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
      this.#open(byte === 0x7b);
      this.#at = skipSpace(bytes, at + 1, end);
    } else this.#at = skipSpace(bytes, skipValue(bytes, at, end), end);
  }

  #open(isObject: boolean): void {
    this.#isOpening = true;
    const none = { index: 0, nameStart: -1, nameEnd: -1, pointer: null, value: undefined, hasValue: false };
    this.#frames.push({ isObject, ...none });
  }

  #tokenOf(frame: Frame): string | number {
    return frame.isObject ? escapeToken(this.#nameOf(frame)) : frame.index;
  }

  #nameOf({ nameStart, nameEnd }: Frame): string {
    return decodeString(
      this.#bytes,
      nameStart,
      nameEnd,
      this.#bytes.subarray(nameStart, nameEnd).includes(0x5c),
    );
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

  /** The container at this depth. */
  #valueOf(depth: number): unknown {
    for (let i = 0; i <= depth; i++) {
      const frame = this.#frames[i]!;
      if (frame.hasValue) continue;
      frame.value = i === 0 ? this.#root : this.#inner(i - 1);
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
