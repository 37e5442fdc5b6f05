/**
 * Counts how often the places of a schema hold and fail, while a judge applies it: a judge made with a tally. Valid and
 * invalid payloads are counted apart. What is counted is plain data, which threads send and others add up.
 */
import { isContainer, jsonEqual } from '../../json/value.ts';
import { KEYWORDS } from '../../keywords/index.ts';
import type { Measure } from '../../keywords/keyword.ts';
import type { SchemaParams } from '../../keywords/params.ts';
import { exactValue } from '../../schema/exact.ts';
import { placeIn, type SchemaNode } from '../../schema/node.ts';
import { OWN_PLACES, type PlaceNumbers } from './places.ts';
import type { MemberStep, Step, StepCounter } from './walk.ts';

/** The counts of a part of the payloads, without those that are 0. Lists belong together by index. */
export interface TallyData {
  /** Numbers of counts: see `countAt`. */
  readonly counts: readonly number[];
  readonly values: readonly number[];
  /** Of the first payload that was counted there: its index, and its line, in the part. */
  readonly payloads: readonly number[];
  readonly lines: readonly number[];
  /** Observed numbers and sizes: the place, twice its number or, for invalid payloads, one more; the least and the most. */
  readonly ranges: readonly (readonly [at: number, least: number, most: number])[];
  /** Payloads that could not be counted to their end. */
  readonly uncounted: number;
}

/** A place has four counts: of valid payloads in which it held or failed, and of invalid ones. */
export function countAt(place: number, isValid: boolean, holds: boolean): number {
  return 4 * place + (isValid ? 0 : 2) + (holds ? 0 : 1);
}

/** The keywords that one step judges. */
const MEMBERS = ['properties', 'patternProperties', 'additionalProperties'];
/** Subschemas with counts of their own. */
const APPLIED = ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', 'properties'];

export class Tally implements StepCounter {
  readonly #numbers: PlaceNumbers;
  readonly #counts: Float64Array;
  /** Of the first payload, by count. */
  readonly #payloads: Float64Array;
  readonly #lines: Float64Array;
  readonly #counted: number[] = [];
  /** By place, twice its number or one more. */
  readonly #least: Float64Array;
  readonly #most: Float64Array;
  readonly #ranged = new Set<number>();
  /** Objects with a member that `additionalProperties` refuses. */
  readonly #refused = new WeakSet<object>();
  uncounted = 0;
  #payload = 0;
  #line = 1;
  #bank = 0;
  #isOn = true;

  constructor(numbers: PlaceNumbers) {
    this.#numbers = numbers;
    const { size } = numbers;
    this.#counts = new Float64Array(4 * size);
    this.#payloads = new Float64Array(4 * size);
    this.#lines = new Float64Array(4 * size);
    this.#least = new Float64Array(2 * size).fill(Number.POSITIVE_INFINITY);
    this.#most = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY);
  }

  /** What is judged from now on is in this payload: its verdict, its index and its line. */
  begin({ valid, payload, line }: { readonly valid: boolean; readonly payload: number; readonly line: number }): void {
    this.#payload = payload;
    this.#line = line;
    this.#bank = valid ? 0 : 2;
    this.#isOn = true;
  }

