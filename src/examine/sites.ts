/**
 * The places in a schema that give errors, numbered: what all errors of the same place share is kept once. There are no more of them than
 * the schema is long, however many errors a payload has.
 */
import type { ErrorObject } from '../schema/compile.ts';
import { isSchemaObject, type SchemaSet } from '../schema/load.ts';
import type { Rule } from '../types.ts';
import { isMade } from './made.ts';
import { reaches } from './reaches.ts';

/** One keyword of one subschema, with facts that come from the schema alone. */
export interface Site {
  readonly keyword: string;
  readonly rule: Rule;
  readonly schemaPath: string;
  readonly schema: unknown;
  readonly parentSchema: unknown;
  readonly params: ErrorObject['params'];
  /** The error is about a name, to which `propertyNames` is applied. */
  readonly isOfName: boolean;
  /** Which bytes of the value are shown: all, its opening bracket, or the name of the member. */
  readonly anchor: 'value' | 'opening' | 'name';
  /** What would fix it; null: not filling. */
  readonly fix: 'fill' | 'fill --deep' | null;
}

/** The param that holds the name of the member in question. */
const NAMES: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
};
const MISSING = new Set(['required', 'dependentRequired', 'dependencies']);

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

  /** The name of the member that `error` is about, which is payload text; null for an error about a value. */
  nameIn({ keyword, params }: ErrorObject): string | null {
    const param = NAMES[keyword];
    return param === undefined ? null : String(params[param]);
  }

  /** The number of the site that gave `error`. */
  siteOf(error: ErrorObject): number {
    const { parentSchema, schemaPath } = error;
    const numbers = innerMap(innerMap(this.#numbers, parentSchema), schemaPath);
    const facts = factsOf(error);
    let number = numbers.get(facts);
    if (number === undefined) {
      number = this.#all.push(siteFor(error, this.#set)) - 1;
      numbers.set(facts, number);
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
    if (outer.keyword === 'propertyNames') return inner.isOfName;
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

/** What errors of one path in the schema differ in, apart from the payload. */
function factsOf({ keyword, params, propertyName }: ErrorObject): string {
  const ofName = propertyName === undefined ? '' : 'name';
  if (keyword === 'required') return ofName + String(params.missingProperty);
  if (MISSING.has(keyword)) return JSON.stringify([ofName, params.property, params.missingProperty]);
  if (keyword === 'oneOf') return ofName + String(params.passingSchemas);
  return ofName;
}

/** The site of an error: what it has in common with all errors of the same place in the schema. `set`: null if there are no errors. */
export function siteFor(error: Omit<ErrorObject, 'instancePath'>, set: SchemaSet | null): Site {
  const { keyword, schemaPath, schema, parentSchema, params, propertyName } = error;
  return {
    keyword,
    rule: keyword === 'false schema' ? 'false' : keyword,
    schemaPath,
    schema,
    parentSchema,
    params,
    isOfName: propertyName !== undefined,
    anchor: NAMES[keyword] !== undefined ? 'name' : MISSING.has(keyword) ? 'opening' : 'value',
    fix: fixFor(error, set),
  };
}

/** `fill` adds a missing member if the same schema gives a default for it; with `--deep` also an object that defaults make valid. */
function fixFor(error: Omit<ErrorObject, 'instancePath'>, set: SchemaSet | null): Site['fix'] {
  if (error.keyword !== 'required') return null;
  const name = String(error.params.missingProperty);
  const properties: unknown = error.parentSchema?.properties;
  const member = isSchemaObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isSchemaObject(member)) return null;
  if (member.default !== undefined) return 'fill';
  const isDeep = set !== null && !(name in Object.prototype) && isMade(member, set);
  return isDeep ? 'fill --deep' : null;
}
