/** From ascending byte offsets to JSON Pointers and values, the inverse of `locate`. Memory grows with depth only. */
import { Children } from './children.ts';
import { escapeToken } from './pointer.ts';
import { OPEN_ARRAY, OPEN_OBJECT, skipSpace, skipValue } from './skip.ts';

/** What is at an offset. */
export interface Followed {
  /** RFC 6901, from the root of the text: the pointer of the value, or of the member whose name is at the offset. */
  readonly pointer: string;
  /** Reads the value itself; at a name: the object that has the name. Only until the next `seek`. */
  readonly value: () => unknown;
}

/** An open container. */
interface OpenContainer {
  readonly children: Children;
  /** Index of its opening bracket. */
  readonly start: number;
  /** The pointer and the value of the container; null until they are needed. */
  pointer: string | null;
  value: unknown;
  hasValue: boolean;
}

/** The value of the text is not kept in memory. Values are parsed again if they are needed, each byte once. */
export const NOT_KEPT = Symbol('not kept');

/** `root` is the value of the well-formed text in `bytes[start, end)`, or `NOT_KEPT`. */
export class Follower {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #root: unknown;
  readonly #frames: OpenContainer[] = [];
  /** Where the last token began: a name, a scalar, or an opening bracket; -1: there was none. */
  #token = -1;
  /** Where the next one begins; -1: the next child is not known yet. */
  #next: number;
  /** The index after the last value; -1: a bracket was opened last. */
  #after = -1;

  constructor(bytes: Buffer, start: number, end: number, root: unknown) {
    this.#bytes = bytes;
    this.#end = end;
    this.#root = root;
    this.#next = skipSpace(bytes, start, end);
  }

  /**
   * The value or member name (its opening quote) that begins at index `offset` of the bytes. Offsets must not descend.
   * For a member with a duplicate name, the value is that of the last one.
   */
  seek(offset: number): Followed {
    while (this.#token < offset && this.#step(offset + 1));
    const depth = this.#frames.length;
    // A container that begins here is open already, but none of its tokens has been read.
    const isOpening = this.#after < 0 && this.#token === offset;
    const at = isOpening ? depth - 2 : depth - 1;
    const frame = this.#frames[at];
    const isName = frame?.children.nameStart === offset;
    return {
      pointer: frame === undefined ? '' : `${this.#pointerOf(at)}/${this.#tokenOf(frame)}`,
      value: () => (isName ? this.#valueOf(at) : this.#valueAt(offset, at, isOpening)),
    };
  }

  /** The pointer of the innermost object or array whose brackets are around the place before index `offset`. */
  around(offset: number): string {
    while (this.#step(offset));
    return this.#pointerOf(this.#frames.length - 1);
  }

  /** Reads one token that begins before index `limit`: a name, a scalar, or a bracket. False: the next one does not. */
  #step(limit: number): boolean {
    const children = this.#frames.at(-1)?.children;
    if (this.#next < 0) {
      if (children === undefined) return false;
      if (children.next(this.#after)) this.#next = children.isObject ? children.nameStart : children.start;
      else if (children.after > limit) return false;
      else {
        this.#after = children.after;
        this.#frames.pop();
        return true;
      }
    }
    if (this.#next >= Math.min(limit, this.#end)) return false;
    this.#token = this.#next;
    this.#next = -1;
    if (children?.nameStart === this.#token) {
      this.#next = children.start;
      this.#after = children.nameEnd;
    } else this.#read(this.#token);
    return true;
  }

  /** Reads the value at `start`, or opens it. */
  #read(start: number): void {
    const isContainer = this.#bytes[start] === OPEN_OBJECT || this.#bytes[start] === OPEN_ARRAY;
    this.#after = isContainer ? -1 : skipValue(this.#bytes, start, this.#end);
    if (!isContainer) return;
    const children = new Children(this.#bytes, start, this.#end);
    this.#frames.push({ children, start, pointer: null, value: undefined, hasValue: false });
  }

  #tokenOf({ children }: OpenContainer): string | number {
    return children.isObject ? escapeToken(children.name()) : children.index;
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
    return isOpening ? this.#valueOf(depth + 1) : this.#parse(offset);
  }

  /** True if the container at this depth (-1: the text) is part of a value that is known. */
  #isKept(depth: number): boolean {
    if (this.#root !== NOT_KEPT) return true;
    for (let i = depth; i >= 0; i--) if (this.#frames[i]!.hasValue) return true;
    return false;
  }

  #parse(start: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, skipValue(this.#bytes, start, this.#end)));
  }

  /** The value of the container at this depth. */
  #valueOf(depth: number): unknown {
    for (let i = 0; i <= depth; i++) {
      const frame = this.#frames[i]!;
      if (frame.hasValue) continue;
      if (this.#isKept(i - 1)) frame.value = i === 0 ? this.#root : this.#inner(i - 1);
      else if (i === depth) frame.value = this.#parse(frame.start);
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
    const token = frame.children.isObject ? frame.children.name() : frame.children.index;
    return Object.hasOwn(container, token)
      ? (container as Readonly<Record<string | number, unknown>>)[token]
      : undefined;
  }
}