  /** What was counted since the last call. */
  take(): TallyData {
    const counts = this.#counted.splice(0);
    const data = {
      counts,
      values: counts.map((at) => this.#counts[at]!),
      payloads: counts.map((at) => this.#payloads[at]!),
      lines: counts.map((at) => this.#lines[at]!),
      ranges: [...this.#ranged].map((at) => [at, this.#least[at]!, this.#most[at]!] as const),
      uncounted: this.uncounted,
    };
    for (const at of counts) this.#counts[at] = 0;
    for (const at of this.#ranged) {
      this.#least[at] = Number.POSITIVE_INFINITY;
      this.#most[at] = Number.NEGATIVE_INFINITY;
    }
    this.#ranged.clear();
    this.uncounted = 0;
    return data;
  }

  #count(place: number, holds: boolean): void {
    if (!this.#isOn) return;
    const at = 4 * place + this.#bank + (holds ? 0 : 1);
    if (this.#counts[at]!++ > 0) return;
    this.#counted.push(at);
    this.#payloads[at] = this.#payload;
    this.#lines[at] = this.#line;
  }

  #counting(place: number, step: Step): Step {
    return (value) => {
      const holds = step(value);
      this.#count(place, holds);
      return holds;
    };
  }

  #numberOf(node: SchemaNode, keyword: string, tokens: readonly (string | number)[] = []): number | undefined {
    return this.#numbers.get(placeIn(node, keyword, tokens));
  }

  keyword(node: SchemaNode, keyword: string, step: Step): Step {
    if (MEMBERS.includes(keyword)) return this.#members(node, step);
    const place = OWN_PLACES.has(keyword) ? this.#numberOf(node, keyword) : undefined;
    if (keyword === 'prefixItems' || keyword === 'items') return this.#items(node, step);
    if (place === undefined) return step;
    if (keyword === 'enum') return this.#values(node, place, step);
    const measure = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword as keyof SchemaParams].measure : undefined;
    return measure === undefined ? this.#counting(place, step) : this.#measured(place, measure, step);
  }

  subschema(node: SchemaNode, keyword: string, tokens: readonly (string | number)[], step: Step): Step {
    if (keyword === '') return this.#silent(step);
    const place = APPLIED.includes(keyword) ? this.#numberOf(node, keyword, tokens) : undefined;
    return place === undefined ? step : this.#counting(place, step);
  }

  refusal(node: SchemaNode, refuse: MemberStep): MemberStep {
    if (this.#numberOf(node, 'additionalProperties') === undefined) return refuse;
    return (object, name) => {
      this.#refused.add(object);
      return refuse(object, name);
    };
  }

  /** A schema that is judged again, to know what it evaluates, is not counted again. */
  #silent(step: Step): Step {
    return (value) => {
      const wasOn = this.#isOn;
      this.#isOn = false;
      const holds = step(value);
      this.#isOn = wasOn;
      return holds;
    };
  }

  #members(node: SchemaNode, step: Step): Step {
    const objects = this.#numberOf(node, 'properties');
    const closed = node.additionalProperties === false ? this.#numberOf(node, 'additionalProperties') : undefined;
    return (value) => {
      const holds = step(value);
      if (objects !== undefined) this.#count(objects, true);
      if (closed !== undefined) this.#count(closed, holds || !this.#refused.has(value as object)); // asked of objects
      return holds;
    };
  }

  #items(node: SchemaNode, step: Step): Step {
    const place = node.items === false ? this.#numberOf(node, 'items') : undefined;
    if (place === undefined) return step;
    const most = node.prefixItems?.length ?? 0;
    return (value) => {
      this.#count(place, (value as unknown[]).length <= most); // asked of arrays
      return step(value);
    };
  }

  #values(node: SchemaNode, place: number, step: Step): Step {
    const values = exactValue(node, 'enum') as readonly unknown[]; // a list in the file
    const scalars = new Map<unknown, number>();
    for (const [i, value] of values.entries()) if (!isContainer(value) && !scalars.has(value)) scalars.set(value, i);
    const indexOf = (value: unknown): number =>
      isContainer(value) ? values.findIndex((one) => jsonEqual(one, value)) : scalars.get(value)!; // it holds
    const places = values.map((_, i) => this.#numberOf(node, 'enum', [i])!); // each is a place
    return (value) => {
      const holds = step(value);
      this.#count(place, holds);
      if (holds) this.#count(places[indexOf(value)]!, true);
      return holds;
    };
  }

  #measured(place: number, measure: Measure, step: Step): Step {
    return (value) => {
      const at = 2 * place + (this.#bank >> 1);
      const least = this.#least[at]!;
      const most = this.#most[at]!;
      const size = measure(value, least, most);
      if (this.#isOn && Number.isFinite(size) && (size < least || size > most)) {
        this.#least[at] = Math.min(least, size);
        this.#most[at] = Math.max(most, size);
        this.#ranged.add(at);
      }
      const holds = step(value);
      this.#count(place, holds);
      return holds;
    };
  }
}
