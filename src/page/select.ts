/**
 * From all violations to those that a view shows, in its order, and the counts of its charts. A chart counts what all the other
 * filters let through, so that it shows what a click would bring.
 */
import type { RowData } from '../report/html-data.ts';
import { type Axis, placeOn } from './axis.ts';
import { FACETS, type Facet, type Model } from './model.ts';
import type { Order, State } from './state.ts';

export interface Selection {
  /** Indexes of rows, in order. */
  readonly shown: Uint32Array;
  /** By facet, the rows of each name that all other filters let through. */
  readonly counts: Readonly<Record<Facet, Uint32Array>>;
  /** Rows that all filters but the part of a file, and the file, let through. */
  readonly anywhere: Uint32Array;
}

const FILE = 1 << FACETS.indexOf('file');
const PART = 1 << FACETS.length;
const QUERY = PART << 1;

export class Selector {
  readonly #model: Model;
  readonly #axes: ReadonlyMap<string, Axis>;
  #texts: string[] | null = null;
  readonly #ranks = new Map<Order, Uint32Array>();

  constructor(model: Model, axes: ReadonlyMap<string, Axis>) {
    this.#model = model;
    this.#axes = axes;
  }

  select(state: State): Selection {
    const { rows, columns } = this.#model;
    const failing = this.#failing(state);
    const counts = FACETS.map((facet, bit) => {
      const { ids, names } = columns[facet];
      const found = new Uint32Array(names.length);
      for (let row = 0; row < rows.length; row++) if ((failing[row]! & ~(1 << bit)) === 0) found[ids[row]!]!++;
      return [facet, found] as const;
    });
    const shown = indexesOf(failing, 0);
    return {
      shown: this.#inOrder(shown, state),
      counts: Object.fromEntries(counts) as Record<Facet, Uint32Array>, // of all facets
      anywhere: indexesOf(failing, FILE | PART),
    };
  }

  /** For each row, the filters that do not let it through, as bits. */
  #failing({ picked, part, query }: State): Uint16Array {
    const { rows, columns } = this.#model;
    const failing = new Uint16Array(rows.length);
    for (const [bit, facet] of FACETS.entries()) {
      if (picked[facet].size === 0) continue;
      const { ids, names } = columns[facet];
      const fails = names.map((name) => !picked[facet].has(name));
      for (let row = 0; row < rows.length; row++) if (fails[ids[row]!]) failing[row]! |= 1 << bit;
    }
    if (part !== null) {
      const axis = this.#axes.get(part.file);
      for (const [row, data] of rows.entries()) {
        const at = data.file === part.file && axis !== undefined ? placeOn(axis, data) : Number.NaN;
        if (!(at >= part.from && at <= part.to)) failing[row]! |= PART;
      }
    }
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length > 0) {
      this.#texts ??= rows.map(searched);
      for (const [row, text] of this.#texts.entries())
        if (!words.every((word) => text.includes(word))) failing[row]! |= QUERY;
    }
    return failing;
  }

  #inOrder(shown: Uint32Array, { order, descending }: State): Uint32Array {
    if (order !== 'place') {
      const ranks = this.#ranksOf(order);
      shown.sort((a, b) => ranks[a]! - ranks[b]! || a - b);
    }
    return descending ? shown.reverse() : shown;
  }

  /** For each row, where its text is among all texts of the column. */
  #ranksOf(order: Exclude<Order, 'place'>): Uint32Array {
    const known = this.#ranks.get(order);
    if (known !== undefined) return known;
    const { rows } = this.#model;
    const texts = [...new Set(rows.map((row) => row[order]))].sort((a, b) => (a < b ? -1 : 1));
    const places = new Map(texts.map((text, place) => [text, place]));
    const ranks = Uint32Array.from(rows, (row) => places.get(row[order])!); // of a text of these
    this.#ranks.set(order, ranks);
    return ranks;
  }
}

function indexesOf(failing: Uint16Array, ignored: number): Uint32Array {
  const found = new Uint32Array(failing.length);
  let count = 0;
  for (let row = 0; row < failing.length; row++) if ((failing[row]! & ~ignored) === 0) found[count++] = row;
  return found.slice(0, count);
}

function searched({ file, line, column, pointer, rule, kind, message, suggestion }: RowData): string {
  return `${file}:${line}:${column} ${pointer} ${rule} ${kind ?? ''} ${message} ${suggestion ?? ''}`.toLowerCase();
}
