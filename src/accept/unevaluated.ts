/**
 * Schemas without `unevaluatedProperties` and `unevaluatedItems` that accept the same values, made of other keywords.
 *
 * Which members are evaluated is mostly known from the schema: then `unevaluatedProperties` is `additionalProperties`
 * beside all names and patterns that are evaluated. With alternatives, every name has conditions: the alternatives that
 * evaluate it. A member of this name must match one of them, or the schema for unevaluated members. Items are the same,
 * by index.
 */
import { isSchemaObject, type Schema, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import type { References } from './shape.ts';
import { matchesName } from './simple-patterns.ts';
import { Unsupported } from './unsupported.ts';

/** The keywords that are replaced by others. */
export const REPLACED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
type Replaced = (typeof REPLACED)[number];

/** More levels of references and branches are not followed. */
const MOST_LEVELS = 30;
/** More conditions make too much code. */
const MOST_CONDITIONS = 64;
/** Conditions on what is not known by name or index: each combination of them is code. */
const MOST_VAGUE = 3;

/** A number of a condition; null: it always holds. */
type Condition = number | null;

/** What the keywords of a schema evaluate, and under which conditions. */
interface Evaluated {
  readonly conditions: Schema[];
  /** Everything in the value. */
  readonly all: Set<Condition>;
  readonly names: Map<string, Set<Condition>>;
  readonly patterns: Map<string, Set<Condition>>;
  /** By number of first items. */
  readonly listed: Map<number, Set<Condition>>;
  /** The schemas of `contains`. */
  readonly contains: Map<Schema, Set<Condition>>;
}

export class Replacer {
  readonly #set: SchemaSet;
  readonly #references: References;
  readonly #onMade: (schema: SchemaObject, from: SchemaObject) => void;
  readonly #made = new Map<SchemaObject, SchemaObject>();

  /** `onMade`: called with a new schema, and the one that it replaces. */
  constructor(
    set: SchemaSet,
    references: References,
    onMade: (schema: SchemaObject, from: SchemaObject) => void,
  ) {
    this.#set = set;
    this.#references = references;
    this.#onMade = onMade;
  }

  /** An equivalent schema without these keywords; one that cannot be replaced is still there. */
  replace(schema: SchemaObject): SchemaObject {
    if (this.#set.dialect === 'draft-07' || !REPLACED.some((keyword) => keyword in schema)) return schema;
    const known = this.#made.get(schema);
    if (known !== undefined) return known;
    let result = schema;
    for (const keyword of REPLACED) {
      if (!(keyword in schema)) continue;
      try {
        result = this.#without(keyword, result, this.#evaluated(schema, keyword));
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
      }
    }
    if (result !== schema) this.#onMade(result, schema);
    this.#made.set(schema, result);
    return result;
  }

  #evaluated(schema: SchemaObject, keyword: Replaced): Evaluated {
    const evaluated = {
      ...{ conditions: [], all: new Set<Condition>(), names: new Map(), patterns: new Map() },
      ...{ listed: new Map(), contains: new Map() },
    };
    new Collector(this.#set.dialect, this.#references, keyword, evaluated).collectBeside(schema, null, 0);
    return evaluated;
  }

  #without(keyword: Replaced, schema: SchemaObject, evaluated: Evaluated): SchemaObject {
    const { [keyword]: other, ...rest } = schema;
    const isAny = other === true || (isSchemaObject(other) && Object.keys(other).length === 0);
    if (isAny || evaluated.all.has(null)) return rest;
    const is2020 = this.#set.dialect === '2020-12';
    const parts: Parts =
      keyword === 'unevaluatedItems'
        ? itemParts(evaluated, other as Schema, is2020)
        : memberParts(evaluated, other as Schema);
    const { closed, more } = parts;
    const conditions = [...evaluated.all].map((condition) => evaluated.conditions[condition!]!); // not null: see above
    if (conditions.length > 0) {
      const choice = { anyOf: [...conditions, { allOf: [closed, ...more] }] };
      return { ...rest, allOf: [...listOf(rest.allOf), choice] };
    }
    const merged = { ...rest, ...merge(rest, closed) };
    return more.length === 0 ? merged : { ...merged, allOf: [...listOf(rest.allOf), ...more] };
  }
}

/** A schema that says what is never evaluated, and schemas for what is evaluated only under conditions. */
interface Parts {
  readonly closed: SchemaObject;
  readonly more: readonly Schema[];
}

function memberParts({ conditions, names, patterns }: Evaluated, other: Schema): Parts {
  const known = Object.fromEntries([...names.keys()].map((name) => [name, true]));
  const closedWith = (allowed: readonly string[]): SchemaObject => ({
    properties: known,
    patternProperties: Object.fromEntries(allowed.map((pattern) => [pattern, true])),
    additionalProperties: other,
  });
  const groups = groupsOf(
    [...names].map(([name, own]) => {
      const matching = [...patterns].filter(([pattern]) => matchesName(pattern, name));
      return [name, new Set([...own, ...matching.flatMap(([, its]) => [...its])])] as const;
    }),
  );
  const more = groups.map(([of, group]) =>
    anyOf(of, conditions, { properties: Object.fromEntries(group.map((name) => [name, other])) }),
  );
  const vague = combinations(patterns).map(([missing, left]) => anyOf(missing, conditions, closedWith(left)));
  return { closed: closedWith([...patterns.keys()]), more: [...more, ...vague] };
}

function itemParts({ conditions, listed, contains }: Evaluated, other: Schema, is2020: boolean): Parts {
  const lengths = [...listed.keys()].sort((a, b) => a - b);
  const most = lengths.at(-1) ?? 0;
  const listOfItems = (first: readonly Schema[], rest: Schema): SchemaObject =>
    is2020 ? { prefixItems: first, items: rest } : { items: first, additionalItems: rest };
  const trues = (length: number): Schema[] => new Array<Schema>(length).fill(true);
  const groups = groupsOf(
    lengths.map((length) => {
      const covering = lengths.filter((one) => one >= length).flatMap((one) => [...listed.get(one)!]);
      return [length, new Set(covering)] as const;
    }),
  );
  // What is unevaluated is `other`, or has been found by `contains`.
  const partsWith = (found: readonly Schema[]): Parts => {
    const item: Schema = found.length === 0 ? other : { anyOf: [...found, other] };
    const more = groups.flatMap(([of, group]) =>
      group.map((length) => {
        const before = lengths[lengths.indexOf(length) - 1] ?? 0;
        const items = [...trues(before), ...trues(length - before).map(() => item)];
        return anyOf(of, conditions, listOfItems(items, true));
      }),
    );
    return { closed: listOfItems(trues(most), item), more };
  };
  const { closed, more } = partsWith([...contains.keys()]);
  const vague = combinations(contains).map(([missing, left]) => {
    const parts = partsWith(left);
    return anyOf(missing, conditions, { allOf: [parts.closed, ...parts.more] });
  });
  return { closed, more: [...more, ...vague] };
}

/** What has the same conditions; without what is always evaluated. */
function groupsOf<T>(
  covered: readonly (readonly [T, ReadonlySet<Condition>])[],
): (readonly [conditions: readonly Condition[], group: readonly T[]])[] {
  const groups = new Map<string, [readonly Condition[], T[]]>();
  for (const [one, covering] of covered) {
    if (covering.has(null)) continue;
    const sorted = [...covering].sort((a, b) => a! - b!);
    const group = groups.get(sorted.join()) ?? [sorted, []];
    group[1].push(one);
    groups.set(sorted.join(), group);
  }
  return [...groups.values()];
}

/** For each combination of conditions that do not hold: these conditions, and what is left then. */
function combinations<T>(
  vague: ReadonlyMap<T, ReadonlySet<Condition>>,
): (readonly [missing: readonly Condition[], left: readonly T[]])[] {
  const conditional = [...vague.values()].filter((its) => !its.has(null)).flatMap((its) => [...its]);
  const numbers = [...new Set(conditional)];
  if (numbers.length > MOST_VAGUE) throw new Unsupported('many alternatives with patterns or "contains"');
  return Array.from({ length: 2 ** numbers.length - 1 }, (_, i) => {
    const missing = numbers.filter((_, bit) => ((i + 1) >> bit) & 1);
    const left = [...vague].filter(([, its]) =>
      [...its].some((one) => one === null || !missing.includes(one)),
    );
    return [missing, left.map(([one]) => one)] as const;
  });
}

/** `otherwise` unless one of the conditions holds. */
function anyOf(of: readonly Condition[], conditions: readonly Schema[], otherwise: Schema): Schema {
  return { anyOf: [otherwise, ...of.map((condition) => conditions[condition!]!)] }; // null is in no group
}

/** The keywords of `closed`, with those of `own` where these say more. */
function merge(own: SchemaObject, closed: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...closed };
  for (const keyword of ['properties', 'patternProperties']) {
    if (isSchemaObject(closed[keyword]))
      merged[keyword] = { ...closed[keyword], ...(own[keyword] as SchemaObject | undefined) };
  }
  for (const keyword of ['prefixItems', 'items']) {
    const [all, first] = [closed[keyword], listOf(own[keyword])];
    if (Array.isArray(all)) merged[keyword] = [...first, ...(all as Schema[]).slice(first.length)];
  }
  return merged;
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : []; // checked by the meta-schema
}

