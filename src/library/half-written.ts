/**
 * The context of an offset in a JSON text that may be half-written: the object or value there, and what is already
 * written. The text is read with the parser of VS Code's own JSON support, because it continues after any fault.
 */
import { findNodeAtLocation, getLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';

/** Index of an element, or name of a member. */
export type Step = string | number;

export interface HalfWritten {
  /** From the root: of the object that gets a member, or of the value. */
  readonly path: readonly Step[];
  /** True: a name belongs here; false: a value. */
  readonly isName: boolean;
  /** What a name or value that is chosen here replaces, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The names that the object has already, without the one at the offset. */
  readonly names: ReadonlySet<string>;
  /** A colon follows the name at the offset. */
  readonly hasColon: boolean;
  /** The value at a path, as far as it is written; undefined if there is none. */
  readonly valueAt: (path: readonly Step[]) => unknown;
}

/** Null if neither a name nor a value can be put there, as between two values without a comma. */
export function lookAt(text: string, offset: number): HalfWritten | null {
  const { path, isAtPropertyKey: isName, previousNode } = getLocation(text, offset);
  if (previousNode !== undefined && offset > previousNode.offset + previousNode.length) return null;
  const isInside = previousNode !== undefined && offset > previousNode.offset;
  const span = isInside ? tokenSpan(text, previousNode, offset) : wordSpan(text, offset);
  const [start, end] = span;
  const before = text.slice(0, start).trimEnd().at(-1);
  // A value follows another one only after a comma.
  if (before !== undefined && !'{[,:'.includes(before)) return null;
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const nodeAt = (at: readonly Step[]): Node | undefined =>
    root === undefined ? undefined : findNodeAtLocation(root, [...at]);
  const place = isName ? path.slice(0, -1) : path;
  const names = isName ? namesOf(nodeAt(place), start) : [];
  return {
    path: place,
    isName,
    start,
    end,
    names: new Set(names),
    hasColon: /^\s*:/.test(text.slice(end)),
    valueAt: (at) => writtenValue(nodeAt(at)),
  };
}

/**
 * The range of a token. A string whose end is missing ends at the offset; so does one that ends where the next string
 * was meant to begin.
 */
function tokenSpan(text: string, { offset: start, length }: Node, offset: number): [number, number] {
  const end = start + length;
  const isClosed = text[start] !== '"' || (length > 1 && text[end - 1] === '"');
  return [start, isClosed && /^(?:[\s,:}\]]|$)/.test(text.slice(end, end + 1)) ? end : offset];
}

/** The letters around the offset: the beginning of a literal, or of a name without quotes. */
function wordSpan(text: string, offset: number): [number, number] {
  const before = /[\w@$.+-]*$/.exec(text.slice(Math.max(0, offset - 200), offset))![0]; // it also matches ''
  const after = /^[\w@$.+-]*/.exec(text.slice(offset, offset + 200))![0];
  return [offset - before.length, offset + after.length];
}

function namesOf(object: Node | undefined, start: number): string[] {
  return (object?.children ?? []).flatMap(({ children }) => {
    const name = children?.[0];
    return name === undefined || name.offset === start ? [] : [String(name.value)];
  });
}

/** Copied into plain objects, because the parser makes objects without a prototype. */
function writtenValue(node: Node | undefined): unknown {
  return node === undefined ? undefined : JSON.parse(JSON.stringify(getNodeValue(node) ?? null));
}
