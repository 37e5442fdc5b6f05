/**
 * The operators and functions of checks: those of the standard of CEL for the types that checks have, `sum` and `isTimestamp`. By
 * their types, an expression is refused when it is read; by those of the values, it is evaluated.
 */
import { contains, endsWith, lengthOf, startsWith } from '../json/code-points.ts';
import type { Decimal } from '../json/decimal.ts';
import { entryOf } from '../json/on-demand.ts';
import { Failure, type StepCount } from './failure.ts';
import * as numbers from './numbers.ts';
import * as time from './time.ts';
import { type AnyMap, type CelType, equal, isIn, keysOf, type List, order } from './values.ts';

type Real = number | Decimal;

/** `dyn` is every type, or one that is not known yet. */
export type Type = CelType | 'dyn';

/** Of one or two values. Undefined: it is not for them. */
type Apply = (a: never, b: never, steps: StepCount) => unknown;

export interface Overload {
  readonly takes: readonly [Type, Type?];
  readonly gives: Type;
  readonly apply: Apply;
}

/** `b`: undefined if there is only one value. */
export function isFor({ takes: [x, y] }: Overload, a: Type, b: Type | undefined): boolean {
  return canBe(x, a) && canBe(y, b);
}

export function canBe(wanted: Type | undefined, type: Type | undefined): boolean {
  return wanted === type || (wanted !== undefined && type !== undefined && (wanted === 'dyn' || type === 'dyn'));
}

/**
 * Operators of two doubles, and of two numbers that are only compared, as most are. A comparison holds if it does for the order
 * of its values, which is negative for the first one before the second, and 0.
 */
export const OF_NUMBERS: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  ...{ '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b },
  ...{ '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b },
  ...{ '==': (a, b) => a === b, '!=': (a, b) => a !== b },
};

/** Ints of a payload may stay as JSON.parse makes them for these. */
export const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '==', '!=', 'in'];

type Row = readonly [name: string, takes: string, gives: Type, apply: Apply];

const MIXED = ['double, double', 'int, double', 'double, int'];
const ORDERED = [...['int', 'string', 'bool', 'timestamp', 'duration'].map((type) => `${type}, ${type}`), ...MIXED];

function arithmetic(name: string): Row[] {
  const ofDoubles = (a: numbers.Numeric, b: numbers.Numeric): unknown =>
    OF_NUMBERS[name]!(numbers.doubleOf(a), numbers.doubleOf(b));
  return [
    [name, 'int, int', 'int', numbers.arithmetic(name)],
    ...MIXED.map((takes): Row => [name, takes, 'double', ofDoubles]),
  ];
}

function comparison(name: string): Row[] {
  const apply = (a: unknown, b: unknown, steps: StepCount): unknown => OF_NUMBERS[name]!(order(a, b, steps), 0);
  return ORDERED.map((takes) => [name, takes, 'bool', apply]);
}

function getter(name: string): Row[] {
  const ofTime = counted((at: time.Timestamp, zone = '+00:00') => time.partOfTimestamp(name, at, zone));
  const ofDuration = time.PARTS_OF_DURATION[name];
  const rows: Row[] = [
    [name, 'timestamp', 'int', ofTime],
    [name, 'timestamp, string', 'int', ofTime],
  ];
  return ofDuration === undefined ? rows : [...rows, [name, 'duration', 'int', counted(ofDuration)]];
}

const TRUE = ['1', 't', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'false', 'FALSE', 'False'];
const NO_BOOL = new Failure('it is neither "true" nor "false"');

const same = (value: unknown): unknown => value;
const boolOf = (text: string): unknown => (TRUE.includes(text) ? true : FALSE.includes(text) ? false : NO_BOOL);

const timestampOf = (text: string, _: string, steps: StepCount): unknown => time.timestampOf(text, steps);
const later = time.mover(1n);

/** A function that takes a step for each item, a text as long as those that it takes, or the digits of a time. */
const counted =
  <T extends string | List | time.Seconds>(apply: (a: T, b: never, steps: StepCount) => unknown): Apply =>
  (a: T, b: string | List | undefined, steps: StepCount) => {
    if (a instanceof time.Seconds) time.takeDigits(steps, a.digits);
    else if (typeof a === 'string') steps.takeText(a.length + (b?.length ?? 0));
    else steps.take(a.length + (b?.length ?? 0));
    return apply(a, b as never, steps); // as it takes one or two
  };

