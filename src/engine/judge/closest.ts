/**
 * If a value matches no alternative of `anyOf` or `oneOf`: which ones were probably meant. Compares the constants and
 * enumerations of members, then required and known members. The judge decides between those that are left.
 */
import { memoized, once } from '../../json/on-demand.ts';
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
import { add, type Numbers } from './judge-alternatives.ts';

/** Maximum number of members of a value that are looked up in the index. */
const MOST_NAMES = 200;
/** Maximum number of values of a member that are listed, and compared with a word. */
const MOST_TAG_VALUES = 100;
/** Maximum number of equally good alternatives that are left for the judge. */
const MOST_LEFT = 8;

/** What a value of a type must be, if no alternative fits that type. */
export interface Expected {
  readonly types: readonly TypeName[];
  /** The schemas whose `const` or `enum` has the values. */
  readonly valued: readonly Schema[];
}

/** How well an alternative fits, the most important number first. Greater is better. */
type Score = readonly [tags: number, enumerated: number, members: number];

/** By name of a member that tells alternatives apart: whether each of its values leads to one of them. */
type Tags = ReadonlyMap<string, boolean>;

export class Closest {
  readonly #schemas: readonly Schema[];
  readonly #all: readonly Facts[];
  readonly #tags: Tags;
  readonly #fitting = memoized((type: ValueType) =>
    [...this.#all.keys()].filter((one) => this.#all[one]!.types.has(type)),
  );
  readonly #index = once(() => indexOf(this.#all, this.#fitting(OBJECT)));
  /** Members that tell all alternatives for objects apart, with all of their values. */
  readonly #deciding = once(() => decidingTags(this.#all, this.#tags));
  /** What was expected in place of a value, if its type alone, or being another value, is the fault; else null. */
  readonly #expected = memoized((type: ValueType): Expected | null => {
    const isInWords = this.#all.every(({ values, types }) => values !== null || !types.has(type));
    const valued = this.#schemas.filter((_, i) => this.#all[i]!.values !== null);
    const types = this.#all.flatMap(({ values, types }) => (values === null ? [...types] : []));
    return isInWords && valued.length + types.length > 0 ? { valued, types: typesNamed(types) } : null;
  });
  /** What all alternatives want, in words; null: too many words are needed. */
  readonly words: string | null;

  constructor(schemas: readonly Schema[]) {
    this.#schemas = schemas;
    this.#all = schemas.map(factsOf);
    this.#tags = tagsOf(this.#all);
    this.words = wanted(madeSchema({ anyOf: schemas }));
  }

  expected(value: unknown): Expected | null {
    return this.#expected(typeOf(value));
  }

  /** The numbers of the alternatives that are closest to the value, found without judging it. */
  for(value: unknown): Numbers {
    let best: Score | null = null;
    let left: number[] = [];
    for (const number of this.#candidates(value)) {
      const score = this.#score(this.#all[number]!, value);
      const order = best === null ? 1 : compare(score, best);
      if (order > 0) {
        best = score;
        left = [number];
      } else if (order === 0 && left.length < MOST_LEFT) left.push(number);
    }
    return left;
  }

  /** A member by which all alternatives differ, if the value has none of their values, nor a similar one; else null. */
  wrongTag(value: unknown): { readonly name: string; readonly allowed: readonly unknown[] } | null {
    if (typeOf(value) !== OBJECT) return null;
    const object = value as JsonObject; // it is one
    for (const [name, allowed] of this.#deciding()) {
      if (!Object.hasOwn(object, name) || allowed.has(keyOf(object[name])!)) continue;
      if (!isNear(object[name], allowed)) return { name, allowed: [...allowed] };
    }
    return null;
  }

  #candidates(value: unknown): Numbers {
    const type = typeOf(value);
    const fitting = this.#fitting(type);
    if (fitting.length <= COMPARED_ALTERNATIVES || type !== OBJECT) return fitting.slice(0, COMPARED_ALTERNATIVES);
    const found = lookedUp(this.#index(), value as JsonObject); // it is an object
    return found.length === 0 ? fitting.slice(0, COMPARED_ALTERNATIVES) : found;
  }

  #score({ values, members, required, names }: Facts, value: unknown): Score {
    if (values !== null) return [isNear(value, values) ? 1 : -1, 0, 0];
    if (typeOf(value) !== OBJECT) return [0, 0, 0];
    const object = value as JsonObject; // it is one
    let tags = 0;
    let enumerated = 0;
    for (const [name, allowed] of members) {
      const isTag = this.#tags.get(name);
      if (isTag === undefined || !Object.hasOwn(object, name)) continue;
      const own = object[name];
      const score = allowed.has(keyOf(own)!) ? 1 : isNear(own, allowed) ? 0 : -1;
      if (isTag) tags += score;
      else enumerated += score;
    }
    let strange = 0;
    for (const name of required) if (!Object.hasOwn(object, name)) strange++;
    if (names.size > 0) for (const name of firstNames(object)) if (!names.has(name)) strange++;
    return [tags, enumerated, -strange];
  }
}

