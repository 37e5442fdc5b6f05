/** The functions of checks: those of the standard of CEL for the types that checks have, `sum` and `isTimestamp`. */
import { Decimal } from '../json/decimal.ts';
import { Failure, type StepCount } from './failure.ts';
import { doubleOf, doubleOfText, intOf, intOfText, type Numeric, sumOf } from './numbers.ts';
import {
  type Duration,
  durationOf,
  GETTER_NAMES,
  isTimestamp,
  offsetFault,
  partOfDuration,
  partOfTimestamp,
  type Timestamp,
  timestampAt,
  timestampOf,
} from './time.ts';
import { type CelType, keysOf, lengthOf, TEXT_TESTS, typeOf } from './values.ts';

/** Of a value of the type that it is for, and of a text that may follow. */
type Apply = (value: never, text: string | undefined, steps: StepCount) => unknown;

export interface CelFunction {
  /** `f(x)`, `x.f()`, or both. */
  readonly style: 'call' | 'method' | 'both';
  /** What it does, by the type of the value. */
  readonly by: Readonly<Partial<Record<CelType, Apply>>>;
  readonly gives: CelType | 'dyn';
  /** Texts that may follow the value. */
  readonly texts: readonly [least: number, most: number];
  /** Why a text cannot follow. */
  readonly fault?: (text: string) => Failure | null;
}

const same = (value: unknown): unknown => value;
const NONE = [0, 0] as const;

function conversion(gives: CelType | 'dyn', by: CelFunction['by']): CelFunction {
  return { style: 'call', gives, texts: NONE, by };
}

const TRUE = ['1', 't', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'false', 'FALSE', 'False'];
const NO_BOOL = new Failure('it is neither "true" nor "false"');

const SIZE: CelFunction = {
  style: 'both',
  gives: 'int',
  texts: NONE,
  by: {
    string: (text: string, _, steps) => {
      steps.takeText(text.length);
      return BigInt(lengthOf(text));
    },
    list: (list: readonly unknown[]) => BigInt(list.length),
    map: (map: Parameters<typeof keysOf>[0]) => BigInt(map instanceof Map ? map.size : keysOf(map).length),
  },
};

const ANY: readonly CelType[] = ['bool', 'int', 'double', 'string', 'list', 'map', 'null', 'timestamp', 'duration'];

const CONVERSIONS: Readonly<Record<string, CelFunction>> = {
  dyn: conversion('dyn', Object.fromEntries(ANY.map((type) => [type, same]))),
  bool: conversion('bool', {
    bool: same,
    string: (text: string) => (TRUE.includes(text) ? true : FALSE.includes(text) ? false : NO_BOOL),
  }),
  int: conversion('int', {
    int: same,
    double: (value: number | Decimal) => intOf(value),
    string: intOfText,
    timestamp: ({ seconds }: Timestamp) => BigInt(seconds),
  }),
  double: conversion('double', { int: doubleOf, double: same, string: doubleOfText }),
  string: conversion('string', {
    string: same,
    bool: String,
    int: String,
    double: (value: Numeric) => textOfDouble(value),
    timestamp: String,
    duration: String,
  }),
  timestamp: conversion('timestamp', {
    timestamp: same,
    int: timestampAt,
    string: (text: string, _, steps) => {
      steps.takeText(text.length);
      return timestampOf(text);
    },
  }),
  duration: conversion('duration', { duration: same, string: (text: string, _, steps) => durationOf(text, steps) }),
  isTimestamp: conversion('bool', { string: isTimestamp }),
  sum: conversion('dyn', {
    list: (list: readonly unknown[], _, steps) => {
      steps.take(list.length);
      return sumOf(list, steps);
    },
  }),
};

function textOfDouble(value: Numeric): string {
  if (value instanceof Decimal || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function textTest(name: string): CelFunction {
  const test = TEXT_TESTS[name]!;
  const apply: Apply = (text: string, part = '', steps) => {
    steps.takeText(text.length + part.length);
    return test(text, part);
  };
  return { style: 'method', gives: 'bool', texts: [1, 1], by: { string: apply } };
}

function getter(name: string): CelFunction {
  const ofDuration = partOfDuration(name);
  const timestamp: Apply = (time: Timestamp, zone = '+00:00') => partOfTimestamp(name, time, zone);
  const duration: Apply = (value: Duration, zone) =>
    zone === undefined ? ofDuration!(value) : new Failure('a duration has no time zone');
  const by = { timestamp, ...(ofDuration === null ? {} : { duration }) };
  return { style: 'method', gives: 'int', texts: [0, 1], by, fault: offsetFault };
}

export const FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map([
  ['size', SIZE],
  ...Object.entries(CONVERSIONS),
  ...Object.keys(TEXT_TESTS).map((name) => [name, textTest(name)] as const),
  ...GETTER_NAMES.map((name) => [name, getter(name)] as const),
]);

/** Undefined: the function is not for such values. */
export function call(
  { by, texts: [least] }: CelFunction,
  [value, text]: readonly unknown[],
  steps: StepCount,
): unknown {
  if (text === undefined ? least > 0 : typeof text !== 'string') return undefined;
  // Looked up by the type of the value.
  const apply = by[typeOf(value)] as ((value: unknown, text: unknown, steps: StepCount) => unknown) | undefined;
  return apply?.(value, text, steps);
}
