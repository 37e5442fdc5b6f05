/**
 * The violations of a walk. Those that are listed are looked up in the payload's bytes; the others are only counted.
 * Several schemas that say the same may be applied to a value, or one in several ways, as by `allOf` of two schemas
 * that refer to the same third one: what they say counts once. What a value of the wrong type breaks besides does not
 * count.
 *
 * The insertions that fill in one payload are rows of 16 bytes, too: as an object with its texts, one would take two kilobytes,
 * and a payload can have millions of them.
 */
import { Decimal } from '../../json/decimal.ts';
import { applyEdits, type EditList } from '../../json/edits.ts';
import { type PlaceNode, PointerTree } from '../../json/locate.ts';
import { formatPointer } from '../../json/pointer.ts';
import { LINE_FEED } from '../../json/skip.ts';
import { completed, rowOf } from '../../keywords/index.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { LISTED_VIOLATIONS } from '../../limits.ts';
import { DIALECT_KEYWORDS } from '../../schema/dialect.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Span } from '../../types.ts';
import { jsonType } from '../../words/value-text.ts';
import { add } from './judge-alternatives.ts';
import { HiddenCounter, type HiddenCounts, Records } from './records.ts';
import type { Sites } from './sites.ts';
import type { KeywordFault, Log, Walk } from './walk.ts';

/** A violation by a value that is not in the bytes, because it is a default that was filled in. */
export interface InDefault {
  readonly pointer: string;
  readonly data: unknown;
  readonly facts: SchemaFacts;
}

/** A violation that is not looked up yet. */
interface Recent {
  readonly site: number;
  readonly facts: SchemaFacts;
  readonly value: unknown;
  readonly indexes: readonly [number, number];
  readonly place: PlaceNode;
  /** Place of the member that the violation is about; null: it is about the value. */
  readonly member: PlaceNode | null;
  /** Sites of violations that say the same of the same place. */
  readonly others: number[];
  /** The value has the wrong type. */
  isDropped: boolean;
}

/** The violations of a walk: those that are listed, in the order in which they were reported, and the counts of others. */
export interface Logged {
  readonly rows: Records;
  readonly sites: Sites;
  readonly inDefaults: readonly InDefault[];
  readonly unlisted: HiddenCounts;
}

export class RowLog implements Log {
  readonly #walk: Walk;
  readonly #bytes: Buffer;
  readonly #span: Span;
  readonly #sites: Sites;
  readonly #canRepeat: boolean;
  readonly #rows = new Records();
  /** By column `A` of the rows. */
  readonly #inDefaults: InDefault[] = [];
  readonly #unlisted = new HiddenCounter();
  /** About as many as `LISTED_VIOLATIONS`, at most twice as many. Only they are compared with each other. */
  #recent: Recent[] = [];
  /** By place, then by what is said of it. */
  #byContent = new Map<PlaceNode, Map<number, Recent>>();
  #wrong = new Set<PlaceNode>();
  /** What does not count if the value has the wrong type. */
  #yielding = new Map<PlaceNode, Recent[]>();
  #tree = new PointerTree();
  /** By depth in the walk: the place in the tree, and the number of the corresponding place of the walk. */
  #places: PlaceNode[] = [];
  #numbers: number[] = [];
  /** Of the last violation, in the walk. */
  #last = -1;

  /** `span`: of the payload in `bytes`. */
  constructor(
    walk: Walk,
    bytes: Buffer,
    span: Span,
    { sites, canRepeat }: { readonly sites: Sites; readonly canRepeat: boolean },
  ) {
    this.#walk = walk;
    this.#bytes = bytes;
    this.#span = span;
    this.#sites = sites;
    this.#canRepeat = canRepeat;
  }

