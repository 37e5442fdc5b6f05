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
  /** The token as UTF-8; null until it is compared. */
  bytes: Uint8Array | null;
  /** For few children a list is faster, for many a map. */
  children: Wanted[];
  byToken: Map<string, Wanted> | null;
  /** True if some of the children may have been found. */
  isEntered: boolean;
}

/** From this number of children on, a map is faster. */
const MANY = 12;

/** Shared by all places without children: there may be millions. */
const NO_CHILDREN: Wanted[] = [];

function newWanted(token: string, parent: Wanted | null): Wanted {
  const nowhere = { start: -1, end: -1, nameStart: -1, nameEnd: -1 };
  return { token, parent, ...nowhere, bytes: null, children: NO_CHILDREN, byToken: null, isEntered: false };
}

function childOf(node: Wanted, token: string): Wanted | undefined {
  if (node.byToken !== null) return node.byToken.get(token);
  for (const child of node.children) if (child.token === token) return child;
  return undefined;
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
    if (node.children.length === 0) node.children = [child];
    else node.children.push(child);
    if (node.byToken !== null) node.byToken.set(token, child);
    else if (node.children.length >= MANY) node.byToken = new Map(node.children.map((one) => [one.token, one]));
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
    wanted.isEntered = wanted.children.length > 0 && (opening === 0x7b || opening === 0x5b);
    if (!wanted.isEntered) after = skipValue(this.#bytes, at, this.#end);
    else after = opening === 0x7b ? this.#object(at, wanted) : this.#array(at, wanted);
    wanted.start = at;
    wanted.end = after;
    return after;
  }

  #object(opening: number, wanted: Wanted): number {
    const members = new Children(this.#bytes, opening, this.#end);
    for (let after = -1; members.next(after); ) {
      const child = childNamed(this.#bytes, members, wanted);
      after = -1;
      if (child === undefined) continue;
      forget(child);
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
}

/** The children that are elements, by index. */
function elementsOf(wanted: Wanted) {
  const elements: { readonly index: number; readonly child: Wanted }[] = [];
  let isSorted = true;
  let last = -1;
  for (const child of wanted.children) {
    if (!isIndexName(child.token)) continue;
    const index = Number(child.token);
    if (index < last) isSorted = false;
    last = index;
    elements.push({ index, child });
  }
  return isSorted ? elements : elements.sort((a, b) => a.index - b.index);
}

/** The child whose token equals the name of the present member. */
function childNamed(bytes: Buffer, members: Children, wanted: Wanted): Wanted | undefined {
  if (wanted.byToken !== null || members.hasEscape()) return childOf(wanted, members.name());
  const start = members.nameStart;
  const length = members.nameEnd - start - 2;
  for (const child of wanted.children) {
    child.bytes ??= Buffer.from(child.token);
    if (child.bytes.length !== length) continue;
    let same = 0;
    while (same < length && child.bytes[same] === bytes[start + 1 + same]) same++;
    if (same === length) return child;
  }
  return undefined;
}

/** Resets a place and all below it: a later member has the same name. */
function forget(wanted: Wanted): void {
  if (wanted.start < 0) return;
  wanted.start = -1;
  wanted.nameStart = -1;
  wanted.nameEnd = -1;
  if (wanted.isEntered) for (const child of wanted.children) forget(child);
  wanted.isEntered = false;
}
