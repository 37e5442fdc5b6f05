/**
 * The places in a schema that give errors, numbered: what all errors of the same place share is kept once. There are no more of them than
 * the schema is long, however many errors a payload has.
 */
import { KEYWORDS } from '../keywords/index.ts';
import type { Anchor } from '../keywords/keyword.ts';
import type { SchemaFacts } from '../keywords/params.ts';
import { isSchemaObject, type SchemaSet } from '../schema/load.ts';
import { type AjvError, schemaFacts } from '../schema/schema-facts.ts';
import { isMade } from './made.ts';
import { reaches } from './reaches.ts';

/** One keyword of one subschema, with facts that come from the schema alone. */
export interface Site {
  /** The rule, and its facts as far as they are the same for all errors of the place. */
  readonly facts: SchemaFacts;
  readonly schemaPath: string;
  readonly schema: unknown;
  readonly parentSchema: unknown;
  /** The error is about a name, to which `propertyNames` is applied. */
  readonly isOfName: boolean;
  /** Which bytes of the value are shown: all, its opening bracket, or the name of the member. */
  readonly anchor: Anchor;
  /** What would fix it; null: not filling. */
  readonly fix: 'fill' | 'fill --deep' | null;
}

export class Sites {
  readonly #set: SchemaSet | null;
  readonly #all: Site[] = [];
  /** By subschema, path in the schema, and the facts in which errors there differ. */
  readonly #numbers = new Map<unknown, Map<string, Map<string, number>>>();
  readonly #insides = new Map<number, Map<number, boolean>>();

  /** Null if there will be no errors. */
  constructor(set: SchemaSet | null) {
    this.#set = set;
  }

  at(site: number): Site {
    return this.#all[site]!;
  }

  /** The number of the site that gave `error`. */
  siteOf(error: AjvError): number {
    const { parentSchema, schemaPath } = error;
    const numbers = innerMap(innerMap(this.#numbers, parentSchema), schemaPath);
    const difference = differenceOf(error);
    let number = numbers.get(difference);
    if (number === undefined) {
      const { schema, propertyName, data } = error;
      const facts = schemaFacts(error, data);
      const place = { facts, schemaPath, schema, parentSchema, isOfName: propertyName !== undefined };
      number = this.#all.push(siteFor(place, this.#set)) - 1;
      numbers.set(difference, number);
    }
    return number;
  }

  /** True if errors of the site `inner`, about the same value or one inside, come from a subschema that `outer` tries. */
  isInside(inner: number, outer: number): boolean {
    const answers = innerMap(this.#insides, outer);
    let answer = answers.get(inner);
    if (answer === undefined) {
      answer = this.#looksInside(this.at(inner), this.at(outer));
      answers.set(inner, answer);
    }
    return answer;
  }

  #looksInside(inner: Site, outer: Site): boolean {
    if (inner.parentSchema === outer.parentSchema) return false;
    if (outer.facts.rule === 'propertyNames') return inner.isOfName;
    return this.#set !== null && reaches(outer.schema, inner.parentSchema, this.#set);
  }
}

/** The map for `key` in `map`, made if it is missing. */
function innerMap<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}

/** The name of the member that `error` is about, which is payload text; null for an error about a value. */
export function nameIn({ keyword, params }: AjvError): string | null {
  switch (keyword) {
    case 'additionalProperties':
      return params.additionalProperty;
    case 'unevaluatedProperties':
      return params.unevaluatedProperty;
    case 'propertyNames':
      return params.propertyName;
    default:
      return null;
  }
}

/** What errors of one path in the schema differ in, apart from the payload. */
function differenceOf({ keyword, params, propertyName }: AjvError): string {
  const ofName = propertyName === undefined ? '' : 'name';
  switch (keyword) {
    case 'required':
      return ofName + params.missingProperty;
    case 'dependentRequired':
    case 'dependencies':
      return JSON.stringify([ofName, params.property, params.missingProperty]);
    case 'oneOf':
      return ofName + String(params.passingSchemas);
    default:
      return ofName;
  }
}

/** A site from what is known about it. `set`: null if there are no errors. */
export function siteFor(place: Omit<Site, 'anchor' | 'fix'>, set: SchemaSet | null): Site {
  return { ...place, anchor: KEYWORDS[place.facts.rule].anchor, fix: fixFor(place, set) };
}

/** `fill` adds a missing member if the same schema gives a default for it; with `--deep` also an object that defaults make valid. */
function fixFor(
  { facts, parentSchema }: Pick<Site, 'facts' | 'parentSchema'>,
  set: SchemaSet | null,
): Site['fix'] {
  if (facts.rule !== 'required') return null;
  const name = facts.params.missing;
  const properties = isSchemaObject(parentSchema) ? parentSchema.properties : undefined;
  const member = isSchemaObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isSchemaObject(member)) return null;
  if (member.default !== undefined) return 'fill';
  const isDeep = set !== null && !(name in Object.prototype) && isMade(member, set);
  return isDeep ? 'fill --deep' : null;
}
