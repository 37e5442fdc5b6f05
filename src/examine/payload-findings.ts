/**
 * The findings of one payload, in the order of the places. A few are kept as a list. Many are kept as numbers and
 * turned into objects a slice at a time, because as objects they would take gigabytes.
 */
import { type Followed, Follower, NOT_KEPT } from '../json/follow.ts';
import type { Finding, Hidden, Span } from '../types.ts';
import { ascending } from './ascending.ts';
import { type Findings, type HiddenCounts, type HiddenList, hiddenList, MANY, SLICE } from './lists.ts';
import { A, B, END, isElsewhere, type Records, SITE, START } from './records.ts';
import {
  type Errors,
  elsewhereFinding,
  type FindingContext,
  type RecordedErrors,
  roomForOne,
  schemaFinding,
  shownAt,
} from './schema-findings.ts';

/** The data from which findings are made. */
export interface Rows {
  /** What the scan noted: duplicates, with the span of the first name in `A` and `B`; and numbers (`SITE` tells which). */
  readonly notes: Records;
  readonly noteFinding: (row: number, pointer: string) => Finding;
  readonly errors: RecordedErrors;
  /** Findings about the whole payload. */
  readonly whole: readonly Finding[];
  /** The value that was judged. */
  readonly value: unknown;
  /** The value is that of the bytes: no defaults were filled in. */
  readonly asWritten: boolean;
  readonly context: FindingContext;
  /** Completes the finding of an error. */
  readonly change: (finding: Finding) => Finding;
  /** The same for one that is only counted. */
  readonly changeCounted: (hidden: Hidden) => Hidden;
}

/** All findings of `rows`. */
export function findingsOf(rows: Rows): Findings {
  const all = new ManyFindings(rows);
  return all.length > MANY ? all.detached() : all.slice(0);
}

/** The errors as they are counted, by rule; `change` is applied last. */
export function hiddenOf({ rows, sites }: Errors, change: (hidden: Hidden) => Hidden): HiddenList {
  const counts = new Map<string, [hidden: Hidden, count: number]>();
  for (let row = 0; row < rows.length; row++) {
    const { facts, fix } = sites.at(rows.get(row, SITE));
    const { rule } = facts;
    const key = `${rule} ${fix === 'fill'}`;
    const counted = counts.get(key);
    if (counted === undefined) counts.set(key, [change({ rule, fixable: fix === 'fill' }), 1]);
    else counted[1]++;
  }
  // Examine and notes give rows in different orders.
  return hiddenList([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted));
}

/** How much text of values is searched for alternatives: bytes, plus passes over the payload. */
const FREE_BYTES = 1 << 20;
const FREE_PASSES = 4;

class ManyFindings implements Findings {
  #rows: Rows;
  /** The notes, then the errors, then the findings about the whole, by place. */
  readonly #order: Uint32Array;
  #follower: Follower | null = null;
  /** How many findings the follower has passed. */
  #passed = 0;
  /** The index of the first finding for which no closest alternative is searched. */
  #explained: number | null = null;

  constructor(rows: Rows) {
    this.#rows = rows;
    const { notes, errors, whole } = rows;
    const count = notes.length + errors.rows.length + whole.length;
    this.#order = ascending(count, (i) => this.#placeOf(i));
  }

