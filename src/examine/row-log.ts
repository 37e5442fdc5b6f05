/**
 * Stores the violations of a walk: rows of numbers instead of an array of objects, which would take a gigabyte for some
 * millions. From time to time the latest violations are looked up in the payload's bytes, and only the site in the
 * schema and the place are kept.
 */
import { Decimal } from '../json/decimal.ts';
import { type KnownContainers, type PlaceNode, PointerTree } from '../json/locate.ts';
import { formatPointer } from '../json/pointer.ts';
import { completed } from '../keywords/facts.ts';
import type { SchemaFacts } from '../keywords/params.ts';
import type { Span } from '../types.ts';
import { jsonType } from '../words/value-text.ts';
import type { Fault, Log, Walk } from './judge/walk.ts';
import type { Marks } from './marks.ts';
import { Records } from './records.ts';
import type { Sites } from './sites.ts';

/** A violation by a value that is not in the bytes, because it is a default that was filled in. */
export interface Elsewhere {
  readonly pointer: string;
  readonly data: unknown;
  readonly facts: SchemaFacts;
}

/** A violation that is not looked up yet. */
interface Told {
  readonly fault: Fault;
  /** As it was when the violation was reported. */
  readonly reason: string | undefined;
  readonly value: unknown;
  readonly indexes: readonly [number, number];
  /** Place of the value. */
  readonly place: PlaceNode;
  /** Place of the member that the violation is about; null: it is about the value. */
  readonly member: PlaceNode | null;
}

/** More would survive the first garbage collection, and the heap would grow. */
const LEAST = 1 << 12;
const MOST = 1 << 18;

/** The violations of one payload. */
export class RowLog implements Log {
  readonly #walk: Walk;
  readonly #bytes: Buffer;
  readonly #span: Span;
  readonly #sites: Sites;
  readonly #known: KnownContainers;
  readonly #rows = new Records();
  /** By column `A` of the rows. */
  readonly elsewhere: Elsewhere[] = [];
  /**
   * How many violations are looked up together. Each look-up continues where the last one ended. Where that is not
   * possible, it is a pass over the payload.
   */
  #batch = LEAST;
  #recent: Told[] = [];
  #tree: PointerTree | null = null;
  /** By depth in the walk: the place in the tree, and the number of the corresponding place of the walk. */
  #places: PlaceNode[] = [];
  #numbers: number[] = [];

  /** `span`: of the payload in `bytes`; `replaced`: the starts of names that a later member of the same object has. */
  constructor(
    walk: Walk,
    bytes: Buffer,
    span: Span,
    { sites, replaced }: { readonly sites: Sites; readonly replaced: Marks },
  ) {
    this.#walk = walk;
    this.#bytes = bytes;
    this.#span = span;
    this.#sites = sites;
    const isReplaced = (nameStart: number): boolean => replaced.has(nameStart);
    this.#known = { arrays: new Map(), objects: new Map(), isReplaced, isReread: false };
  }

  add(fault: Fault, value: unknown, name: string | null, indexes: readonly [number, number]): void {
    const place = this.#placeAt(this.#walk.depth);
    const member = name === null ? null : this.#tree!.addTo(place, name);
    this.#recent.push({
      fault,
      reason: fault.reason,
      value: value instanceof Decimal ? value.double : value,
      indexes,
      place,
      member,
    });
    if (this.#recent.length >= this.#batch) this.#settle();
  }

  /** All violations as rows, in the order in which they were reported. */
  take(): Records {
    if (this.#recent.length > 0) this.#settle();
    return this.#rows;
  }

  #placeAt(depth: number): PlaceNode {
    this.#tree ??= new PointerTree();
    if (depth === 0) return this.#tree.root;
    const number = this.#walk.placeAt(depth);
    if (this.#numbers[depth] !== number) {
      this.#places[depth] = this.#tree.addTo(this.#placeAt(depth - 1), this.#walk.tokenTo(depth));
      this.#numbers[depth] = number;
    }
    return this.#places[depth]!;
  }

  #settle(): void {
    this.#known.isReread = false;
    this.#tree!.locate(this.#bytes, this.#span, this.#known);
    if (this.#known.isReread) this.#batch = Math.min(MOST, 2 * this.#batch);
    for (const told of this.#recent) this.#addRow(told);
    this.#recent = [];
    this.#tree = null;
    this.#places = [];
    this.#numbers = [];
  }

  #addRow(told: Told): void {
    const { fault, reason, value, indexes, place, member } = told;
    const site = this.#sites.numberOf(fault, reason);
    if (place.start < 0 || (member !== null && member.nameStart < 0)) {
      this.#addElsewhere(site, told);
      return;
    }
    if (member !== null) this.#rows.add(site, place, [member.nameStart, member.nameEnd]);
    else this.#rows.add(site, place, indexes, { pointer: pointerOf(place), value });
  }

  #addElsewhere(site: number, { fault, value, indexes, place, member }: Told): void {
    let around = place;
    while (around.start < 0 && around.parent !== null) around = around.parent;
    // The object may be in the bytes, although the member that the violation is about was filled in.
    this.#rows.add(site, { start: around.start, end: around.start }, [
      this.elsewhere.length,
      Math.max(0, place.end),
    ]);
    const seen = { type: jsonType(value), name: () => member?.token ?? '', items: indexes };
    this.elsewhere.push({ pointer: pointerOf(place), data: value, facts: completed(fault.facts, seen) });
  }
}

function pointerOf(place: PlaceNode): string {
  const tokens: string[] = [];
  for (let at = place; at.parent !== null; at = at.parent) tokens.push(at.token);
  return formatPointer(tokens.reverse());
}
