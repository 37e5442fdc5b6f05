/**
 * Where Ajv's code puts errors: rows of numbers instead of an array of objects, which would take a gigabyte for some millions. From time to time
 * the latest errors are looked up in the payload's bytes, and only the site in the schema and the place are kept.
 */
import { type KnownContainers, type PlaceNode, PointerTree } from '../json/locate.ts';
import type { SchemaFacts } from '../keywords/params.ts';
import { type AjvError, schemaFacts } from '../schema/schema-facts.ts';
import type { Span } from '../types.ts';
import type { Marks } from './marks.ts';
import { Records } from './records.ts';
import { nameIn, type Sites } from './sites.ts';

/** An error about a value that is not in the bytes, because it is a default that was filled in. */
export interface Elsewhere {
  readonly pointer: string;
  readonly data: unknown;
  readonly facts: SchemaFacts;
}

/** What one payload's errors have in common. */
export class ErrorPlaces {
  readonly #bytes: Buffer;
  readonly #span: Span;
  readonly #sites: Sites;
  readonly #known: KnownContainers;
  #batch = LEAST;
  /** By column `A` of their rows. */
  readonly elsewhere: Elsewhere[] = [];

  /** `span`: of the payload in `bytes`; `replaced`: the starts of names that a later member of the same object has. */
  constructor(bytes: Buffer, span: Span, sites: Sites, replaced: Marks) {
    this.#known = {
      arrays: new Map(),
      objects: new Map(),
      isReplaced: (nameStart) => replaced.has(nameStart),
      isReread: false,
    };
    this.#bytes = bytes;
    this.#span = span;
    this.#sites = sites;
  }

  /** How many errors are looked up together. Each look-up continues where the last one ended. Where that is not possible, it is a pass over the payload. */
  get batch(): number {
    return this.#batch;
  }

  /** Adds a row for each of `errors`. */
  add(errors: readonly AjvError[], rows: Records): void {
    const tree = new PointerTree();
    const places = errors.map((error) => {
      const value = tree.add(error.instancePath);
      const name = nameIn(error);
      return name === null ? value : tree.addTo(value, name);
    });
    this.#known.isReread = false;
    tree.locate(this.#bytes, this.#span, this.#known);
    if (this.#known.isReread) this.#batch = Math.min(MOST, 2 * this.#batch);
    for (const [i, error] of errors.entries()) this.#addOne(error, places[i]!, rows);
  }

  #addOne(error: AjvError, place: PlaceNode, rows: Records): void {
    const site = this.#sites.siteOf(error);
    const hasName = nameIn(error) !== null;
    const value = hasName ? place.parent! : place;
    if (value.start >= 0 && (!hasName || place.nameStart >= 0)) {
      if (hasName) rows.add(site, value.start, value.end, [place.nameStart, place.nameEnd]);
      else
        rows.add(site, value.start, value.end, indexesIn(error), {
          pointer: error.instancePath,
          value: error.data,
        });
      return;
    }
    let around: PlaceNode = value;
    while (around.start < 0 && around.parent !== null) around = around.parent;
    const { instancePath: pointer, data } = error;
    // The object may be in the bytes, and the member that the error is about filled in.
    rows.add(site, around.start, around.start, [this.elsewhere.length, Math.max(0, value.end)]);
    this.elsewhere.push({ pointer, data, facts: schemaFacts(error, data) });
  }
}

/** Of two equal items; 0 for an error about something else. */
function indexesIn({ keyword, params }: AjvError): [first: number, second: number] {
  return keyword === 'uniqueItems' ? [params.j, params.i] : [0, 0];
}

/** More would outlive the collector's first look, and the heap would grow. */
const LEAST = 1 << 12;
const MOST = 1 << 18;

/** The parts of an array that Ajv's code uses. */
export class ErrorLog {
  readonly #places: ErrorPlaces;
  #recent: AjvError[];
  /** The errors before `#recent`. */
  #rows: Records | null = null;

  constructor(places: ErrorPlaces, first: AjvError) {
    this.#places = places;
    this.#recent = [first];
  }

  push(error: AjvError): void {
    this.#recent.push(error);
    if (this.#recent.length >= this.#places.batch) this.#settle();
  }

  get length(): number {
    return (this.#rows?.length ?? 0) + this.#recent.length;
  }

  /** Takes back all errors from `length` on: they came from an alternative that does not count. */
  set length(length: number) {
    const rows = this.#rows?.length ?? 0;
    this.#rows?.truncate(length);
    this.#recent.length = Math.max(0, Math.min(this.#recent.length, length - rows));
  }

  /** Adds those of `other`. Unlike that of an array, it changes this one: a copy for each element would make the time quadratic. */
  concat(other: ErrorLog): this {
    if (other.#rows !== null) this.#settle().append(other.#rows);
    for (const error of other.#recent) this.push(error);
    return this;
  }

  /** All of them as rows, which the log gives away. */
  take(): Records {
    const rows = this.#settle();
    this.#rows = null;
    return rows;
  }

  #settle(): Records {
    this.#rows ??= new Records();
    if (this.#recent.length > 0) this.#places.add(this.#recent, this.#rows);
    this.#recent = [];
    return this.#rows;
  }
}

/** For a function whose errors do not matter. */
export class ErrorCount {
  length = 1;

  push(): void {
    this.length++;
  }

  concat(other: ErrorCount): this {
    this.length += other.length;
    return this;
  }
}
