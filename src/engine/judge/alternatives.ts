/**
 * The alternatives of `anyOf` or `oneOf`, sorted out by what is known of them without judging a value: which ones a
 * value may match, which ones were probably meant if it matches none, and what they ask for together. The judge decides
 * among those that are left.
 */
import { entryOf, memoized, memoizedWeakly, once } from '../../json/on-demand.ts';
import type { JsonObject } from '../../json/value.ts';
import { wanted } from '../../keywords/wanted.ts';
import { COMPARED_ALTERNATIVES } from '../../limits.ts';
import {
  type Facts,
  factsOf,
  keyOf,
  OBJECT,
  type Scalar,
  typeOf,
  typesNamed,
  type ValueType,
} from '../../schema/facts.ts';
import type { TypeName } from '../../schema/names.ts';
import { madeSchema, type Schema } from '../../schema/node.ts';
import { nearMiss } from '../../words/near.ts';

/** Fewer alternatives are judged one after another. */
const FEW_ALTERNATIVES = 4;
/** Maximum number of values of a member that are listed, and compared with a word. */
const MOST_TAG_VALUES = 100;

/** Alternatives by their numbers, in ascending order. */
type Numbers = readonly number[];
type Sorter = (value: unknown) => Numbers;

/** What a value of a type must be, if no alternative fits that type. */
export interface Expected {
  readonly types: readonly TypeName[];
  /** The schemas whose `const` or `enum` has the values. */
  readonly valued: readonly Schema[];
}

export const alternativesIn = memoizedWeakly((schemas: readonly Schema[]) => new Alternatives(schemas));

