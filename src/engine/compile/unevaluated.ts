/**
 * Schemas without `unevaluatedProperties` and `unevaluatedItems` that accept the same values, made of other keywords.
 *
 * Which members are evaluated is mostly known from the schema: then `unevaluatedProperties` is `additionalProperties`
 * beside all names and patterns that are evaluated. With alternatives, every name has conditions: the alternatives that
 * evaluate it. A member of this name must match one of them, or the schema for unevaluated members. Items are the same,
 * by index.
 */
import { entryOf, memoizedWeakly } from '../../json/on-demand.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import { isNode, type Keywords, madeSchema, type Schema, type SchemaNode } from '../../schema/node.ts';
import { toRegExp } from '../../schema/regexp.ts';

/** The keywords that are replaced by others. */
export const REPLACED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
type ReplacedKeyword = (typeof REPLACED)[number];

/** More levels of references and branches are not followed. */
const MOST_HOPS = 30;
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
  readonly contains: Map<Schema, Set<Condition>>;
}

/** An equivalent schema without these keywords; a keyword that cannot be replaced is kept. */
export const withoutUnevaluated = memoizedWeakly((schema: SchemaNode): SchemaNode => {
  let result = schema;
  for (const keyword of REPLACED) {
    if (!(keyword in schema)) continue;
    try {
      const parts = new EvaluatedParts(keyword);
      parts.collectBeside(schema, null, 0);
      result = without(keyword, result, parts.evaluated);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
    }
  }
  return result;
});

function without(keyword: ReplacedKeyword, schema: SchemaNode, evaluated: Evaluated): SchemaNode {
  const { [keyword]: other, ...rest } = schema;
  if (other === undefined || other === true || evaluated.all.has(null)) return rest;
  const parts: Parts = keyword === 'unevaluatedItems' ? itemParts(evaluated, other) : memberParts(evaluated, other);
  const { closed, more } = parts;
  const conditions = [...evaluated.all].map((condition) => evaluated.conditions[condition!]!); // not null: see above
  if (conditions.length > 0) {
    const choice = madeSchema({ anyOf: [...conditions, madeSchema({ allOf: [closed, ...more] })] });
    return { ...rest, allOf: [...(rest.allOf ?? []), choice] };
  }
  const merged = { ...rest, ...merge(rest, closed) };
  return more.length === 0 ? merged : { ...merged, allOf: [...(rest.allOf ?? []), ...more] };
}

/** A schema that says what is never evaluated, and schemas for what is evaluated only under conditions. */
interface Parts {
  readonly closed: SchemaNode;
  readonly more: readonly Schema[];
}

function memberParts({ conditions, names, patterns }: Evaluated, other: Schema): Parts {
  const known = Object.fromEntries([...names.keys()].map((name) => [name, true]));
  const closedWith = (allowed: readonly string[]): SchemaNode =>
    madeSchema({
      properties: known,
      patternProperties: Object.fromEntries(allowed.map((pattern) => [pattern, true])),
      additionalProperties: other,
    });
  const groups = groupsOf(
    [...names].map(([name, own]) => {
      const matching = [...patterns].filter(([pattern]) => toRegExp(pattern).test(name));
      return [name, new Set([...own, ...matching.flatMap(([, its]) => [...its])])] as const;
    }),
  );
  const more = groups.map(([of, group]) =>
    anyOf(of, conditions, madeSchema({ properties: Object.fromEntries(group.map((name) => [name, other])) })),
  );
  const vague = combinations(patterns).map(([missing, left]) => anyOf(missing, conditions, closedWith(left)));
  return { closed: closedWith([...patterns.keys()]), more: [...more, ...vague] };
}

function itemParts({ conditions, listed, contains }: Evaluated, other: Schema): Parts {
  const lengths = [...listed.keys()].sort((a, b) => a - b);
  const most = lengths.at(-1) ?? 0;
  const listOfItems = (first: readonly Schema[], rest: Schema): SchemaNode =>
    madeSchema({ prefixItems: first, items: rest });
  const trues = (length: number): Schema[] => new Array<Schema>(length).fill(true);
  const groups = groupsOf(
    lengths.map((length) => {
      const covering = lengths.filter((one) => one >= length).flatMap((one) => [...listed.get(one)!]);
      return [length, new Set(covering)] as const;
    }),
  );
  // What is unevaluated is `other`, or has been found by `contains`.
  const partsWith = (found: readonly Schema[]): Parts => {
    const item: Schema = found.length === 0 ? other : madeSchema({ anyOf: [...found, other] });
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
    return anyOf(missing, conditions, madeSchema({ allOf: [parts.closed, ...parts.more] }));
  });
  return { closed, more: [...more, ...vague] };
}

/** Groups of what has the same conditions, without what is always evaluated. */
function groupsOf<T>(
  covered: readonly (readonly [T, ReadonlySet<Condition>])[],
): (readonly [conditions: readonly Condition[], group: readonly T[]])[] {
  const groups = new Map<string, [readonly Condition[], T[]]>();
  for (const [one, covering] of covered) {
    if (covering.has(null)) continue;
    const sorted = [...covering].sort((a, b) => a! - b!);
    entryOf(groups, sorted.join(), (): [readonly Condition[], T[]] => [sorted, []])[1].push(one);
  }
  return [...groups.values()];
}

