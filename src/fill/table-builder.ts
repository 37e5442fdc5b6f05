/**
 * Collects the insertions of one payload. Equal texts and shapes are kept once.
 */
import {
  AT,
  FILL_WIDTH,
  type FilledMember,
  type FillShape,
  type FillTable,
  OBJECT,
  SHAPE,
  TEXT,
} from '../examine/fill-table.ts';
import { escapeToken } from '../json/pointer.ts';
import type { Span } from '../types.ts';
import type { MemberTexts } from './member-texts.ts';

/** A place in the payload, without the indexes and the names that are in no schema. */
export class Pattern {
  readonly text: string;
  #inner: Map<string, Pattern> | null = null;
  /** The shapes of insertions here, by what is added. */
  #shapes: Map<string, number> | null = null;

  constructor(text = '') {
    this.text = text;
  }

  get anyItem(): Pattern {
    return this.#below('*');
  }

  member(name: string, memberTexts: MemberTexts): Pattern {
    return this.#below(memberTexts.knows(name) ? escapeToken(name) : '*');
  }

  /** The number of the shape for these members. `make` creates it if it is new. */
  shape(members: readonly FilledMember[], make: (shape: FillShape) => number): number {
    const key = members.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join();
    this.#shapes ??= new Map();
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = make({ pattern: this.text, members });
      this.#shapes.set(key, shape);
    }
    return shape;
  }

  #below(token: string): Pattern {
    this.#inner ??= new Map();
    let inner = this.#inner.get(token);
    if (inner === undefined) {
      inner = new Pattern(`${this.text}/${token}`);
      this.#inner.set(token, inner);
    }
    return inner;
  }
}

/** Number of rows at the beginning. */
const FIRST = 16;

export class TableBuilder {
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
    let number = this.#known.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#known.set(text, number);
    }
    this.#rows[row * FILL_WIDTH + AT] = at;
    this.#rows[row * FILL_WIDTH + TEXT] = number;
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