function compare(a: Score, b: Score): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function isNear(value: unknown, allowed: ReadonlySet<Scalar>): boolean {
  if (typeof value !== 'string' || allowed.size > MOST_TAG_VALUES) return false;
  return (
    nearMiss(
      value,
      [...allowed].filter((one) => typeof one === 'string'),
    ) !== null
  );
}

function firstNames(object: JsonObject): readonly string[] {
  const names = Object.keys(object);
  return names.length > MOST_NAMES ? names.slice(0, MOST_NAMES) : names;
}

function tagsOf(all: readonly Facts[]): Tags {
  const byName = new Map<string, ReadonlySet<Scalar>[]>();
  for (const { members } of all) {
    for (const [name, values] of members) add(byName, name, values);
  }
  const tags = new Map<string, boolean>();
  for (const [name, sets] of byName) {
    const [first] = sets as [ReadonlySet<Scalar>];
    const different = new Set(sets.flatMap((set) => [...set]));
    const isSame = sets.length === all.length && sets.every(({ size }) => size === different.size);
    const isApart = sets.reduce((sum, { size }) => sum + size, 0) === different.size;
    if (!isSame) tags.set(name, isApart && (sets.length > 1 || first.size === 1));
  }
  return tags;
}

function decidingTags(all: readonly Facts[], tags: Tags): ReadonlyMap<string, ReadonlySet<Scalar>> {
  const fitting = all.filter(({ types }) => types.has(OBJECT));
  const deciding = new Map<string, ReadonlySet<Scalar>>();
  if (fitting.length < 2) return deciding;
  for (const [name, isApart] of tags) {
    if (!isApart || !fitting.every(({ members }) => members.has(name))) continue;
    const values = new Set(fitting.flatMap(({ members }) => [...members.get(name)!]));
    if (values.size <= MOST_TAG_VALUES) deciding.set(name, values);
  }
  return deciding;
}

function indexOf(all: readonly Facts[], numbers: Numbers) {
  const byValue = new Map<string, Map<Scalar | undefined, number[]>>();
  const byName = new Map<string, number[]>();
  for (const number of numbers) {
    const { members, names } = all[number]!;
    for (const [name, values] of members) {
      const buckets = byValue.get(name) ?? new Map<Scalar | undefined, number[]>();
      byValue.set(name, buckets);
      for (const value of values) add(buckets, value, number);
    }
    for (const name of names) add(byName, name, number);
  }
  return { byValue, byName };
}

/** The alternatives that allow a value of a member, then those that know its name; first what few alternatives have. */
function lookedUp({ byValue, byName }: ReturnType<typeof indexOf>, object: JsonObject): Numbers {
  const names = firstNames(object);
  const shortest = (lists: (number[] | undefined)[]): number[][] =>
    lists.filter((list) => list !== undefined).sort((a, b) => a.length - b.length);
  const lists = [
    ...shortest(names.map((name) => byValue.get(name)?.get(keyOf(object[name])))),
    ...shortest(names.map((name) => byName.get(name))),
  ];
  const found = new Set<number>();
  for (const list of lists) {
    if (found.size === COMPARED_ALTERNATIVES) break;
    for (const number of list.slice(0, COMPARED_ALTERNATIVES))
      if (found.size < COMPARED_ALTERNATIVES) found.add(number);
  }
  return [...found].sort((a, b) => a - b);
}
