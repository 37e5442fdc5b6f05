/**
 * The insertions that turn a payload without its defaults into the payload with them. `filler.ts` decides what is
 * filled in, as Ajv's `useDefaults` would. One pass over the text and both values.
 */
import { Children } from '../json/children.ts';
import {
  AT,
  FILL_WIDTH,
  type FilledMember,
  type FillShape,
  type FillTable,
  NO_FILLS,
  OBJECT,
  SHAPE,
  TEXT,
} from '../json/edits.ts';
import { entryOf, memoized } from '../json/on-demand.ts';
import { escapeToken, isIndexName } from '../json/pointer.ts';
import { OPEN_ARRAY, OPEN_OBJECT, skipSpace } from '../json/skip.ts';
import { isJsonObject } from '../json/value.ts';
import type { Span } from '../types.ts';
import {
  afterMembers,
  betweenBrackets,
  COMPACT,
  IN_COMPACT,
  innerStyle,
  isCompactMember,
  type MemberTexts,
  placeInEmpty,
  type Style,
  spaceBefore,
  styleOf,
} from './insertion.ts';

type FilledMembers = Readonly<Record<string, unknown>>;

/** An object that is being walked through. */
interface OpenObject {
  readonly start: number;
  /** Where the name of its last member so far begins; -1: it has none. */
  lastName: number;
  /** Insertions in empty inner objects, which get the style of this object at its end: row and start of the line. */
  waiting: number[] | null;
}

/** Where a value is. */
interface Where {
  readonly pattern: Pattern;
  /** The object around it; null: none. */
  readonly around: OpenObject | null;
  /** Where the name of its member begins; -1: the value is not that of a member. */
  readonly name: number;
}

/** The insertions that turn `before`, the value in `bytes[span)`, into `after`; in the order of their places. */
export function fillEdits(
  bytes: Buffer,
  span: Span,
  [before, after]: readonly [before: unknown, after: unknown],
  memberTexts: MemberTexts,
): FillTable {
  const walk = new EditWalk(bytes, span.end, memberTexts);
  walk.value(skipSpace(bytes, span.start, span.end), before, after, { pattern: new Pattern(), around: null, name: -1 });
  return walk.table();
}

class EditWalk {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #memberTexts: MemberTexts;
  readonly #builder = new TableBuilder();
  /** Texts to insert into compact objects, by shape. */
  readonly #afterCompact: string[] = [];
  readonly #inCompact: string[] = [];
  /** An index, and the start of its line. */
  #lineOf = 0;
  #line = 0;

  constructor(bytes: Buffer, end: number, memberTexts: MemberTexts) {
    this.#bytes = bytes;
    this.#end = end;
    this.#memberTexts = memberTexts;
  }

  table(): FillTable {
    const table = this.#builder.done();
    return table.length === 0 ? NO_FILLS : table;
  }

  /** Walks through the value at index `at`. Returns the index after it; -1: that is not known. */
  value(at: number, before: unknown, after: unknown, where: Where): number {
    if (Array.isArray(before) && Array.isArray(after)) return this.#array(at, before, after, where);
    return isJsonObject(before) && isJsonObject(after) ? this.#object(at, before, after, where) : -1;
  }

  #array(open: number, before: readonly unknown[], after: readonly unknown[], { pattern, around }: Where): number {
    const where = { pattern: pattern.anyItem, around, name: -1 };
    const items = new Children(this.#bytes, open, this.#end);
    let itemEnd = -1;
    while (items.next(itemEnd)) itemEnd = this.value(items.start, before[items.index], after[items.index], where);
    return items.after;
  }

  #object(start: number, before: FilledMembers, after: FilledMembers, where: Where): number {
    const bytes = this.#bytes;
    const open: OpenObject = { start, lastName: -1, waiting: null };
    const members = new Children(bytes, start, this.#end);
    let valueEnd = -1;
    while (members.next(valueEnd)) {
      open.lastName = members.nameStart;
      valueEnd = -1;
      const first = bytes[members.start];
      if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) continue;
      const name = members.name();
      const pattern = where.pattern.member(name, this.#memberTexts);
      valueEnd = this.value(members.start, before[name], after[name], { pattern, around: open, name: open.lastName });
    }
    this.#close(open, members.after - 1, this.#missing(before, after), where);
    return members.after;
  }