  add(fault: KeywordFault, value: unknown, name: string | null, indexes: readonly [number, number]): void {
    // What is wrong with one value is compared.
    const isNext = this.#walk.place !== this.#last;
    this.#last = this.#walk.place;
    if (this.#recent.length >= (isNext ? LISTED_VIOLATIONS : 2 * LISTED_VIOLATIONS)) this.#settle();
    const place = this.#placeAt(this.#walk.depth);
    const recent = {
      site: this.#sites.numberOf(fault, fault.reason),
      facts: fault.facts,
      value: value instanceof Decimal ? value.double : value,
      indexes,
      place,
      member: name === null ? null : this.#tree.addTo(place, name),
      others: [],
      isDropped: false,
    };
    if (this.#counts(recent)) this.#recent.push(recent);
  }

  /** Whether it counts, compared with those before. May drop earlier ones. */
  #counts(recent: Recent): boolean {
    if (this.#canRepeat && this.#addRepeated(recent)) return false;
    const { facts, place } = recent;
    if (facts.rule === 'type') {
      this.#wrong.add(place);
      for (const one of this.#yielding.get(place) ?? []) one.isDropped = true;
    } else if (rowOf(facts.rule).yieldsToType === true) {
      if (this.#wrong.has(place)) return false;
      add(this.#yielding, place, recent);
    }
    return true;
  }

  /** True if the same was found there before; else remembers it. */
  #addRepeated(recent: Recent): boolean {
    const { site, facts, place, member } = recent;
    const at = this.#sites.at(site).anchor === 'name' ? (member ?? place) : place;
    const known = this.#byContent.get(at) ?? new Map<number, Recent>();
    this.#byContent.set(at, known);
    const same = this.#sites.sameAs(site);
    const first = known.get(same);
    if (first === undefined) known.set(same, recent);
    else if (facts.rule === 'required') first.others.push(site);
    return first !== undefined;
  }

  take(): Logged {
    this.#settle();
    const unlisted = this.#unlisted.counts;
    return { rows: this.#rows, sites: this.#sites, inDefaults: this.#inDefaults, unlisted };
  }

  #placeAt(depth: number): PlaceNode {
    if (depth === 0) return this.#tree.root;
    const number = this.#walk.placeAt(depth);
    if (this.#numbers[depth] !== number) {
      this.#places[depth] = this.#tree.addTo(this.#placeAt(depth - 1), this.#walk.tokenTo(depth));
      this.#numbers[depth] = number;
    }
    return this.#places[depth]!;
  }

  #settle(): void {
    const own = this.#recent.filter(({ isDropped }) => !isDropped);
    const capacity = LISTED_VIOLATIONS - this.#rows.length;
    if (own.length > 0 && capacity > 0) this.#tree.locate(this.#bytes, this.#span);
    for (const recent of own.slice(0, capacity)) this.#addRow(recent);
    for (const recent of own.slice(capacity)) {
      const { facts, fix } = this.#sites.at(this.#siteOf(recent));
      this.#unlisted.add({ rule: facts.rule, fixable: fix === 'fill' });
    }
    this.#recent = [];
    this.#byContent = new Map();
    this.#wrong = new Set();
    this.#yielding = new Map();
    this.#tree = new PointerTree();
    this.#places = [];
    this.#numbers = [];
  }

  /** Of those that say the same, one that can be fixed, if there is one. */
  #siteOf({ site, others }: Recent): number {
    return [site, ...others].find((one) => this.#sites.at(one).fix !== null) ?? site;
  }

  #addRow(recent: Recent): void {
    const { value, indexes, place, member } = recent;
    const site = this.#siteOf(recent);
    if (place.start < 0 || (member !== null && member.nameStart < 0)) {
      // A member that is filled in is no fault of the payload.
      if (recent.facts.rule === 'deprecated') return;
      this.#addElsewhere(site, recent);
      return;
    }
    if (member !== null) this.#rows.add(site, place, [member.nameStart, member.nameEnd]);
    else this.#rows.add(site, place, indexes, { pointer: pointerOf(place), value });
  }

  #addElsewhere(site: number, { facts, value, indexes, place, member }: Recent): void {
    let around = place;
    while (around.start < 0 && around.parent !== null) around = around.parent;
    // The object may be in the bytes, although the member that the violation is about was filled in.
    this.#rows.add(site, { start: around.start, end: around.start }, [this.#inDefaults.length, Math.max(0, place.end)]);
    const seen = { type: jsonType(value), name: () => member?.token ?? '', items: indexes };
    this.#inDefaults.push({ pointer: pointerOf(place), data: value, facts: completed(facts, seen) });
  }
}

function pointerOf(place: PlaceNode): string {
  const tokens: string[] = [];
  for (let at = place; at.parent !== null; at = at.parent) tokens.push(at.token);
  return formatPointer(tokens.reverse());
}

/** True if two schemas can be applied to one value, so that violations can be reported twice. */
export function canRepeat(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => {
    const { $ref = [], allOf = [], dependentSchemas = {}, patternProperties = {} } = node;
    const patterns = Object.keys(patternProperties).length;
    const hasBranches = node.then !== undefined || node.else !== undefined;
    const inPlace = $ref.length + allOf.length + Object.keys(dependentSchemas).length + Number(hasBranches);
    return (
      inPlace > 1 ||
      (inPlace > 0 && DIALECT_KEYWORDS.filter((keyword) => node[keyword] !== undefined).length > 1) ||
      patterns > 1 ||
      (patterns > 0 && node.properties !== undefined)
    );
  });
}

/** Insertions in the order of their places, without overlap. */
export interface FillTable {
  readonly length: number;
  /** `AT`, `OBJECT`, `SHAPE` and `TEXT` of each insertion. It can be longer than all insertions. */
  readonly rows: Uint32Array;
  readonly shapes: readonly FillShape[];
  readonly texts: readonly string[];
}

/** The common part of the insertions in similar objects. */
export interface FillShape {
  /** Where the objects are: a JSON Pointer with `*` for any index, and for any name that is in no schema. */
  readonly pattern: string;
  /** What is added to each of them, in the order of the text. */
  readonly members: readonly FilledMember[];
}