class Collector {
  readonly #is2020: boolean;
  readonly #references: References;
  readonly #keyword: Replaced;
  readonly #evaluated: Evaluated;
  readonly #done = new Map<Condition, Set<SchemaObject>>();

  constructor(
    dialect: SchemaSet['dialect'],
    references: References,
    keyword: Replaced,
    evaluated: Evaluated,
  ) {
    this.#is2020 = dialect === '2020-12';
    this.#references = references;
    this.#keyword = keyword;
    this.#evaluated = evaluated;
  }

  /** Adds what the keywords of `schema`, other than `unevaluated…`, evaluate if `condition` holds. */
  collectBeside(schema: SchemaObject, condition: Condition, level: number): void {
    if (level > MOST_LEVELS) throw new Unsupported('many levels of alternatives');
    if (schema.$recursiveRef !== undefined) throw new Unsupported('the keyword "$recursiveRef"');
    if (this.#keyword === 'unevaluatedItems') this.#items(schema, condition);
    else this.#members(schema, condition, level);
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, if: test, then, else: otherwise } = schema;
    const next = level + 1;
    const { follow, followDynamic } = this.#references;
    if ($ref !== undefined) this.#collectTarget(follow(schema), condition, next);
    if ($dynamicRef !== undefined && this.#is2020)
      this.#collectTarget(followDynamic(schema), condition, next);
    for (const one of listOf(allOf)) this.#collect(one, condition, next);
    for (const one of [...listOf(anyOf), ...listOf(oneOf)])
      this.#collect(one, this.#both(condition, one), next);
    if (test === undefined) return;
    const passes = this.#both(condition, test as Schema); // checked by the meta-schema
    this.#collect(test, passes, next);
    this.#collect(then, passes, next);
    if (isSchemaObject(otherwise)) this.#collect(otherwise, this.#both(condition, { not: test }), next);
  }

  #collectTarget(target: Schema | undefined, condition: Condition, level: number): void {
    if (target === undefined) throw new Unsupported('a reference that is not followed');
    this.#collect(target, condition, level);
  }