  #missing(before: FilledMembers, after: FilledMembers): FilledMember[] {
    const texts = this.#memberTexts;
    const missing = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
    // JavaScript puts names that look like indexes first, whatever their order in the text.
    if (missing.length > 1 && isIndexName(missing[0]!)) {
      missing.sort((a, b) => texts.rank(a, after[a]) - texts.rank(b, after[b]));
    }
    return missing.map((name) => ({ name, text: texts.text(name, after[name]) }));
  }

  /** Adds the insertion for an object whose closing bracket is at index `close`, and those that waited for its style. */
  #close(open: OpenObject, close: number, missing: readonly FilledMember[], where: Where): void {
    if (open.waiting !== null) this.#settle(open, close, open.waiting);
    if (missing.length === 0) return;
    const shape = this.#builder.shape(where.pattern, missing);
    const row = this.#builder.add({ start: open.start, end: close + 1 }, shape);
    if (open.lastName < 0) this.#fillEmpty(row, { start: open.start, end: close }, shape, where);
    else this.#fillAfter(row, { start: open.lastName, end: close }, shape);
  }

  /** `start`: of the name of the last member; `end`: the closing bracket. */
  #fillAfter(row: number, { start: lastName, end: close }: Span, shape: number): void {
    const bytes = this.#bytes;
    const at = spaceBefore(bytes, close);
    const members = this.#builder.membersOf(shape);
    if (at === close && isCompactMember(bytes, lastName)) {
      this.#afterCompact[shape] ??= afterMembers(members, COMPACT);
      this.#builder.put(row, at, this.#afterCompact[shape]);
    } else this.#builder.put(row, at, afterMembers(members, styleOf(bytes, lastName, close)));
  }

  /** Between the brackets. */
  #fillEmpty(row: number, { start, end: close }: Span, shape: number, { around, name }: Where): void {
    // If the object's member, or the payload, has no white space, then the insertion has none either.
    const isCompact = name < 0 ? around === null : isCompactMember(this.#bytes, name);
    if (close === start + 1 && isCompact) {
      this.#inCompact[shape] ??= betweenBrackets(this.#builder.membersOf(shape), IN_COMPACT);
      this.#builder.put(row, close, this.#inCompact[shape]);
    } else if (around === null) this.#fillBetween(row, COMPACT);
    else {
      around.waiting ??= [];
      around.waiting.push(row, this.#lineAt(start));
    }
  }

  #settle({ lastName }: OpenObject, close: number, waiting: readonly number[]): void {
    const style = styleOf(this.#bytes, lastName, close);
    const isLined = style.between.includes('\n');
    for (let i = 0; i < waiting.length; i += 2)
      this.#fillBetween(waiting[i]!, isLined ? innerStyle(style, this.#indentOf(waiting[i + 1]!)) : style);
  }

  #fillBetween(row: number, style: Style): void {
    const start = this.#builder.get(row, OBJECT);
    const close = this.#builder.get(row, AT);
    const empty = placeInEmpty(this.#bytes.toString('latin1', start + 1, close), style);
    const members = this.#builder.membersOf(this.#builder.get(row, SHAPE));
    this.#builder.put(row, start + 1 + empty.at, betweenBrackets(members, empty));
  }

  /** Where the line of index `at` begins. Calls must be in ascending order. */
  #lineAt(at: number): number {
    const lineFeed = this.#bytes.subarray(this.#lineOf, at).lastIndexOf(0x0a);
    if (lineFeed >= 0) this.#line = this.#lineOf + lineFeed + 1;
    this.#lineOf = at;
    return this.#line;
  }

  /** The white space at the beginning of a line. */
  #indentOf(line: number): string {
    let end = line;
    while (this.#bytes[end] === 0x20 || this.#bytes[end] === 0x09) end++;
    return this.#bytes.toString('latin1', line, end);
  }
}

/** A place in the payload, without the indexes and the names that are in no schema. */
export class Pattern {
  readonly text: string;
  readonly #below = memoized((token: string): Pattern => new Pattern(`${this.text}/${token}`));
  /** The shapes of insertions here, by what is added. */
  readonly #shapes = new Map<string, number>();

  constructor(text = '') {
    this.text = text;
  }

  get anyItem(): Pattern {
    return this.#below('*');
  }

  member(name: string, names: Pick<MemberTexts, 'knows'>): Pattern {
    return this.#below(names.knows(name) ? escapeToken(name) : '*');
  }

  /** The number of the shape for these members. `make` creates it if it is new. */
  shape(members: readonly FilledMember[], make: (shape: FillShape) => number): number {
    const key = members.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join();
    return entryOf(this.#shapes, key, () => make({ pattern: this.text, members }));
  }
}

/** Number of rows at the beginning. */
const FIRST = 16;

/** Collects the insertions of one payload. Equal texts and shapes are kept once. */
class TableBuilder {
  #rows = new Uint32Array(0);
  #length = 0;
  readonly #shapes: FillShape[] = [];
  readonly #texts: string[] = [];
  readonly #known = new Map<string, number>();

  /** Adds an insertion in the object in `span`, brackets included. Its text is set later. Returns its row. */
  add({ start, end }: Span, shape: number): number {
    const row = this.#length++;
    const at = row * FILL_WIDTH;
    if (at === this.#rows.length) {
      const grown = new Uint32Array(Math.max(FIRST * FILL_WIDTH, 2 * at));
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[at + AT] = end - 1;
    this.#rows[at + OBJECT] = start;
    this.#rows[at + SHAPE] = shape;
    return row;
  }

  put(row: number, at: number, text: string): void {
    this.#rows[row * FILL_WIDTH + AT] = at;
    this.#rows[row * FILL_WIDTH + TEXT] = entryOf(this.#known, text, () => this.#texts.push(text) - 1);
  }

  shape(pattern: Pattern, members: readonly FilledMember[]): number {
    return pattern.shape(members, (shape) => this.#shapes.push(shape) - 1);
  }

  membersOf(shape: number): readonly FilledMember[] {
    return this.#shapes[shape]!.members;
  }

  /** One number of an insertion. Before it has a text, its place is the closing bracket. */
  get(row: number, column: 0 | 1 | 2): number {
    return this.#rows[row * FILL_WIDTH + column]!;
  }

  done(): FillTable {
    return { length: this.#length, rows: this.#rows, shapes: this.#shapes, texts: this.#texts };
  }
}
