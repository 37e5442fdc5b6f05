/**
 * From JSON Pointers to byte ranges: of a member's value and of its name.
 *
 * All pointers are found in one pass over the text, which must be well-formed. Of members with a duplicate name the
 * last one counts, as for `JSON.parse`.
 */
import { Children } from './children.ts';
import { isIndexName, parsePointer } from './pointer.ts';
import { skipSpace, skipValue } from './skip.ts';
import type { Span } from './vocabulary.ts';

export interface Located {
  /** The value's token, or from bracket to bracket. */
  readonly value: Span;
  /** The name's token, quotes included; null for the root and for array elements. */
  readonly name: Span | null;
}

/** A place to find. After `PointerTree.locate`, `start` is -1 if there is no such value. */
export interface PlaceNode {
  /** Null for the root. */
  readonly parent: PlaceNode | null;
  readonly token: string;
  /** Indexes into the bytes: of the value, and of its name with its quotes; -1 if there is none. */
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** A place while it is being looked for. */
interface Wanted extends PlaceNode {
  readonly parent: Wanted | null;
  start: number;
  end: number;
  nameStart: number;
  nameEnd: number;
  /** By token, or a list: for few children that is faster, and takes less memory. */
  children: Wanted[] | Map<string, Wanted>;
}

/** From this number of children on, a map is faster. */
const MANY = 12;

/** Shared by all places without children: there may be millions. */
const NO_CHILDREN: Wanted[] = [];

function newWanted(token: string, parent: Wanted | null): Wanted {
  return { token, parent, start: -1, end: -1, nameStart: -1, nameEnd: -1, children: NO_CHILDREN };
}

function childOf({ children }: Wanted, token: string): Wanted | undefined {
  return Array.isArray(children) ? children.find((child) => child.token === token) : children.get(token);
}

/** Places to find in one pass. */
export class PointerTree {
  readonly root: PlaceNode = newWanted('', null);

  /** `pointer`: RFC 6901, from the root of the text. */
  add(pointer: string): PlaceNode {
    return parsePointer(pointer).reduce((node, token) => this.addTo(node, token), this.root);
  }

  /** The member called `token` in a place of this tree. */
  addTo(place: PlaceNode, token: string): PlaceNode {
    const node = place as Wanted; // all nodes are made here
    const known = childOf(node, token);
    if (known !== undefined) return known;
    const child = newWanted(token, node);
    const { children } = node;
    if (!Array.isArray(children)) children.set(token, child);
    else if (children.length === 0) node.children = [child];
    else if (children.push(child) >= MANY) node.children = new Map(children.map((one) => [one.token, one]));
    return child;
  }

  /** Finds all places in the text in `bytes`, in the range `span`. */
  locate(bytes: Buffer, span: Span): void {
    const at = skipSpace(bytes, span.start, span.end);
    new LocateWalk(bytes, span.end).visit(at, this.root as Wanted); // all nodes are made here
  }
}

/** Finds each of `pointers` (relative to the text in `bytes[start, end)`). The result contains only those that exist. */
export function locate(bytes: Buffer, start: number, end: number, pointers: Iterable<string>): Map<string, Located> {
  const tree = new PointerTree();
  const places = new Map<string, PlaceNode>();
  for (const pointer of pointers) places.set(pointer, tree.add(pointer));
  tree.locate(bytes, { start, end });
  const found = new Map<string, Located>();
  for (const [pointer, place] of places) {
    if (place.start < 0) continue;
    const name = place.nameStart < 0 ? null : { start: place.nameStart, end: place.nameEnd };
    found.set(pointer, { value: { start: place.start, end: place.end }, name });
  }
  return found;
}

/** One pass over a text. Methods return the index after what they read. */
class LocateWalk {
  readonly #bytes: Buffer;
  readonly #end: number;

  constructor(bytes: Buffer, end: number) {
    this.#bytes = bytes;
    this.#end = end;
  }

  /** Reads the value at `at`. Goes into it only if a pointer does. */
  visit(at: number, wanted: Wanted): number {
    const opening = this.#bytes[at];
    let after: number;
    if (wanted.children === NO_CHILDREN) after = skipValue(this.#bytes, at, this.#end);
    else if (opening === 0x7b) after = this.#object(at, wanted);
    else after = opening === 0x5b ? this.#array(at, wanted) : skipValue(this.#bytes, at, this.#end);
    wanted.start = at;
    wanted.end = after;
    return after;
  }

  #object(opening: number, wanted: Wanted): number {
    const members = new Children(this.#bytes, opening, this.#end);
    for (let after = -1; members.next(after); ) {
      const child = childOf(wanted, members.name());
      after = -1;
      if (child === undefined) continue;
      this.#forget(child);
      after = this.visit(members.start, child);
      child.nameStart = members.nameStart;
      child.nameEnd = members.nameEnd;
    }
    return members.after;
  }

  #array(opening: number, wanted: Wanted): number {
    const elements = elementsOf(wanted);
    let found = 0;
    const items = new Children(this.#bytes, opening, this.#end);
    for (let after = -1; items.next(after); ) {
      const isWanted = elements[found]?.index === items.index;
      after = isWanted ? this.visit(items.start, elements[found++]!.child) : -1;
    }
    return items.after;
  }

  /** Resets a place and all that was found below it: a later member has the same name. */
  #forget(wanted: Wanted): void {
    const { start, children } = wanted;
    if (start < 0) return;
    wanted.start = -1;
    wanted.nameStart = -1;
    wanted.nameEnd = -1;
    if (this.#bytes[start] === 0x7b || this.#bytes[start] === 0x5b)
      for (const child of children.values()) this.#forget(child);
  }
}

/** The children that are elements, by index. */
function elementsOf(wanted: Wanted) {
  const elements: { readonly index: number; readonly child: Wanted }[] = [];
  let isSorted = true;
  let last = -1;
  for (const child of wanted.children.values()) {
    if (!isIndexName(child.token)) continue;
    const index = Number(child.token);
    if (index < last) isSorted = false;
    last = index;
    elements.push({ index, child });
  }
  return isSorted ? elements : elements.sort((a, b) => a.index - b.index);
}
