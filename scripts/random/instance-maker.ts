/**
 * Values that tend to match a schema, and small changes of them.
 */
import type { Random } from '../mutations/schemas.ts';
import type { SchemaMaker } from './schema-maker.ts';
import { type Json, type JsonMap, keyOf, Num, num } from './values.ts';
import { FORMATS, PATTERNS, TEXTS } from './words.ts';

/** The keywords that suggest a type, if there is no `type`. */
const HINTS: Readonly<Record<string, RegExp>> = {
  object: /ropert|^required$|^dependen/,
  array: /[iI]tems$|ontains$/,
  string: /Length$|^pattern$|^format$/,
  number: /imum$|^multipleOf$/,
};
const ANY = ['string', 'number', 'boolean', 'null', 'object', 'array'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

export class InstanceMaker {
  readonly #maker: SchemaMaker;
  readonly #random: Random;
  /** Values that are still to be made, about. */
  #left = 0;

  constructor(maker: SchemaMaker) {
    this.#maker = maker;
    this.#random = maker.random;
  }

  instance(schema: Json): Json {
    this.#left = 10 + this.#random(70);
    return this.#make([schema], 5);
  }

  #pick<T>(list: readonly T[]): T {
    return this.#maker.pick(list);
  }

  /** Adds the schemas that apply to the same value, with one of each choice. */
  #flatten(schema: Json | undefined, parts: JsonMap[], left = 6): void {
    if (!(schema instanceof Map) || left === 0) return;
    const add = (one: Json | undefined): void => this.#flatten(one, parts, left - 1);
    add(this.#maker.leads.get(schema)?.schema);
    if (this.#maker.age < 8 && schema.has('$ref')) return;
    parts.push(schema);
    listIn(schema, 'allOf').forEach(add);
    for (const name of ['anyOf', 'oneOf']) if (schema.has(name)) add(this.#pick(listIn(schema, name)));
    for (const name of this.#random(2) === 0 ? ['else'] : ['if', 'then']) add(schema.get(name));
    for (const name of ['dependentSchemas', 'dependencies'])
      for (const [, one] of membersIn(schema, name)) if (this.#random(2) === 0) add(one);
  }

  #make(schemas: readonly Json[], depth: number): Json {
    if (depth < 0 || this.#left-- < 0 || this.#random(30) === 0) return this.#maker.value(1);
    const parts: JsonMap[] = [];
    for (const one of schemas) this.#flatten(one, parts);
    const given = parts.filter((one) => one.has('const') || one.has('enum'));
    if (given.length > 0 && this.#random(8) > 0) {
      const one = this.#pick(given);
      return one.get('const') ?? (one.has('enum') ? this.#pick(listIn(one, 'enum')) : null);
    }
    switch (this.#type(parts)) {
      case 'string':
        return this.#string(parts);
      case 'number':
      case 'integer':
        return this.#number(parts);
      case 'boolean':
        return this.#random(2) === 0;
      case 'null':
        return null;
      case 'array':
        return this.#array(parts, depth);
      default:
        return this.#object(parts, depth);
    }
  }

  #type(parts: readonly JsonMap[]): string {
    let types: string[] = [];
    for (const one of parts) {
      const own = [one.get('type') ?? []].flat().map(String);
      const both = types.filter((name) => own.includes(name) || (name === 'integer' && own.includes('number')));
      if (own.length > 0) types = both.length > 0 ? both : own;
    }
    if (types.length > 0) return this.#pick(types);
    const names = parts.flatMap((one) => [...one.keys()]);
    const likely = Object.keys(HINTS).filter((type) => names.some((name) => HINTS[type]!.test(name)));
    return this.#pick(likely.length > 0 && this.#random(8) > 0 ? likely : ANY);
  }

  #string(parts: readonly JsonMap[]): string {
    const of = (name: string): string[] => parts.flatMap((one) => (one.has(name) ? [String(one.get(name))] : []));
    const [patterns, formats] = [of('pattern'), of('format')];
    let text = this.#pick(TEXTS);
    if (patterns.length > 0) text = this.#pick(PATTERNS[this.#pick(patterns)] ?? ['a']);
    else if (formats.length > 0) text = this.#pick(FORMATS[this.#pick(formats)]!);
    if (this.#random(5) === 0) return text;
    while ([...text].length < most(parts, 'minLength')) text += this.#pick(['a', 'b', '1', '😀', 'é']);
    return [...text].slice(0, least(parts, 'maxLength')).join('');
  }

  #number(parts: readonly JsonMap[]): Json {
    const near = parts.flatMap((one) =>
      BOUNDS.flatMap((name) => {
        const bound = one.get(name);
        if (!(bound instanceof Num)) return [];
        const { value } = bound;
        const others = [value + 1, value - 1, value * 2, value * 3, value + 0.5, 0, -value];
        return [bound, ...others.filter(Number.isFinite).map(num)];
      }),
    );
    if (near.length > 0 && this.#random(4) > 0) return this.#pick(near);
    return num(this.#random(20));
  }

  #array(parts: readonly JsonMap[], depth: number): Json {
    const first = most(parts, 'minItems');
    const length = first + this.#random(Math.max(1, Math.min(4, least(parts, 'maxItems') - first + 1)));
    const isUnique = parts.some((one) => one.get('uniqueItems') === true);
    const seen = new Set<string>();
    return Array.from({ length }, (_, i) => {
      const schemas = parts.flatMap((one) => this.#itemSchemas(one, i));
      let value = this.#make(schemas, depth - 1);
      for (let tries = 0; isUnique && seen.has(keyOf(value)) && tries < 4; tries++)
        value = this.#make(schemas, depth - 1);
      seen.add(keyOf(value));
      return value;
    });
  }

  #itemSchemas(schema: JsonMap, i: number): Json[] {
    const name = Array.isArray(schema.get('items')) ? 'items' : 'prefixItems';
    const list = listIn(schema, name);
    const own = i < list.length ? list[i] : schema.get(name === 'items' ? 'additionalItems' : 'items');
    const contained = this.#random(3) === 0 ? schema.get('contains') : undefined;
    return [own ?? schema.get('unevaluatedItems'), contained].filter((one) => one !== undefined);
  }

  #object(parts: readonly JsonMap[], depth: number): Json {
    const names = new Set<string>();
    for (const one of parts) this.#addNames(one, names);
    const isClosed = parts.some((one) =>
      [one.get('additionalProperties'), one.get('unevaluatedProperties')].includes(false),
    );
    if (!isClosed || this.#random(6) === 0) {
      if (this.#random(3) === 0) names.add(this.#pick([...this.#maker.names, ...TEXTS]));
      const least = most(parts, 'minProperties');
      for (let tries = 0; names.size < least && tries < 10; tries++) names.add(this.#pick(this.#maker.names));
    }
    const end = this.#random(6) > 0 ? least(parts, 'maxProperties') : names.size;
    const order = [...names].map((name) => [this.#random(1000), name] as const).sort(([a], [b]) => a - b);
    const chosen = order.slice(0, end).map(([, name]) => name);
    return new Map(
      chosen.map((name) => [
        name,
        this.#make(
          parts.flatMap((one) => schemasFor(one, name)),
          depth - 1,
        ),
      ]),
    );
  }

  #addNames(schema: JsonMap, names: Set<string>): void {
    for (const name of listIn(schema, 'required')) names.add(String(name));
    for (const [name] of membersIn(schema, 'properties')) if (this.#random(3) > 0) names.add(name);
    for (const [pattern] of membersIn(schema, 'patternProperties'))
      if (this.#random(3) === 0) names.add(this.#pick(PATTERNS[pattern] ?? ['a']));
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'])
      for (const [name, dependent] of membersIn(schema, keyword)) {
        if (this.#random(3) > 0) continue;
        names.add(name);
        if (Array.isArray(dependent)) for (const one of dependent) names.add(String(one));
      }
  }

  /** The value with a small change. */
  changed(value: Json): Json {
    const isContainer = Array.isArray(value) || value instanceof Map;
    if (!isContainer || this.#random(4) === 0)
      return value instanceof Num && this.#random(2) === 0 ? num(value.value + 1) : this.#maker.value(1);
    const entries: [string | number, Json][] = [...value.entries()];
    const at = this.#random(entries.length + 1);
    const isLast = at === entries.length;
    if (isLast) entries.push([this.#pick(this.#maker.names), entries.length > 0 ? this.#pick(entries)[1] : null]);
    else if (this.#random(3) === 0) entries.splice(at, 1);
    else entries[at] = [entries[at]![0], this.changed(entries[at]![1])];
    if (Array.isArray(value)) return entries.map(([, one]) => one);
    return new Map(entries.map(([name, one]) => [String(name), one]));
  }
}

function listIn(schema: JsonMap, name: string): Json[] {
  const value = schema.get(name);
  return Array.isArray(value) ? value : [];
}

function membersIn(schema: JsonMap, name: string): [string, Json][] {
  const value = schema.get(name);
  return value instanceof Map ? [...value] : [];
}

function limits(parts: readonly JsonMap[], name: string): number[] {
  return parts.map((one) => one.get(name)).flatMap((one) => (one instanceof Num ? [one.value] : []));
}

function most(parts: readonly JsonMap[], name: string): number {
  return Math.max(0, ...limits(parts, name));
}

function least(parts: readonly JsonMap[], name: string): number {
  return Math.min(1000, ...limits(parts, name));
}

/** The schemas that apply to a member. */
function schemasFor(schema: JsonMap, name: string): Json[] {
  const own = membersIn(schema, 'properties').filter(([other]) => other === name);
  const matching = membersIn(schema, 'patternProperties').filter(([pattern]) => matches(pattern, name));
  const applied = [...own, ...matching].map(([, one]) => one);
  const other = schema.get('additionalProperties') ?? schema.get('unevaluatedProperties');
  return applied.length > 0 || other === undefined ? applied : [other];
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
