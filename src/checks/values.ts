/**
 * The values of checks: those of JSON as they are, and what expressions make of them. A bigint is an int, any other number a
 * double; a Map is a map that an expression has written. Equality and order are those of CEL, with texts by code points.
 */
import { compareTexts } from '../json/code-points.ts';
import { Failure, type StepCount } from './failure.ts';
import { asInt, compareNumeric, isNumeric, type Numeric } from './numbers.ts';
import { compareSeconds, Duration, Timestamp } from './time.ts';

export type CelType = 'bool' | 'int' | 'double' | 'string' | 'list' | 'map' | 'null' | 'timestamp' | 'duration';

/** A value, or a Failure. `variables`: the values of `self` and of the variables of macros, by number. */
export type Closure = (variables: unknown[]) => unknown;

export function typeOf(value: unknown): CelType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isNumeric(value)) return typeof value === 'bigint' ? 'int' : 'double';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return value instanceof Timestamp ? 'timestamp' : value instanceof Duration ? 'duration' : 'map';
}

export type List = readonly unknown[];
/** A map that an expression has written, or an object of JSON. */
export type AnyMap = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>;

/** Undefined: it has no such key. */
export function valueAt(map: AnyMap, key: unknown): unknown {
  if (map instanceof Map) return map.get(isNumeric(key) ? asInt(key) : key); // equal numbers are the same key
  const object = map as Readonly<Record<string, unknown>>; // the other of the two
  return typeof key === 'string' && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function keysOf(map: AnyMap): readonly unknown[] {
  return map instanceof Map ? [...map.keys()] : Object.keys(map);
}

export function equal(a: unknown, b: unknown, steps: StepCount): boolean {
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false;
    steps.takeText(a.length);
    return a === b;
  }
  if (isNumeric(a)) return isNumeric(b) && compareNumeric(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type === 'timestamp' || type === 'duration') return order(a, b, steps) === 0;
  return type === 'list' ? equalLists(a as List, b as List, steps) : equalMaps(a as AnyMap, b as AnyMap, steps);
}

function equalLists(a: List, b: List, steps: StepCount): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, i) => {
    steps.take(1);
    return equal(item, b[i], steps);
  });
}

function equalMaps(a: AnyMap, b: AnyMap, steps: StepCount): boolean {
  const keys = keysOf(a);
  steps.take(keys.length);
  if (keys.length !== keysOf(b).length) return false;
  return keys.every((key) => {
    steps.take(1);
    const other = valueAt(b, key);
    return other !== undefined && equal(valueAt(a, key), other, steps);
  });
}

/** Of two numbers, or two values of the same type: negative if `a` is before `b`; NaN: neither is before the other. */
export function order(a: unknown, b: unknown, steps: StepCount): number {
  if (typeof a === 'string') {
    steps.takeText(Math.min(a.length, (b as string).length));
    return compareTexts(a, b as string);
  }
  if (isNumeric(a)) return compareNumeric(a, b as Numeric);
  const isTime = a instanceof Timestamp || a instanceof Duration;
  return isTime ? compareSeconds(a, b as typeof a, steps) : Number(a) - Number(b); // or of the type bool
}

/** The first value that is a failure, or that there is no such thing. `by`: what an expression does with the values. */
export function noOverload(by: string, ...values: readonly unknown[]): Failure {
  const failure = values.find((value) => value instanceof Failure);
  return failure ?? new Failure(`there is no ${by} for ${values.map(typeOf).join(' and ')}`);
}

/** A number of a payload; one beyond a double has no value here. */
export const BEYOND_DOUBLE = new Failure('a number is beyond the range of a double');

export function isMap(value: unknown): value is AnyMap {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
}

/** As a key of a map that an expression writes. */
export function asKey(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'boolean' || key instanceof Failure) return key;
  const int = isNumeric(key) ? asInt(key) : key;
  return typeof int === 'bigint' ? int : noOverload('key', key);
}

const KEYS: readonly CelType[] = ['string', 'bool', 'int', 'double'];

/** Whether it is an item of a list, or a key of a map. Undefined: a map has no such keys. */
export function isIn(value: unknown, container: AnyMap | List, steps: StepCount): boolean | undefined {
  if (isMap(container)) return KEYS.includes(typeOf(value)) ? valueAt(container, value) !== undefined : undefined;
  return container.some((item) => {
    steps.take(1);
    return equal(value, item, steps);
  });
}