class Alternatives {
  readonly #schemas: readonly Schema[];
  readonly #facts = once(() => this.#schemas.map(factsOf));
  /** The members that tell alternatives apart. */
  readonly #tags = once(() => tagsOf(this.#facts()));
  readonly #fitting = memoized(
    (type: ValueType): Numbers => [...this.#schemas.keys()].filter((number) => this.#facts()[number]!.types.has(type)),
  );
  readonly #sorter = memoized((type: ValueType): Sorter => {
    const [fitting, facts] = [this.#fitting(type), this.#facts()];
    if (type === OBJECT) return byMembers(fitting, facts, new Set());
    const { matching, others } = byKey(fitting, (number) => facts[number]!.values);
    return (value) => merged(matching(value), others);
  });
  readonly #expected = memoized((type: ValueType): Expected | null => {
    const facts = this.#facts();
    const isInWords = facts.every(({ values, types }) => values !== null || !types.has(type));
    const valued = this.#schemas.filter((_, i) => facts[i]!.values !== null);
    const types = facts.flatMap(({ values, types }) => (values === null ? [...types] : []));
    return isInWords && valued.length + types.length > 0 ? { valued, types: typesNamed(types) } : null;
  });

  /** What they ask for together, such as `a string or null`; null: too many words are needed. */
  readonly words = once(() => wanted(madeSchema({ anyOf: this.#schemas })));

  constructor(schemas: readonly Schema[]) {
    this.#schemas = schemas;
  }

  /** Those that the value may match. It surely does not match the others. */
  possible(value: unknown): Iterable<number> {
    return this.#schemas.length < FEW_ALTERNATIVES ? this.#schemas.keys() : this.#sorter(typeOf(value))(value);
  }

  /** If the value matches none: those that neither its type nor its tags exclude, at most `COMPARED_ALTERNATIVES`. */
  meant(value: unknown): Numbers {
    let best = Number.NEGATIVE_INFINITY;
    let left: number[] = [];
    for (const number of this.#fitting(typeOf(value))) {
      const score = this.#tagScore(this.#facts()[number]!, value);
      if (score > best) left = [];
      if (score >= best) left.push(number);
      best = Math.max(best, score);
    }
    return left.slice(0, COMPARED_ALTERNATIVES);
  }

  /** What was expected in place of a value, if its type alone, or being another value, is the fault; else null. */
  expected(value: unknown): Expected | null {
    return this.#expected(typeOf(value));
  }

  /** A member by which all alternatives differ, if the value has none of their values, nor a similar one; else null. */
  wrongTag(value: unknown): { readonly name: string; readonly allowed: readonly unknown[] } | null {
    const objects = this.#fitting(OBJECT);
    if (typeOf(value) !== OBJECT || objects.length < 2) return null;
    const object = value as JsonObject; // it is one
    for (const name of this.#tags()) {
      const sets = objects.map((number) => this.#facts()[number]!.members.get(name));
      const allowed = new Set(sets.flatMap((set) => [...(set ?? [])]));
      const isTag = !sets.includes(undefined) && allowed.size <= MOST_TAG_VALUES && Object.hasOwn(object, name);
      if (isTag && !allowed.has(keyOf(object[name])!) && !isNear(object[name], allowed))
        return { name, allowed: [...allowed] };
    }
    return null;
  }

  /** How well the tags of a value fit. */
  #tagScore({ values, members }: Facts, value: unknown): number {
    if (values !== null) return isNear(value, values) ? 1 : -1;
    if (typeOf(value) !== OBJECT) return 0;
    const object = value as JsonObject; // it is one
    let score = 0;
    for (const name of this.#tags()) {
      const allowed = members.get(name);
      if (allowed === undefined || !Object.hasOwn(object, name)) continue;
      score += allowed.has(keyOf(object[name])!) ? 1 : isNear(object[name], allowed) ? 0 : -1;
    }
    return score;
  }
}

function isNear(value: unknown, allowed: ReadonlySet<Scalar>): boolean {
  if (typeof value !== 'string' || allowed.size > MOST_TAG_VALUES) return false;
  const words = [...allowed].filter((one) => typeof one === 'string');
  return nearMiss(value, words) !== null;
}

/** Names of members of which each value leads to one alternative. */
function tagsOf(all: readonly Facts[]): readonly string[] {
  const byName = new Map<string, ReadonlySet<Scalar>[]>();
  for (const { members } of all) for (const [name, values] of members) entryOf(byName, name, () => []).push(values);
  const tags = [...byName].filter(([, sets]) => {
    const sizes = sets.reduce((sum, { size }) => sum + size, 0);
    if (sets.length === 1) return sizes === 1 && all.length > 1;
    return new Set(sets.flatMap((set) => [...set])).size === sizes;
  });
  return tags.map(([name]) => name);
}

const NO_NUMBERS: Numbers = [];

/** `a` and `b` in one ascending list. */
function merged(a: Numbers, b: Numbers): Numbers {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return [...a, ...b].sort((one, other) => one - other);
}

/** Alternatives by the values that they allow, and those that allow any. */
function byKey(candidates: Numbers, valuesOf: (number: number) => ReadonlySet<Scalar> | null | undefined) {
  const buckets = new Map<Scalar | undefined, number[]>();
  const others: number[] = [];
  for (const number of candidates) {
    const values = valuesOf(number) ?? null;
    if (values === null) others.push(number);
    else for (const value of values) entryOf(buckets, value, () => []).push(number);
  }
  return { matching: (value: unknown): Numbers => buckets.get(keyOf(value)) ?? NO_NUMBERS, others };
}

/** Selects by members that are not in `asked`. */
function byMembers(candidates: Numbers, facts: readonly Facts[], asked: ReadonlySet<string>): Sorter {
  if (candidates.length < FEW_ALTERNATIVES) return () => candidates;
  const name = commonest(candidates, (number) => [...facts[number]!.members.keys()].filter((one) => !asked.has(one)));
  if (name !== null) return byMember(name, candidates, facts, new Set([...asked, name]));
  return byRequired(candidates, facts);
}

/** The name that most alternatives have; null if it is fewer than half of them. */
function commonest(candidates: Numbers, namesOf: (number: number) => Iterable<string>): string | null {
  const counts = new Map<string, number>();
  let found: string | null = null;
  for (const number of candidates) {
    for (const name of namesOf(number)) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (found === null || count > counts.get(found)!) found = name;
    }
  }
  return found !== null && 2 * counts.get(found)! >= candidates.length ? found : null;
}

function byMember(name: string, candidates: Numbers, facts: readonly Facts[], asked: ReadonlySet<string>): Sorter {
  const { matching, others } = byKey(candidates, (number) => facts[number]!.members.get(name));
  const sorterFor = memoized((numbers: Numbers) => byMembers(numbers, facts, asked));
  const sort = (numbers: Numbers, value: unknown): Numbers =>
    numbers.length < FEW_ALTERNATIVES ? numbers : sorterFor(numbers)(value);
  const without = candidates.filter((number) => !facts[number]!.required.has(name));
  return (value) => {
    if (!Object.hasOwn(value as object, name)) return sort(without, value); // asked of objects only
    return merged(sort(matching((value as JsonObject)[name]), value), sort(others, value));
  };
}

/** Selects by a member that each of them requires, if possible one that few others require. */
function byRequired(candidates: Numbers, facts: readonly Facts[]): Sorter {
  const counts = new Map<string, number>();
  for (const number of candidates)
    for (const name of facts[number]!.required) counts.set(name, (counts.get(name) ?? 0) + 1);
  const buckets = new Map<string, number[]>();
  const others: number[] = [];
  for (const number of candidates) {
    const names = [...facts[number]!.required].sort((a, b) => counts.get(a)! - counts.get(b)!);
    if (names.length === 0) others.push(number);
    else entryOf(buckets, names[0]!, () => []).push(number);
  }
  if (buckets.size === 0) return () => candidates;
  return (value) => {
    const names = Object.keys(value as object); // asked of objects only
    const found = names.flatMap((name) => buckets.get(name) ?? NO_NUMBERS);
    return merged(
      found.sort((one, other) => one - other),
      others,
    );
  };
}
