/**
 * From JSON Pointers to byte ranges: where a member's value stands in a text, and where its name does.
 *
 * All pointers of a payload are found in one pass, so that a million violations in one array cost one walk. The
 * text must be well formed. Where a name stands twice, the last one counts, as it does for `JSON.parse`.
 */
import type { Span } from '../types.ts';
import { parsePointer } from './pointer.ts';
import { decodeString } from './scan.ts';
import { skipValue } from './skip.ts';
import { skipSpace } from './space.ts';

export interface Located {
  /** The value's token, or from bracket to bracket. */
  readonly value: Span;
  /** The name's token, quotes included; null for the root and for array elements. */
  readonly name: Span | null;
}

/** The pointers wanted, as a tree of their tokens. */
interface Wanted {
  readonly token: string;
  /** The token as UTF-8, once it is compared. */
  bytes: Uint8Array | null;
  /** Few, so a list is quicker than a map; many get one. */
  children: Wanted[];
  byToken: Map<string, Wanted> | null;
  located: Located | null;
}

/** From so many children on, a map is quicker. */
const MANY = 12;

/** Tokens come again and again: most of them are names of the schema. */
const TOKENS = new Map<string, Uint8Array>();
const REMEMBERED = 2000;

/** Shared by all that have none: there may be millions. */
const NO_CHILDREN: Wanted[] = [];

function newWanted(token: string): Wanted {
  return { token, bytes: null, children: NO_CHILDREN, byToken: null, located: null };
}

function bytesOf(token: string): Uint8Array {
  let bytes = TOKENS.get(token);
  if (bytes === undefined) {
    if (TOKENS.size >= REMEMBERED) TOKENS.clear();
    bytes = Buffer.from(token);
    TOKENS.set(token, bytes);
  }
  return bytes;
}

function childOf(node: Wanted, token: string): Wanted | undefined {
  if (node.byToken !== null) return node.byToken.get(token);
  for (const child of node.children) if (child.token === token) return child;
  return undefined;
}

function addChild(node: Wanted, token: string): Wanted {
  const child = newWanted(token);
  if (node.children.length === 0) node.children = [child];
  else node.children.push(child);
  if (node.byToken !== null) node.byToken.set(token, child);
  else if (node.children.length >= MANY) node.byToken = new Map(node.children.map((one) => [one.token, one]));
  return child;
}

/**
 * Finds each of `pointers` (relative to the text in `bytes[start, end)`). What is not there is not in the answer.
 */
export function locate(
  bytes: Buffer,
  start: number,
  end: number,
  pointers: Iterable<string>,
): Map<string, Located> {
  const root = newWanted('');
  const ends = new Map<string, Wanted>();
  for (const pointer of pointers) {
    let node = root;
    for (const token of parsePointer(pointer)) node = childOf(node, token) ?? addChild(node, token);
    ends.set(pointer, node);
  }
  visit(bytes, skipSpace(bytes, start, end), end, root, null);
  const found = new Map<string, Located>();
  for (const [pointer, node] of ends) if (node.located !== null) found.set(pointer, node.located);
  return found;
}

/** Walks the value at `at`, going down only where a pointer does; answers with the index after it. */
function visit(bytes: Buffer, at: number, end: number, wanted: Wanted, name: Span | null): number {
  const opening = bytes[at];
  let after: number;
  if (wanted.children.length === 0) after = skipValue(bytes, at, end);
  else if (opening === 0x7b) after = visitObject(bytes, at, end, wanted);
  else if (opening === 0x5b) after = visitArray(bytes, at, end, wanted);
  else after = skipValue(bytes, at, end);
  wanted.located = { value: { start: at, end: after }, name };
  return after;
}

function visitObject(bytes: Buffer, at: number, end: number, wanted: Wanted): number {
  at = skipSpace(bytes, at + 1, end);
  while (at < end && bytes[at] !== 0x7d) {
    const nameEnd = skipValue(bytes, at, end);
    const name = { start: at, end: nameEnd };
    const child = childNamed(bytes, name, wanted);
    at = skipSpace(bytes, skipSpace(bytes, nameEnd, end) + 1, end);
    if (child === undefined) at = skipValue(bytes, at, end);
    else {
      forget(child);
      at = visit(bytes, at, end, child, name);
    }
    at = skipSpace(bytes, at, end);
    if (bytes[at] === 0x2c) at = skipSpace(bytes, at + 1, end);
  }
  return at + 1;
}

/** The child whose token is the name in `span`, quotes included. */
function childNamed(bytes: Buffer, { start, end }: Span, wanted: Wanted): Wanted | undefined {
  let escaped = false;
  for (let i = start; i < end && !escaped; i++) escaped = bytes[i] === 0x5c;
  if (escaped || wanted.byToken !== null) return childOf(wanted, decodeString(bytes, start, end, escaped));
  const length = end - start - 2;
  for (const child of wanted.children) {
    child.bytes ??= bytesOf(child.token);
    if (child.bytes.length !== length) continue;
    let same = 0;
    while (same < length && child.bytes[same] === bytes[start + 1 + same]) same++;
    if (same === length) return child;
  }
  return undefined;
}

function visitArray(bytes: Buffer, at: number, end: number, wanted: Wanted): number {
  at = skipSpace(bytes, at + 1, end);
  for (let index = 0; at < end && bytes[at] !== 0x5d; index++) {
    const child = childOf(wanted, String(index));
    at = child === undefined ? skipValue(bytes, at, end) : visit(bytes, at, end, child, null);
    at = skipSpace(bytes, at, end);
    if (bytes[at] === 0x2c) at = skipSpace(bytes, at + 1, end);
  }
  return at + 1;
}

/** A later member of the same name takes the place of an earlier one, with all below it. */
function forget(wanted: Wanted): void {
  if (wanted.located === null) return;
  wanted.located = null;
  for (const child of wanted.children) forget(child);
}