const TEXT_TESTS = { contains, startsWith, endsWith };

const ROWS: readonly Row[] = [
  ...['+', '-', '*', '/'].flatMap(arithmetic),
  ['%', 'int, int', 'int', numbers.arithmetic('%')],
  ['+', 'string, string', 'string', counted<string>((a, b) => a + b)],
  ['+', 'list, list', 'list', counted<List>((a, b) => a.concat(b))],
  ['+', 'timestamp, duration', 'timestamp', later],
  ['+', 'duration, timestamp', 'timestamp', (by: time.Duration, from: time.Timestamp, steps) => later(from, by, steps)],
  ['+', 'duration, duration', 'duration', time.adder(1n)],
  ['-', 'timestamp, timestamp', 'duration', time.adder(-1n)],
  ['-', 'timestamp, duration', 'timestamp', time.mover(-1n)],
  ['-', 'duration, duration', 'duration', time.adder(-1n)],
  ['-_', 'int', 'int', (value: bigint) => numbers.int64(-value)],
  ['-_', 'double', 'double', (value: Real) => -numbers.doubleOf(value)],
  ['!_', 'bool', 'bool', (value: boolean) => !value],
  ...['<', '<=', '>', '>='].flatMap(comparison),
  ['==', 'dyn, dyn', 'bool', equal],
  ['!=', 'dyn, dyn', 'bool', (a: unknown, b: unknown, steps) => !equal(a, b, steps)],
  ['in', 'dyn, list', 'bool', isIn],
  ['in', 'dyn, map', 'bool', isIn],
  ['size', 'string', 'int', counted((text: string) => BigInt(lengthOf(text)))],
  ['size', 'list', 'int', (list: List) => BigInt(list.length)],
  ['size', 'map', 'int', (map: AnyMap) => BigInt(map instanceof Map ? map.size : keysOf(map).length)],
  ...(['dyn', 'bool', 'int', 'double', 'timestamp', 'duration'] as const).map((type): Row => [type, type, type, same]),
  ['bool', 'string', 'bool', boolOf],
  ['int', 'double', 'int', numbers.intOf],
  ['int', 'string', 'int', numbers.intOfText],
  ['int', 'timestamp', 'int', counted((at: time.Timestamp) => at.split().seconds)],
  ['double', 'int', 'double', numbers.doubleOf],
  ['double', 'string', 'double', numbers.doubleOfText],
  ...['string', 'bool', 'int'].map((type): Row => ['string', type, 'string', String]),
  ...['timestamp', 'duration'].map((type): Row => ['string', type, 'string', counted(String)]),
  ['string', 'double', 'string', numbers.textOfDouble],
  ['timestamp', 'int', 'timestamp', (units: bigint) => time.timestampFrom(new time.Seconds(units, 0))],
  ['timestamp', 'string', 'timestamp', counted(timestampOf)],
  ['duration', 'string', 'duration', (text: string, _, steps) => time.durationOf(text, steps)],
  ['isTimestamp', 'string', 'bool', counted<string>((...of) => timestampOf(...of) instanceof time.Timestamp)],
  ['sum', 'list', 'dyn', counted((list: List, _, steps) => numbers.sumOf(list, steps))],
  ...Object.entries(TEXT_TESTS).map(([name, test]): Row => [name, 'string, string', 'bool', counted<string>(test)]),
  ...time.GETTER_NAMES.flatMap(getter),
];

const overloads = new Map<string, Overload[]>();
for (const [name, takes, gives, apply] of ROWS)
  entryOf(overloads, name, () => []).push({ takes: takes.split(', ') as [Type, Type?], gives, apply }); // as written above

/** By the names that the parser has for operators and functions. */
export const OVERLOADS: ReadonlyMap<string, readonly Overload[]> = overloads;

export const FUNCTION_NAMES: readonly string[] = [...overloads.keys()].filter((name) => /^\w{3,}$/.test(name));

/** Those that are called as `value.f()`; any other but `size` is called as `f(value)`. */
export const METHODS: readonly string[] = [...Object.keys(TEXT_TESTS), ...time.GETTER_NAMES];
