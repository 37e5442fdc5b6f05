/**
 * Rules out alternatives before any is judged: by the values that they allow for a member, by members that they
 * require, and by the values that they allow themselves. It uses a tree of such questions, built on demand, which
 * leaves the few alternatives that a value may match.
 */
import { memoized } from '../../json/on-demand.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Facts, factsOf, keyOf, OBJECT, type Scalar, typeOf, type ValueType } from '../../schema/facts.ts';
import type { Schema } from '../../schema/node.ts';

/** Fewer alternatives are judged one after another. */
export const FEW_ALTERNATIVES = 4;
/** Alternatives by their numbers, in ascending order. */
export type Numbers = readonly number[];

type Sorter = (value: unknown) => Numbers;

/** Gives the alternatives that a value may match, in their order. It surely does not match the others. */
export function alternatives(schemas: readonly Schema[]): Sorter {
  const all: Numbers = [...schemas.keys()];
  const sorterFor = memoized((type: ValueType): Sorter => {
    const facts = schemas.map(factsOf);
    const candidates = all.filter((number) => facts[number]!.types.has(type));
    if (type === OBJECT) return byMembers(candidates, facts, new Set());
    const { matching, others } = byKey(candidates, (number) => facts[number]!.values);
    return (value) => merged(matching(value), others);
  });
  return (value) => sorterFor(typeOf(value))(value);
}

export function add<K, V>(buckets: Map<K, V[]>, key: K, value: V): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, [value]);
  else bucket.push(value);
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
    else for (const value of values) add(buckets, value, number);
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
    else add(buckets, names[0]!, number);
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
