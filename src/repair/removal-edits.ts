/**
 * The bytes that go with members that are removed from a payload: a member on lines of its own goes with its lines, one between
 * others with one comma and the white space on the side of that comma, and the last one with the comma before it. An object that
 * becomes empty is `{}`. Members are taken out from left to right, each as if those before it had never been there.
 */
import { Children } from '../json/children.ts';
import { NO_REMOVALS, type Pruned, type Removals } from '../json/edits.ts';
import { minify } from '../json/minify.ts';
import { escapeToken } from '../json/pointer.ts';
import { BACKSLASH, COLON, COMMA, LINE_FEED, QUOTE, skipSpace, skipValue, withoutSpace } from '../json/skip.ts';
import { jsonEqual, valueWritten } from '../json/value.ts';
import type { Span } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { Pattern } from './fill-edits.ts';
import type { MemberTexts } from './insertion.ts';

/**
 * The value of a member that is removed, from index `at`, for people and programs that keep it; with its text, if the
 * value alone would not be the same again.
 */
export function removedValue(
  bytes: Buffer,
  at: number,
  end: number,
): { readonly value: unknown; readonly written?: string } {
  const span = { start: at, end: skipValue(bytes, at, end) };
  const known = valueWritten(bytes.toString('utf8', span.start, span.end));
  // Numbers beyond a double and halves of surrogate pairs have no text in a report.
  if (known.written !== undefined || jsonEqual(JSON.parse(jsonText(known.value)), known.value)) return known;
  const text = Buffer.allocUnsafe(span.end - span.start);
  return { ...known, written: text.toString('utf8', 0, minify(bytes, span, text, 0)) };
}

type ObjectValue = Readonly<Record<string, unknown>>;

/** A member in the text, by indexes. */
interface WrittenMember {
  /** Of its name, and of its value. */
  readonly start: number;
  readonly value: number;
  readonly end: number;
  /** Of the comma after it; of the closing bracket if it is the last one. */
  readonly comma: number;
}

/** The text between two members that stay, or a bracket. */
interface MemberBefore {
  /** The end of the value before; -1: it is the opening bracket. */
  readonly end: number;
  /** Of the comma before, or the opening bracket. */
  readonly comma: number;
}

/** More names than these have one pattern together: a payload can have any number of them. */
const MOST_PATTERNS = 1000;

/** Collects members that go, in the order of the text, and then what goes with them. None is inside of another. */
export class RemovedMembers {
  /** The indexes of their names. */
  readonly #places: number[] = [];
  readonly #patterns = new Map<string, number>();

  /** `start`: the index of the name; `object`: the pattern of the pointer of its object. */
  add(start: number, object: string, name: string): void {
    this.#places.push(start);
    const own = `${object}/${escapeToken(name)}`;
    const known = this.#patterns.has(own) || this.#patterns.size < MOST_PATTERNS ? own : `${object}/*`;
    this.#patterns.set(known, (this.#patterns.get(known) ?? 0) + 1);
  }

