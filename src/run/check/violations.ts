/**
 * Findings to violations, each a statement and a place: byte ranges become lines and columns, pointers start at the
 * text that contains the payload, and a code frame shows a part of the line.
 *
 * The insertions of `fill`, and what `prune` removes, are assigned to the violations of a payload, as their fixes. Each
 * edit is the fix of one violation, and no two are at the same place: all of them together, in any order, make the
 * payload what `fill`, or `prune`, writes.
 */

import { bareStatement } from '../../engine/judge/fault.ts';
import {
  AT,
  type FillTable,
  FROM,
  fillAt,
  NAME,
  OBJECT,
  REMOVAL_WIDTH,
  type Removals,
  TEXT,
  TO,
  VALUE,
} from '../../json/edits.ts';
import type { Place, Places } from '../../json/lines.ts';
import { locate } from '../../json/locate.ts';
import { escapeToken } from '../../json/pointer.ts';
import type { patternsIn } from '../../json/pointer-pattern.ts';
import { skipValue } from '../../json/skip.ts';
import { LOOK_BACK } from '../../json/syntax-cause.ts';
import { byteOrderMark } from '../../json/utf8.ts';
import { withHints } from '../../log/violation-table.ts';
import { nearby } from '../../report/paint.ts';
import { KEPT_BYTES, type Window } from '../../source/window.ts';
import type {
  Child,
  Edit,
  Excerpt,
  Finding,
  InFile,
  Mutable,
  OtherLine,
  Span,
  Statement,
  ViolationPlace,
} from '../../types.ts';
import { quote } from '../../words/escape.ts';
import { levelOf, type RuleLevels } from '../../words/rule-levels.ts';
import { type Steps, wait } from './flow.ts';

/** What the violations of a payload share. */
export interface PayloadPlace {
  readonly file: string;
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  readonly kind: string | null;
  /** The beginning of pointers: `/3` for an element of an array, otherwise empty. */
  readonly prefix: string;
  /** Offset in the source of index 0 of the findings' spans. */
  readonly base: number;
  /** Index among the rejected payloads; null if it is not one of them, or nothing asks for it. */
  readonly reject: number | null;
  readonly rules: RuleLevels;
  /** See `patternsIn`, for pointers without the prefix. */
  readonly patterns: ReturnType<typeof patternsIn>;
}

/** Source offsets of which the violations and their edits need the line and column, ascending; some may be equal. */
export function offsetsOf(findings: readonly Finding[], base: number, edits: readonly Edit[] = []): number[] {
  const offsets: number[] = edits.flatMap(({ at, length }) => [base + at, base + at + length]);
  let isSorted = offsets.length === 0;
  for (const finding of findings) {
    const { start, end } = finding.span;
    isSorted &&= offsets.length === 0 || base + start >= offsets[offsets.length - 1]!;
    offsets.push(base + start, base + end);
    for (const span of spansBelow(finding)) {
      offsets.push(base + span.start, base + span.end);
      isSorted = false;
    }
    const first = spanOfFirst(finding);
    if (first === null) continue;
    offsets.push(base + first.start);
    isSorted = false;
  }
  return isSorted ? offsets : offsets.sort((a, b) => a - b);
}

/** The spans of all findings below one. */
function* spansBelow({ children = [] }: Finding): Generator<Span> {
  for (const child of children) {
    yield child.span;
    yield* spansBelow(child);
  }
}

/** Where a finding is. `places`: of the offsets given by `offsetsOf`. */
export function placeOf(
  { rule, span }: Pick<Finding, 'rule' | 'span'>,
  { file, payload, base }: Pick<PayloadPlace, 'file' | 'payload' | 'base'>,
  places: Places,
): ViolationPlace {
  const { line, column } = places.get(base + span.start);
  // A byte that is not UTF-8 has no code units: it is shown as one character and takes one column.
  const end = rule === 'json-encoding' ? { line, column: column + 1 } : places.get(base + span.end);
  const offset = base + span.start;
  return { file, payload, line, column, endLine: end.line, endColumn: end.column, offset };
}

/** What a finding says. `places`: as for `placeOf`. */
export function statementOf(
  finding: Finding,
  { kind, prefix, base, reject, rules, patterns }: Omit<PayloadPlace, 'file' | 'payload'>,
  places: Places,
): Statement {
  const first = spanOfFirst(finding);
  const placeAt = (index: number): Place => places.get(base + index);
  const params = first === null ? finding.params : { first: { ...placeAt(first.start), offset: base + first.start } };
  const children = childrenOf(finding, { prefix, base }, placeAt);
  const statement = bareStatement(finding, kind, levelOf(finding.rule, rules) === 'warning' ? 'warning' : 'error');
  statement.pointer = prefix + finding.pointer;
  statement.params = params;
  const pattern = patterns?.(finding.pointer) ?? null;
  if (pattern !== null) statement.pattern = prefix === '' ? pattern : `/*${pattern}`;
  if (reject !== null) statement.reject = reject;
  if (children.length > 0) statement.children = children;
  return statement;
}

