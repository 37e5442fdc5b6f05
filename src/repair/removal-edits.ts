/**
 * The bytes that go with members that are removed from a payload: a member on lines of its own goes with its lines, one between
 * others with one comma and the white space on the side of that comma, and the last one with the comma before it. An object that
 * becomes empty is `{}`. Members are taken out from left to right, each as if those before it had never been there.
 */
import { Children } from '../json/children.ts';
import { NO_REMOVALS, type Pruned, type Removals } from '../json/edits.ts';
import { minify } from '../json/minify.ts';
import { escapeToken } from '../json/pointer.ts';
import { LINE_FEED, OPEN_ARRAY, OPEN_OBJECT, skipSpace, skipValue } from '../json/skip.ts';
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

/** A member in the text, by indexes. */
interface WrittenMember {
  /** Of its name, and of its value. */
  readonly start: number;
  readonly value: number;
  readonly end: number;
  /** Of the comma after it; of the closing bracket if it is the last one. */
  readonly comma: number;
}

type ObjectValue = Readonly<Record<string, unknown>>;

/** The text between two members that stay, or a bracket. */
interface MemberBefore {
  /** The end of the value before; -1: it is the opening bracket. */
  readonly end: number;
  /** Of the comma before, or the opening bracket. */
  readonly comma: number;
}

/** More names than these have one pattern together: a payload can have any number of them. */
const MOST_PATTERNS = 1000;

/** Which members go. `value` and `object` are what stays; undefined where that is not known. */
interface Taking {
  /** Whether one of them is inside of the value at index `at`. */
  around(value: unknown, at: number): boolean;
  /** `start`, `at`: the index of the name and of the value. */
  takes(object: unknown, name: string, start: number, at: number): boolean;
  /** Whether a name is in a schema. */
  knows(name: string): boolean;
}

/** What goes from `bytes[span)` if the members in `pruned` do; `value` is what stays. `knows`: whether a name is in a schema. */
export function removalEdits(
  bytes: Buffer,
  span: Span,
  value: unknown,
  { names, around }: Pruned,
  { knows }: Pick<MemberTexts, 'knows'>,
): Removals {
  return removalsBy(bytes, span, value, {
    around: (inner) => typeof inner === 'object' && inner !== null && around.has(inner),
    takes: (object, name) => names.get(object as object)?.has(name) === true, // it is around
    knows,
  });
}

/** What goes with one member alone, whose name or value begins at index `at`; empty if there is none. */
export function memberRemoval(bytes: Buffer, span: Span, at: number): Removals {
  return removalsBy(bytes, span, undefined, {
    around: (_, from) => from <= at && at < skipValue(bytes, from, span.end),
    takes: (_, __, start, value) => at === start || at === value,
    knows: () => false,
  });
}

function removalsBy(bytes: Buffer, span: Span, value: unknown, taking: Taking): Removals {
  const walk = new RemovalWalk(bytes, span.end, taking);
  walk.value(skipSpace(bytes, span.start, span.end), value, new Pattern());
  return walk.rows.length === 0 ? NO_REMOVALS : { length: walk.count, rows: walk.rows, patterns: walk.patterns };
}

class RemovalWalk {
  readonly rows: number[] = [];
  readonly patterns = new Map<string, number>();
  count = 0;
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #taking: Taking;

  constructor(bytes: Buffer, end: number, taking: Taking) {
    this.#bytes = bytes;
    this.#end = end;
    this.#taking = taking;
  }

  /** Walks through the value at index `at`. Returns the index after it. */
  value(at: number, value: unknown, pattern: Pattern): number {
    if (!this.#isContainer(at) || !this.#taking.around(value, at)) return skipValue(this.#bytes, at, this.#end);
    const children = new Children(this.#bytes, at, this.#end);
    if (children.isObject)
      this.#object(children, { end: -1, comma: at }, value as ObjectValue | undefined, pattern); // as the bytes say
    else this.#array(children, value as readonly unknown[] | undefined, pattern.anyItem);
    return children.after;
  }

  #array(children: Children, items: readonly unknown[] = [], pattern: Pattern): void {
    let itemEnd = -1;
    while (children.next(itemEnd)) itemEnd = this.value(children.start, items[children.index], pattern);
  }

  #object(children: Children, open: MemberBefore, members: ObjectValue | undefined, pattern: Pattern): void {
    let before = open;
    let run: WrittenMember[] = [];
    let end = -1;
    while (children.next(end)) {
      const { nameStart: start, start: value } = children;
      const name = children.name();
      const isGone = this.#taking.takes(members, name, start, value);
      if (isGone) {
        end = skipValue(this.#bytes, value, this.#end);
        this.#add(pattern, name);
      } else {
        if (run.length > 0) this.#between(before, run, start);
        run = [];
        end = this.#isContainer(value)
          ? this.value(value, members?.[name], pattern.member(name, this.#taking))
          : skipValue(this.#bytes, value, this.#end);
      }
      const comma = skipSpace(this.#bytes, end, this.#end);
      if (isGone) run.push({ start, value, end, comma });
      else before = { end, comma };
    }
    if (run.length > 0) this.#last(before, run, children.after - 1);
  }

  #add(pattern: Pattern, name: string): void {
    this.count++;
    const own = `${pattern.text}/${escapeToken(name)}`;
    const known = this.patterns.has(own) || this.patterns.size < MOST_PATTERNS ? own : `${pattern.text}/*`;
    this.patterns.set(known, (this.patterns.get(known) ?? 0) + 1);
  }

  /** The last members of an object take the comma before them; all of them take all that is between the brackets. */
  #last(before: MemberBefore, run: readonly WrittenMember[], close: number): void {
    let from = before.end;
    for (const [i, { start, value, end }] of run.entries()) {
      if (before.end < 0) this.rows.push(start, value, i === 0 ? before.comma + 1 : close, close);
      else this.rows.push(start, value, from, end);
      from = end;
    }
  }

  /** Members before one that stays, whose name begins at `next`. */
  #between(before: MemberBefore, run: readonly WrittenMember[], next: number): void {
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
      if (before.end >= 0 && this.#hasLine(end, comma)) {
        // Commas begin lines: each takes the one before it.
        for (; settled <= i; settled++)
          ranges[settled] = [settled === 0 ? before.end : run[settled - 1]!.end, run[settled]!.end];
        pending = -1;
        continue;
      }
      if (pending < 0) startsLine = this.#hasLine(last.comma, start);
      const isFirst = pending >= 0 || startsLine || last.end < 0;
      if (isFirst && startsLine && this.#hasLine(comma, following)) {
        const to = this.#bytes.indexOf(LINE_FEED, comma) + 1;
        const line = this.#bytes.lastIndexOf(LINE_FEED, pending < 0 ? start : run[pending]!.start) + 1;
        ranges.push([pending < 0 ? line : start, to]);
        if (pending >= 0) ranges[pending]![0] = line;
        pending = -1;
      } else if (isFirst) {
        ranges.push([start, following]);
        if (pending < 0) pending = i;
      } else ranges.push([last.comma + 1, comma + 1]);
    }
    for (const [i, [from, to]] of ranges.entries()) this.rows.push(run[i]!.start, run[i]!.value, from, to);
  }

  #isContainer(at: number): boolean {
    const first = this.#bytes[at];
    return first === OPEN_ARRAY || first === OPEN_OBJECT;
  }

  #hasLine(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#bytes[at] === LINE_FEED) return true;
    return false;
  }
}