/** For each combination of conditions that do not hold: these conditions, and what is evaluated all the same. */
function combinations<T>(
  vague: ReadonlyMap<T, ReadonlySet<Condition>>,
): (readonly [missing: readonly Condition[], left: readonly T[]])[] {
  const conditional = [...vague.values()].filter((its) => !its.has(null)).flatMap((its) => [...its]);
  const numbers = [...new Set(conditional)];
  if (numbers.length > MOST_VAGUE) throw new Unsupported('many alternatives with patterns or "contains"');
  return Array.from({ length: 2 ** numbers.length - 1 }, (_, i) => {
    const missing = numbers.filter((_, bit) => ((i + 1) >> bit) & 1);
    const left = [...vague].filter(([, its]) => [...its].some((one) => one === null || !missing.includes(one)));
    return [missing, left.map(([one]) => one)] as const;
  });
}

/** `otherwise` unless one of the conditions holds. */
function anyOf(of: readonly Condition[], conditions: readonly Schema[], otherwise: Schema): Schema {
  return madeSchema({ anyOf: [otherwise, ...of.map((condition) => conditions[condition!]!)] }); // null is in no group
}

/** The keywords of `closed` that are beside those of `own`, with what `own` says of the same members and items. */
function merge(
  own: Keywords,
  { properties, patternProperties, additionalProperties, prefixItems, items }: SchemaNode,
): Keywords {
  if (prefixItems !== undefined) {
    const first = own.prefixItems ?? [];
    return { prefixItems: [...first, ...prefixItems.slice(first.length)], items: items! }; // made together
  }
  return {
    properties: { ...properties, ...own.properties },
    patternProperties: { ...patternProperties, ...own.patternProperties },
    additionalProperties: additionalProperties!, // made with the others
  };
}

class EvaluatedParts {
  readonly #keyword: ReplacedKeyword;
  readonly evaluated: Evaluated = {
    ...{ conditions: [], all: new Set<Condition>(), names: new Map(), patterns: new Map() },
    ...{ listed: new Map(), contains: new Map() },
  };
  readonly #done = new Map<Condition, Set<SchemaNode>>();

  constructor(keyword: ReplacedKeyword) {
    this.#keyword = keyword;
  }

  /** Adds what the keywords of `schema`, other than `unevaluated…`, evaluate if `condition` holds. */
  collectBeside(schema: SchemaNode, condition: Condition, level: number): void {
    if (level > MOST_HOPS) throw new Unsupported('many levels of alternatives');
    if (this.#keyword === 'unevaluatedItems') this.#items(schema, condition);
    else this.#members(schema, condition);
    const { $ref = [], allOf = [], anyOf = [], oneOf = [], if: test, then, else: otherwise } = schema;
    const next = level + 1;
    for (const one of [...$ref, ...allOf]) this.#collect(one, condition, next);
    for (const one of [...anyOf, ...oneOf]) this.#collect(one, this.#both(condition, one), next);
    // An array has no members, so no schema of `dependentSchemas` evaluates its items.
    const dependent = this.#keyword === 'unevaluatedItems' ? {} : schema.dependentSchemas;
    for (const [name, one] of Object.entries(dependent ?? {}))
      if (isNode(one)) this.#collect(one, this.#both(condition, madeSchema({ required: [name] })), next);
    if (test === undefined) return;
    const passes = this.#both(condition, test);
    this.#collect(test, passes, next);
    this.#collect(then, passes, next);
    if (isNode(otherwise)) this.#collect(otherwise, this.#both(condition, madeSchema({ not: test })), next);
  }

  #collect(schema: Schema | undefined, condition: Condition, level: number): void {
    if (!isNode(schema)) return;
    const done = entryOf(this.#done, condition, () => new Set());
    if (done.has(schema)) return;
    done.add(schema);
    if (schema[this.#keyword] !== undefined) this.evaluated.all.add(condition);
    else this.collectBeside(schema, condition, level);
  }

  #members({ properties, patternProperties, additionalProperties }: SchemaNode, condition: Condition): void {
    const { all, names, patterns } = this.evaluated;
    if (additionalProperties !== undefined) all.add(condition);
    for (const name of Object.keys(properties ?? {})) add(names, name, condition);
    for (const pattern of Object.keys(patternProperties ?? {})) add(patterns, pattern, condition);
  }

  #items({ items, prefixItems, contains, containsIsSilent = false }: SchemaNode, condition: Condition): void {
    const { all, listed, contains: found } = this.evaluated;
    if (items !== undefined) all.add(condition);
    if (prefixItems !== undefined) add(listed, prefixItems.length, condition);
    if (contains !== undefined && !containsIsSilent) add(found, contains, condition);
  }

  /** A new condition: the other one, and that the value matches `schema`. */
  #both(other: Condition, schema: Schema): Condition {
    const { conditions } = this.evaluated;
    if (conditions.length === MOST_CONDITIONS) throw new Unsupported('many alternatives');
    return conditions.push(other === null ? schema : madeSchema({ allOf: [conditions[other]!, schema] })) - 1;
  }
}

function add<T>(map: Map<T, Set<Condition>>, key: T, condition: Condition): void {
  entryOf(map, key, () => new Set()).add(condition);
}