/** The list below a finding; `placeOf`: of an index in the bytes examined. */
function childrenOf(
  { children = [] }: Finding,
  payload: Pick<PayloadPlace, 'prefix' | 'base'>,
  placeOf: (index: number) => Place,
): readonly Child[] {
  const childOf = (child: Finding): Child => {
    const { start, end } = child.span;
    const { line: endLine, column: endColumn } = placeOf(end);
    const { rule, message, params, schema } = child;
    const place = placeOf(start);
    const listed = {
      line: place.line,
      column: place.column,
      endLine,
      endColumn,
      offset: payload.base + start,
      pointer: payload.prefix + child.pointer,
      rule,
      message,
      params,
      schema,
    } as Mutable<Child>; // the params match the rule
    const below = childrenOf(child, payload, placeOf);
    if (below.length > 0) listed.children = below;
    return withHints(listed, child);
  };
  return children.map(childOf);
}

/** The place of a finding in the bytes of its file. `edits`: those that fix it. */
export function inFileOf({ span }: Finding, edits: readonly Edit[], base: number, places: Places): InFile {
  return {
    byteLength: span.end - span.start,
    edits: edits.map(({ at, length, text }) => {
      const offset = base + at;
      const { line, column } = places.get(offset);
      const { line: endLine, column: endColumn } = places.get(offset + length);
      return { line, column, endLine, endColumn, offset, byteLength: length, text };
    }),
  };
}

/** Where the first of two equal names is, in the bytes examined; null for a finding of another rule. */
function spanOfFirst(finding: Finding): Span | null {
  return finding.rule === 'duplicate-member' ? finding.params.first : null;
}

/** True if the whole source is in another encoding than UTF-8. */
export function isOtherEncoding(finding: Finding): boolean {
  return finding.rule === 'json-encoding' && finding.params.encoding !== undefined;
}

/** Bytes of the line before and after the place. */
const BEFORE = KEPT_BYTES;
const AFTER = 960;

/** Reads all that an excerpt at index `at` shows, so that excerpts do not depend on chunks. */
export function* readExcerpt(window: Window, at: number): Steps<void> {
  while (window.end <= at + AFTER && window.bytes.subarray(at, window.end).indexOf(0x0a) < 0) {
    if (!(yield* wait(window.ahead()))) return;
  }
}

/** What a code frame needs of a violation. */
export interface Framed extends Pick<Finding, 'span' | 'earlier' | 'children'> {
  readonly statement: Pick<Statement, 'misspelt' | 'children'>;
  readonly column: number;
}

/** The line of a violation, and those of what is shown with it. `isNear`: only a piece of it. */
export function excerptOf(
  { span, earlier, children = [], statement, column }: Framed,
  window: Window,
  isNear: boolean,
): Excerpt {
  const excerpt = excerptAt(window, span.start, column, isNear);
  const line = earlier === undefined ? null : otherLine(window, earlier, span.start);
  const cause = line === null || line.above === 0 ? {} : { earlier: line };
  if (isNear) return { ...excerpt, ...cause };
  const name = misspeltName(statement.misspelt, span.start, window);
  const misspelt = name === null ? {} : { misspelt: otherLine(window, name, span.start) };
  const below = children
    .slice(0, 3) // each has a code frame
    .map((child, i) => excerptAt(window, child.span.start, statement.children![i]!.column, false));
  return { ...excerpt, ...cause, ...misspelt, ...(below.length === 0 ? {} : { below }) };
}

/** The last index that an excerpt of the finding is about, so that all of it can be read. */
export function lastShown({ span, misspelt, children = [] }: Finding, window: Window): number {
  const name = misspeltName(misspelt, span.start, window);
  return Math.max(span.start, name?.start ?? 0, ...children.map((child) => child.span.start));
}

/** Where the name is, in the object at index `start`, that is there instead of a missing one. Null: it is not shown. */
function misspeltName(name: string | undefined, start: number, window: Window): Span | null {
  if (name === undefined || quote(name) !== `"${name}"` || window.bytes[start] !== 0x7b) return null;
  const pointer = `/${escapeToken(name)}`;
  const end = skipValue(window.bytes, start, Math.min(window.end, start + FAR));
  if (end === start + FAR) return null;
  return locate(window.bytes, start, end, [pointer]).get(pointer)?.name ?? null;
}

/** Larger objects are not searched: an object may lack hundreds of members. */
const FAR = 1 << 16;

/** The line around index `at` of the window, which is at `column`. */
function excerptAt(window: Window, at: number, column: number, isNear: boolean): Excerpt {
  const { at: before, ...line } = lineAround(window, at, BEFORE, AFTER);
  const whole = { ...line, cutBefore: column > before + 1 };
  if (!isNear) return { ...whole, column: column - before };
  const { first, ...near } = nearby(whole, Math.min(before, whole.text.length));
  return { ...near, column: column - before + first };
}

