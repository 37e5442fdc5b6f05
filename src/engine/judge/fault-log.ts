/**
 * The violations of a walk. Those that are listed are looked up in the payload's bytes; the others are only counted.
 * Several schemas that say the same may be applied to a value, or one in several ways, as by `allOf` of two schemas
 * that refer to the same third one: what they say counts once. What a value of the wrong type breaks besides does not
 * count.
 */
import { Decimal } from '../../json/decimal.ts';
import { type PlaceNode, PointerTree } from '../../json/locate.ts';
import { entryOf } from '../../json/on-demand.ts';
import { formatPointer } from '../../json/pointer.ts';
import { rowOf } from '../../keywords/index.ts';
import { LISTED_VIOLATIONS } from '../../limits.ts';
import { DIALECT_KEYWORDS } from '../../schema/dialect.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Span } from '../../types.ts';
import { jsonType } from '../../words/value-text.ts';
import { type Fault, HiddenCounter, hiddenOf, type Logged } from './fault.ts';
import type { Site, Sites } from './sites.ts';
import type { KeywordFault, Log, Walk } from './walk.ts';

/** What it is asked about its place is known once the place is looked up. */
class LoggedFault implements Fault {
  /** Of those that say the same of the same place, one that can be fixed, if there is one. */
  site: Site;
  readonly items: readonly [number, number];
  /** The value has the wrong type. */
  isDropped = false;
  readonly #value: unknown;
  readonly #place: PlaceNode;
  readonly #member: PlaceNode | null;

  /** `member`: the place of the member that it is about; null: it is about the value. */
  constructor(
    site: Site,
    value: unknown,
    items: readonly [number, number],
    { place, member }: { readonly place: PlaceNode; readonly member: PlaceNode | null },
  ) {
    this.site = site;
    this.items = items;
    this.#value = value;
    this.#place = place;
    this.#member = member;
  }

  get type() {
    return jsonType(this.#value);
  }

  get name() {
    return this.#member?.token ?? '';
  }

  get pointer() {
    const tokens: string[] = [];
    for (let at = this.#member ?? this.#place; at.parent !== null; at = at.parent) tokens.push(at.token);
    return formatPointer(tokens.reverse());
  }

  get span() {
    const { start, end } = this.#place;
    return this.#isInBytes ? { start, end } : null;
  }

  get nameSpan() {
    const member = this.#member;
    return this.#isInBytes && member !== null ? { start: member.nameStart, end: member.nameEnd } : null;
  }

  get #isInBytes(): boolean {
    return this.#place.start >= 0 && (this.#member === null || this.#member.nameStart >= 0);
  }

  value(): unknown {
    return this.#value;
  }
}

export class FaultLog implements Log {
  readonly #walk: Walk;
  readonly #bytes: Buffer;
  readonly #span: Span;
  readonly #sites: Sites;
  readonly #canRepeat: boolean;
  readonly #faults: LoggedFault[] = [];
  readonly #unlisted = new HiddenCounter();
  /** About as many as `LISTED_VIOLATIONS`, at most twice as many. Only they are compared with each other. */
  #recent: LoggedFault[] = [];
  /** By place, then by what is said of it. */
  #byContent = new Map<PlaceNode, Map<Site, LoggedFault>>();
  #wrong = new Set<PlaceNode>();
  /** What does not count if the value has the wrong type. */
  #yielding = new Map<PlaceNode, LoggedFault[]>();
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
    const member = name === null ? null : this.#tree.addTo(place, name);
    const found = value instanceof Decimal ? value.double : value;
    const recent = new LoggedFault(this.#sites.of(fault), found, indexes, { place, member });
    const about = recent.site.anchor === 'name' ? (member ?? place) : place;
    if (this.#counts(recent, place, about)) this.#recent.push(recent);
  }

  /** Whether it counts, compared with those before. May drop earlier ones. `place`: of the value; `about`: what it shows. */
  #counts(recent: LoggedFault, place: PlaceNode, about: PlaceNode): boolean {
    if (this.#canRepeat && this.#addRepeated(recent, about)) return false;
    const { rule } = recent.site.facts;
    if (rule === 'type') {
      this.#wrong.add(place);
      for (const one of this.#yielding.get(place) ?? []) one.isDropped = true;
    } else if (rowOf(rule).yieldsToType === true) {
      if (this.#wrong.has(place)) return false;
      entryOf(this.#yielding, place, () => []).push(recent);
    }
    return true;
  }

  /** True if the same was found there before; else remembers it. */
  #addRepeated(recent: LoggedFault, about: PlaceNode): boolean {
    const { site } = recent;
    const known = entryOf(this.#byContent, about, () => new Map<Site, LoggedFault>());
    const same = this.#sites.sameAs(site);
    const first = known.get(same);
    if (first === undefined) known.set(same, recent);
    else if (site.facts.rule === 'required' && first.site.fix === null && site.fix !== null) first.site = site;
    return first !== undefined;
  }

  take(): Logged {
    this.#settle();
    return { faults: this.#faults, unlisted: this.#unlisted.counts };
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
    const capacity = LISTED_VIOLATIONS - this.#faults.length;
    if (own.length > 0 && capacity > 0) this.#tree.locate(this.#bytes, this.#span);
    // A member that is filled in is no fault of the payload.
    for (const fault of own.slice(0, capacity))
      if (fault.span !== null || fault.site.facts.rule !== 'deprecated') this.#faults.push(fault);
    for (const { site } of own.slice(capacity)) this.#unlisted.add(hiddenOf(site));
    this.#recent = [];
    this.#byContent = new Map();
    this.#wrong = new Set();
    this.#yielding = new Map();
    this.#tree = new PointerTree();
    this.#places = [];
    this.#numbers = [];
  }
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