export interface FilledMember {
  readonly name: string;
  /** The value as JSON text, with the notation of its schema. */
  readonly text: string;
}

export const FILL_WIDTH = 4;
/** Index at which the text is inserted, in the bytes that contain the payload. It is between the brackets of the object. */
export const AT = 0;
/** Index of the opening bracket of the object. */
export const OBJECT = 1;
/** Indexes into the lists. */
export const SHAPE = 2;
export const TEXT = 3;

export const NO_FILLS: FillTable = Object.freeze({ length: 0, rows: new Uint32Array(0), shapes: [], texts: [] });

/** The insertions as offsets and bytes; `base`: the offset of index 0. */
export function insertionsOf(table: FillTable, base = 0): EditList {
  const bytes = table.texts.map((text) => Buffer.from(text));
  const offsets: number[] = [];
  const texts: Uint8Array[] = [];
  for (let row = 0; row < table.length; row++) {
    offsets.push(base + fillAt(table, row, AT));
    texts.push(bytes[fillAt(table, row, TEXT)]!);
  }
  return { offsets, lengths: offsets.map(() => 0), texts };
}

export function fillAt({ rows }: FillTable, row: number, column: 0 | 1 | 2 | 3): number {
  return rows[row * FILL_WIDTH + column]!;
}

/** What was taken out of a value. */
export interface Pruned {
  /** By object: the names of members that it had. */
  readonly names: ReadonlyMap<object, ReadonlySet<string>>;
  /** Those objects, and the objects and arrays around them. */
  readonly around: ReadonlySet<object>;
  /** The value is valid without them. */
  readonly isValid: boolean;
}

/** Members that are removed from a payload, in the order of the text. What is inside of one is not listed. */
export interface Removals {
  readonly length: number;
  /**
   * `NAME`, `VALUE`, `FROM` and `TO` of each: indexes of its name and its value, and of the bytes that go with it. These
   * are next to each other, or apart, but never overlap; they are empty for a member that goes with an earlier one's.
   */
  readonly rows: readonly number[];
  /** How many there are by pointer, with `*` for any index, and for any name above the member that is in no schema. */
  readonly patterns: ReadonlyMap<string, number>;
}

export const REMOVAL_WIDTH = 4;
export const NAME = 0;
export const VALUE = 1;
export const FROM = 2;
export const TO = 3;

export const NO_REMOVALS: Removals = Object.freeze({ length: 0, rows: [], patterns: new Map() });

/** The bytes to remove, each range once; `base`: the offset of index 0. */
export function deletionsOf({ rows }: Removals, base = 0): EditList {
  const offsets: number[] = [];
  const lengths: number[] = [];
  for (let at = 0; at < rows.length; at += REMOVAL_WIDTH) {
    const [from, to] = [rows[at + FROM]!, rows[at + TO]!];
    if (from === to) continue;
    const last = offsets.length - 1;
    if (last >= 0 && offsets[last]! + lengths[last]! === base + from) lengths[last]! += to - from;
    else {
      offsets.push(base + from);
      lengths.push(to - from);
    }
  }
  return { offsets, lengths, texts: offsets.map(() => NO_BYTES) };
}

const NO_BYTES = new Uint8Array();

/** A payload as it is without what is removed from it. */
export interface PrunedText {
  /** The payload, after what is before it on its line. */
  readonly bytes: Buffer;
  readonly span: Span;
  /** The index in the original bytes of what is at an index here; of a place between two bytes, the first one. */
  readonly original: (at: number) => number;
}

/** `bytes[span)` without what `removals` takes out. */
export function withoutRemoved(bytes: Buffer, { start, end }: Span, removals: Removals): PrunedText {
  const deletions = deletionsOf(removals);
  const from = bytes.lastIndexOf(LINE_FEED, start) + 1;
  const text = applyEdits(bytes, { start: from, end }, 0, deletions);
  const { offsets, lengths } = deletions;
  /** By deletion: its index in the text that is left, and the number of bytes that are gone up to it. */
  const places: number[] = [];
  const gone = [0];
  for (const [i, offset] of offsets.entries()) {
    places.push(offset - from - gone[i]!);
    gone.push(gone[i]! + lengths[i]!);
  }
  const original = (at: number): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (places[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return from + at + gone[low]!;
  };
  const left = Buffer.from(text.buffer, text.byteOffset, text.length);
  return { bytes: left, span: { start: start - from, end: text.length }, original };
}

/** Insertions into a text, at the places of the text that it was made from. */
export function insertedBefore(fills: FillTable, original: PrunedText['original']): FillTable {
  const rows = fills.rows.slice(0, fills.length * FILL_WIDTH);
  for (let row = 0; row < rows.length; row += FILL_WIDTH) {
    rows[row + AT] = original(rows[row + AT]!);
    rows[row + OBJECT] = original(rows[row + OBJECT]! + 1) - 1; // a bracket, not a place before it
  }
  return { ...fills, rows };
}
