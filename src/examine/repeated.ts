/**
 * Which violations of a payload are violations of their own. Several schemas that say the same may be applied to a value,
 * or one in several ways, as by `allOf` of two schemas that refer to the same third one: what they say counts once. What
 * a value of the wrong type breaks besides does not count.
 */
import type { PlaceNode } from '../json/locate.ts';
import { KEYWORDS } from '../keywords/index.ts';
import { DIALECT_KEYWORDS } from '../schema/dialect.ts';
import type { SchemaNode } from '../schema/node.ts';
import type { Sites } from './sites.ts';

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

/** A violation as the judge reports it. */
export interface Reported {
  readonly site: number;
  /** Place of the value. */
  readonly place: PlaceNode;
  /** Place of the member that the violation is about; null: it is about the value. */
  readonly member: PlaceNode | null;
  /** Sites of violations that say the same of the same place. */
  readonly others: number[];
  /** The value has the wrong type. */
  isDropped: boolean;
}

/** Compares violations with those before. */
export class OwnViolations {
  readonly #sites: Sites;
  readonly #canRepeat: boolean;
  /** By place, then by what is said of it. */
  readonly #said = new Map<PlaceNode, Map<number, Reported>>();
  /** Values of the wrong type. */
  readonly #wrong = new Set<PlaceNode>();
  /** What does not count if the value has the wrong type. */
  readonly #yielding = new Map<PlaceNode, Reported[]>();

  constructor(sites: Sites, canRepeat: boolean) {
    this.#sites = sites;
    this.#canRepeat = canRepeat;
  }

  /** False: it does not count. May drop earlier ones. */
  add(reported: Reported): boolean {
    const { facts } = this.#sites.at(reported.site);
    if (this.#canRepeat && this.#isRepeated(reported)) return false;
    const { place } = reported;
    if (facts.rule === 'type') {
      this.#wrong.add(place);
      for (const one of this.#yielding.get(place) ?? []) one.isDropped = true;
    } else if (KEYWORDS[facts.rule].yieldsToType === true) {
      if (this.#wrong.has(place)) return false;
      const before = this.#yielding.get(place);
      if (before === undefined) this.#yielding.set(place, [reported]);
      else before.push(reported);
    }
    return true;
  }

  #isRepeated(reported: Reported): boolean {
    const { site, place, member } = reported;
    const at = this.#sites.at(site).anchor === 'name' ? (member ?? place) : place;
    const said = this.#said.get(at) ?? new Map<number, Reported>();
    this.#said.set(at, said);
    const same = this.#sites.sameAs(site);
    const first = said.get(same);
    if (first === undefined) said.set(same, reported);
    else if (this.#sites.at(site).facts.rule === 'required') first.others.push(site);
    return first !== undefined;
  }
}