  /** `end`: of the text. */
  removals(bytes: Buffer, end: number): Removals {
    const { length } = this.#places;
    if (length === 0) return NO_REMOVALS;
    const rows: number[] = [];
    let run: WrittenMember[] = [];
    for (const [i, start] of this.#places.entries()) {
      const colon = skipSpace(bytes, skipValue(bytes, start, end), end);
      const value = skipSpace(bytes, colon + 1, end);
      const valueEnd = skipValue(bytes, value, end);
      const comma = skipSpace(bytes, valueEnd, end);
      run.push({ start, value, end: valueEnd, comma });
      const next = bytes[comma] === COMMA ? skipSpace(bytes, comma + 1, end) : -1;
      if (next >= 0 && this.#places[i + 1] === next) continue;
      const before = memberBefore(bytes, run[0]!.start);
      if (next < 0) addLast(rows, before, run);
      else addBetween(rows, bytes, before, run, next);
      run = [];
    }
    return { length, rows, patterns: this.#patterns };
  }
}

/** What is before the member whose name begins at index `start`. */
function memberBefore(bytes: Buffer, start: number): MemberBefore {
  const comma = withoutSpace(bytes, 0, start) - 1;
  return { end: bytes[comma] === COMMA ? withoutSpace(bytes, 0, comma) : -1, comma };
}

/** The last members of an object take the comma before them; all of them take all that is between the brackets. */
function addLast(rows: number[], before: MemberBefore, run: readonly WrittenMember[]): void {
  const close = run.at(-1)!.comma;
  let from = before.end;
  for (const [i, { start, value, end }] of run.entries()) {
    if (before.end < 0) rows.push(start, value, i === 0 ? before.comma + 1 : close, close);
    else rows.push(start, value, from, end);
    from = end;
  }
}

/** Members before one that stays, whose name begins at `next`. */
function addBetween(
  rows: number[],
  bytes: Buffer,
  before: MemberBefore,
  run: readonly WrittenMember[],
  next: number,
): void {
  /** From and to, by member. */
  const ranges: [from: number, to: number][] = [];
  /** The first of those in whose place the next member comes; -1: there is none. */
  let pending = -1;
  let startsLine = false;
  /** How many of them take the comma before them. */
  let settled = 0;
  for (const [i, { start, end, comma }] of run.entries()) {
    const last = i === 0 ? before : run[i - 1]!;
    const following = run[i + 1]?.start ?? next;
    if (before.end >= 0 && hasLine(bytes, end, comma)) {
      // Commas begin lines: each takes the one before it.
      for (; settled <= i; settled++)
        ranges[settled] = [settled === 0 ? before.end : run[settled - 1]!.end, run[settled]!.end];
      pending = -1;
      continue;
    }
    if (pending < 0) startsLine = hasLine(bytes, last.comma, start);
    const isFirst = pending >= 0 || startsLine || last.end < 0;
    if (isFirst && startsLine && hasLine(bytes, comma, following)) {
      const to = bytes.indexOf(LINE_FEED, comma) + 1;
      const line = bytes.lastIndexOf(LINE_FEED, pending < 0 ? start : run[pending]!.start) + 1;
      ranges.push([pending < 0 ? line : start, to]);
      if (pending >= 0) ranges[pending]![0] = line;
      pending = -1;
    } else if (isFirst) {
      ranges.push([start, following]);
      if (pending < 0) pending = i;
    } else ranges.push([last.comma + 1, comma + 1]);
  }
  for (const [i, [from, to]] of ranges.entries()) rows.push(run[i]!.start, run[i]!.value, from, to);
}

function hasLine(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === LINE_FEED) return true;
  return false;
}

/** What goes from `bytes[span)` if the members in `pruned` do; `value` is what stays. `knows`: whether a name is in a schema. */
export function removalEdits(
  bytes: Buffer,
  span: Span,
  value: unknown,
  { names, around }: Pruned,
  texts: Pick<MemberTexts, 'knows'>,
): Removals {
  const removed = new RemovedMembers();
  /** Walks through the container at index `at`, if members of it go, or of what is in it. Returns the index after it, or -1. */
  const walk = (at: number, inner: unknown, patternOf: () => Pattern): number => {
    if (typeof inner !== 'object' || inner === null || !around.has(inner)) return -1;
    const pattern = patternOf();
    const gone = names.get(inner);
    const children = new Children(bytes, at, span.end);
    for (let end = -1; children.next(end); ) {
      const { start, nameStart, index } = children;
      const name = children.isObject ? children.name() : null;
      if (name !== null && gone?.has(name)) removed.add(nameStart, pattern.text, name);
      const below = (): Pattern => (name === null ? pattern.anyItem : pattern.member(name, texts));
      end = walk(start, (inner as ObjectValue)[name ?? index], below);
    }
    return children.after;
  };
  walk(skipSpace(bytes, span.start, span.end), value, () => new Pattern());
  return removed.removals(bytes, span.end);
}

/** What goes with one member alone, whose name or value begins at index `at`; empty if there is none. */
export function memberRemoval(bytes: Buffer, span: Span, at: number): Removals {
  const colon = withoutSpace(bytes, span.start, at) - 1;
  const start = bytes[colon] === COLON ? nameBefore(bytes, withoutSpace(bytes, span.start, colon)) : at;
  const after = skipSpace(bytes, skipValue(bytes, start, span.end), span.end);
  if (bytes[after] !== COLON) return NO_REMOVALS;
  const removed = new RemovedMembers();
  removed.add(start, '', '');
  return removed.removals(bytes, span.end);
}

/** Where the string begins that ends before index `end`: at the last quote before the closing one that is not escaped. */
function nameBefore(bytes: Buffer, end: number): number {
  for (let at = bytes.lastIndexOf(QUOTE, end - 2); ; at = bytes.lastIndexOf(QUOTE, at - 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