  #collect(schema: unknown, condition: Condition, level: number): void {
    if (!isSchemaObject(schema)) return;
    const done = this.#done.get(condition) ?? new Set();
    this.#done.set(condition, done);
    if (done.has(schema)) return;
    done.add(schema);
    if (schema[this.#keyword] !== undefined) this.#evaluated.all.add(condition);
    else this.collectBeside(schema, condition, level);
  }

  #members(schema: SchemaObject, condition: Condition, level: number): void {
    const { properties, patternProperties, additionalProperties } = schema;
    const { all, names, patterns } = this.#evaluated;
    if (additionalProperties !== undefined) all.add(condition);
    for (const name of Object.keys(properties ?? {})) add(names, name, condition);
    for (const pattern of Object.keys(patternProperties ?? {})) add(patterns, pattern, condition);
    for (const dependents of [schema.dependentSchemas, schema.dependencies]) {
      if (!isSchemaObject(dependents)) continue;
      for (const [name, one] of Object.entries(dependents))
        if (isSchemaObject(one)) this.#collect(one, this.#both(condition, { required: [name] }), level + 1);
    }
  }

  #items(schema: SchemaObject, condition: Condition): void {
    const { items, additionalItems, prefixItems, contains } = schema;
    const { all, listed: lists, contains: found } = this.#evaluated;
    const listed = this.#is2020 ? prefixItems : items;
    const others = this.#is2020 || !Array.isArray(items) ? items : additionalItems;
    if (others !== undefined) all.add(condition);
    if (Array.isArray(listed)) add(lists, listed.length, condition);
    if (contains !== undefined && this.#is2020) add(found, contains as Schema, condition);
  }

  /** A new condition: the other one, and that the value matches `schema`. */
  #both(other: Condition, schema: Schema): Condition {
    const { conditions } = this.#evaluated;
    if (conditions.length === MOST_CONDITIONS) throw new Unsupported('many alternatives');
    return conditions.push(other === null ? schema : { allOf: [conditions[other], schema] }) - 1;
  }
}

function add<T>(map: Map<T, Set<Condition>>, key: T, condition: Condition): void {
  const known = map.get(key) ?? new Set();
  map.set(key, known.add(condition));
}