/** The line around index `at`, cut to `before` bytes before it and `after` bytes from it on. */
function lineAround(
  { bytes, base, end }: Window,
  at: number,
  before: number,
  after: number,
): Omit<OtherLine, 'length' | 'above'> {
  const lowest = Math.min(at, base === 0 ? byteOrderMark(bytes) : 0);
  let from = Math.max(lowest, at - before);
  const lineFeed = bytes.subarray(from, at).lastIndexOf(0x0a);
  if (lineFeed >= 0) from += lineFeed + 1;
  else while (from < at && isContinuation(bytes[from]!)) from++;
  let to = Math.min(end, at + after);
  const next = bytes.subarray(at, to).indexOf(0x0a);
  if (next >= 0) to = at + next;
  else while (to < end && to > at && isContinuation(bytes[to]!)) to--;
  return {
    text: bytes.toString('utf8', from, to).replace(/\r$/, ''),
    at: bytes.toString('utf8', from, at).length,
    cutBefore: lineFeed < 0 && base + from > lowest,
    cutAfter: next < 0 && to < end,
  };
}

/** Bytes of an earlier line before and after the cause: no more than are always in the window. */
const EARLIER = KEPT_BYTES - LOOK_BACK;

/** The line around a span of the window. `from`: the index of the violation. */
function otherLine(window: Window, { start, end }: Span, from: number): OtherLine {
  const { bytes } = window;
  const isEarlier = start < from;
  let above = 0;
  for (const byte of bytes.subarray(Math.min(start, from), Math.max(start, from)))
    if (byte === 0x0a) above += isEarlier ? 1 : -1;
  const line = lineAround(window, start, EARLIER, isEarlier ? EARLIER : AFTER);
  return { ...line, length: bytes.toString('utf8', start, end).length, above };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

const NO_EDITS: readonly Edit[] = [];

export class Fixes {
  readonly #fills: FillTable;
  /** Row numbers, by the place of the object. */
  readonly #byObject: ReadonlyMap<number, number>;
  /** By row: 1 if a violation is about the object of the row and its fix has not been returned yet. */
  readonly #isWaiting: Uint8Array;
  /** Rows of objects without a fixable violation: their insertions are returned with the payload's first fix. */
  #others: readonly number[] = [];
  /** What is removed, by the places of the member's name and of its value. */
  readonly #removals = new Map<number, Edit>();

  readonly #removed = new Set<Edit>();

  /** `fills`, `removals`: what `fill` inserts in the payload that has these findings, and what `prune` takes out. */
  constructor(findings: readonly Finding[], fills: FillTable, removals: Removals) {
    this.#fills = fills;
    this.#byObject = new Map(Array.from({ length: fills.length }, (_, row) => [fillAt(fills, row, OBJECT), row]));
    this.#isWaiting = new Uint8Array(fills.length);
    this.#takeRemovals(removals.rows);
    if (fills.length === 0) return;
    for (const { fixable, span } of findings) {
      const row = fixable ? this.#rowOf(span.start) : -1;
      if (row >= 0) this.#isWaiting[row] = 1;
    }
    const others: number[] = [];
    for (const [row, isWaiting] of this.#isWaiting.entries()) if (isWaiting === 0) others.push(row);
    this.#others = others;
  }

  /** The edits that fix a finding. Call it once for each finding, in order. */
  of({ fixable, fix, span }: Finding): readonly Edit[] {
    if (fix === 'prune') return this.#removalOf(span.start);
    if (!fixable) return NO_EDITS;
    const own = this.#rowOf(span.start);
    const others = this.#others;
    this.#others = [];
    if (own < 0 || this.#isWaiting[own] === 0) return others.map((row) => this.#editOf(row));
    this.#isWaiting[own] = 0;
    if (others.length === 0) return [this.#editOf(own)];
    return [...others, own].sort((a, b) => a - b).map((row) => this.#editOf(row));
  }

  #takeRemovals(rows: readonly number[]): void {
    for (let i = 0; i < rows.length; i += REMOVAL_WIDTH) {
      const [at, to] = [rows[i + FROM]!, rows[i + TO]!];
      // Where all members of an object go, what is inserted after the last one has nothing to follow.
      const row = this.#rowOf(at - 1);
      if (to === at || (row >= 0 && fillAt(this.#fills, row, AT) <= to)) continue;
      const edit = { at, length: to - at, text: '' };
      for (const place of [NAME, VALUE]) this.#removals.set(rows[i + place]!, edit);
    }
  }

  /** `place`: of the name, or of the value. Several violations may be about one member. */
  #removalOf(place: number): readonly Edit[] {
    const edit = this.#removals.get(place);
    if (edit === undefined || this.#removed.has(edit)) return NO_EDITS;
    this.#removed.add(edit);
    return [edit];
  }

  #editOf(row: number): Edit {
    const { texts } = this.#fills;
    return { at: fillAt(this.#fills, row, AT), length: 0, text: texts[fillAt(this.#fills, row, TEXT)]! };
  }

  /** The row for the object that begins at `start`, or -1. */
  #rowOf(start: number): number {
    return this.#byObject.get(start) ?? -1;
  }
}