  /**
   * The index of the first finding for which no alternatives are searched. The search ends when the values together
   * are much longer than the payload: this is possible, because values can be inside of others.
   */
  #explainable(): number {
    const { notes, errors, context } = this.#rows;
    const { rows, sites } = errors;
    let left = FREE_BYTES + FREE_PASSES * (context.span.end - context.span.start);
    for (const [at, i] of this.#order.entries()) {
      const row = i - notes.length;
      if (row < 0 || row >= rows.length || sites.at(rows.get(row, SITE)).choice === null) continue;
      left -= rows.get(row, END) - rows.get(row, START);
      if (left < 0) return at;
    }
    return this.length;
  }

  get length(): number {
    return this.#order.length;
  }

  get lastStart(): number {
    return this.#placeOf(this.#order[this.length - 1]!);
  }

  /** The same findings, with a copy of the payload: its bytes may move before the last slice is made. */
  detached(): this {
    const { context } = this.#rows;
    const { start, end } = context.span;
    const bytes = Buffer.alloc(end);
    context.bytes.copy(bytes, start, start, end);
    this.#rows = { ...this.#rows, context: { ...context, bytes } };
    this.#follower = null;
    return this;
  }

  slice(from: number, to = this.length): readonly Finding[] {
    if (from < this.#passed) this.#follower = null;
    if (from >= MANY && this.#passed <= MANY) this.#dropValues();
    this.#passed = to;
    const findings: Finding[] = [];
    for (let i = from; i < Math.min(to, this.length); i++) findings.push(this.#findingAt(i));
    return findings;
  }

  countedFrom(from: number): HiddenCounts {
    const counts = new Map<string, [hidden: Hidden, count: number]>();
    for (let at = from; at < this.length; at++) {
      const hidden = this.#hiddenAt(at);
      const key = `${hidden.rule} ${hidden.fixable}`;
      const counted = counts.get(key);
      if (counted === undefined) counts.set(key, [hidden, 1]);
      else counted[1]++;
    }
    return [...counts.values()];
  }

  #hiddenAt(at: number): Hidden {
    const { notes, errors, whole, changeCounted } = this.#rows;
    const i = this.#order[at]!;
    if (i < notes.length) {
      const rule = notes.get(i, SITE) === DUPLICATE ? 'duplicate-member' : 'number-out-of-range';
      return { rule, fixable: false };
    }
    const row = i - notes.length;
    if (row >= errors.rows.length) return whole[row - errors.rows.length]!;
    const { facts, fix } = errors.sites.at(errors.rows.get(row, SITE));
    return changeCounted({ rule: facts.rule, fixable: fix === 'fill' });
  }

  *[Symbol.iterator](): Generator<Finding> {
    for (let from = 0; from < this.length; from += SLICE) yield* this.slice(from, from + SLICE);
  }

  /** Frees the value of the payload, which is far larger than its bytes. Only suggestions need all of an object. */
  #dropValues(): void {
    this.#follower = null;
    if (this.#rows.asWritten) this.#rows = { ...this.#rows, value: NOT_KEPT };
  }

  /** The value or member name that begins at `offset`. */
  #seek(offset: number): Followed {
    const { context, value } = this.#rows;
    this.#follower ??= new Follower(context.bytes, context.span.start, context.span.end, value);
    return this.#follower.seek(offset);
  }

  #findingAt(at: number): Finding {
    const { notes, noteFinding, errors, whole, context, change } = this.#rows;
    const i = this.#order[at]!;
    if (i < notes.length) return noteFinding(i, this.#seek(notes.get(i, START)).pointer);
    const row = i - notes.length;
    if (row >= errors.rows.length) return whole[row - errors.rows.length]!;
    const isFull = errors.sites.at(errors.rows.get(row, SITE)).choice !== null && this.#explains(at);
    const suggesting = !isFull && at < MANY === context.suggests ? context : this.#contextAt(at, isFull);
    if (isElsewhere(errors.rows, row)) return change(elsewhereFinding(errors, row, suggesting));
    const followed = errors.rows.factsOf(row) ?? this.#seek(shownAt(errors, row));
    return change(schemaFinding(errors, row, followed, suggesting));
  }

  #explains(at: number): boolean {
    this.#explained ??= this.#explainable();
    return at < this.#explained;
  }

  #contextAt(at: number, isFull: boolean): FindingContext {
    const { context } = this.#rows;
    return { ...context, suggests: context.suggests && at < MANY, room: isFull ? roomForOne() : null };
  }

  #placeOf(i: number): number {
    const { notes, errors, whole, context } = this.#rows;
    if (i < notes.length) return notes.get(i, START);
    const row = i - notes.length;
    if (row >= errors.rows.length) return whole[row - errors.rows.length]!.span.start;
    return isElsewhere(errors.rows, row) ? context.span.start : shownAt(errors, row);
  }
}

/** `SITE` of notes. */
export const DUPLICATE = 0;
export const OUT_OF_RANGE = 1;

/** Where the first name of a duplicate is. */
export function firstOf(notes: Records, row: number): Span {
  return { start: notes.get(row, A), end: notes.get(row, B) };
}
