/**
 * Numbers of checks: they are compared and summed as decimals, as they are written; a computed double counts as the number that
 * JavaScript prints. Arithmetic is that of CEL: int64, which fails on overflow, where both are ints (bigints), and doubles else.
 */
import { compareNumbers, Decimal, isInteger, jsonNumber } from '../json/decimal.ts';
import { Failure, type StepCount } from './failure.ts';

/** An int is a bigint, but for those of a payload that are only compared. A payload may have one that int64 does not hold. */
export type Numeric = number | Decimal | bigint;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;
}

/** Negative if `a` is less than `b`; NaN if one of them is NaN. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  return compareNumbers(decimalOf(a), decimalOf(b));
}

function decimalOf(value: Numeric): number | Decimal {
  if (typeof value !== 'bigint') return value;
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : jsonNumber(String(value));
}

export function doubleOf(value: Numeric): number {
  return value instanceof Decimal ? value.double : Number(value);
}

/** A number of a place where the schema has integers as an int; others stay. */
export function asInt(value: Numeric): Numeric {
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number); // just checked
  return Number.isFinite(doubleOf(value)) && isInteger(value) ? truncated(value) : value;
}

/** Without the digits after the point. The number is finite. */
function truncated(value: number | Decimal): bigint {
  const { isNegative, digits, exponent } = Decimal.partsOf(value);
  if (exponent <= 0) return 0n;
  const whole = digits.slice(0, exponent).padEnd(Math.min(exponent, MOST_DIGITS), '0');
  return BigInt(isNegative ? `-${whole}` : whole);
}

/** No double has more. */
const MOST_DIGITS = 310;

const OVERFLOW = new Failure('an integer is beyond int64');
const BY_ZERO = new Failure('it divides by zero');
const NO_INT = new Failure('it is not an integer of 64 bits');

export function int64(value: bigint): bigint | Failure {
  return value === BigInt.asIntN(64, value) ? value : OVERFLOW;
}

type Operator = '+' | '-' | '*' | '/' | '%';

const OF_INTS: Readonly<Record<Operator, (a: bigint, b: bigint) => bigint | Failure>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? BY_ZERO : a / b),
  '%': (a, b) => (b === 0n ? BY_ZERO : a % b),
};

const OF_DOUBLES: Readonly<Record<Exclude<Operator, '%'>, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/** Undefined: there is no such operation. */
export function arithmetic(operator: Operator): (a: Numeric, b: Numeric) => Numeric | Failure | undefined {
  const ints = OF_INTS[operator];
  const doubles = operator === '%' ? null : OF_DOUBLES[operator];
  return (a, b) => {
    if (typeof a !== 'bigint' || typeof b !== 'bigint') return doubles?.(doubleOf(a), doubleOf(b));
    if (int64(a) !== a || int64(b) !== b) return OVERFLOW;
    const result = ints(a, b);
    return result instanceof Failure ? result : int64(result);
  };
}

export function negated(value: Numeric): Numeric | Failure {
  return typeof value === 'bigint' ? int64(-value) : -doubleOf(value);
}

export function intOf(value: number | Decimal): bigint | Failure {
  if (!Number.isFinite(doubleOf(value)) || Math.abs(doubleOf(value)) > 2 ** 64) return NO_INT;
  const whole = typeof value === 'number' ? BigInt(Math.trunc(value)) : truncated(value);
  return int64(whole) === whole ? whole : NO_INT;
}

export function intOfText(text: string): bigint | Failure {
  const [, sign = '', digits = ''] = /^([+-]?)0*(\d{1,19})$/.exec(text) ?? [];
  if (digits === '') return NO_INT;
  const value = BigInt(sign + digits);
  return int64(value) === value ? value : NO_INT;
}

const DOUBLE = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** The grammar of Go, in decimals. */
export function doubleOfText(text: string): number | Failure {
  if (!DOUBLE.test(text)) return new Failure('it is not the text of a number');
  const words = text
    .toLowerCase()
    .replace(/inf(?:inity)?$/, 'Infinity')
    .replace(/nan$/, 'NaN');
  return words.endsWith('NaN') ? Number.NaN : Number(words);
}

const NO_NUMBERS = new Failure('sum takes a list of numbers');
/** Digits between the first and the last of a sum, beyond which it takes too long. */
const WIDE = 1000;

/** The exact sum, an int if all numbers are. */
export function sumOf(list: readonly unknown[], steps: StepCount): Numeric | Failure {
  let safe = 0;
  let isInt = true;
  const byExponent = new Map<number, bigint>();
  for (const one of list) {
    if (!isNumeric(one) || !Number.isFinite(doubleOf(one))) return NO_NUMBERS;
    isInt &&= typeof one === 'bigint';
    if (typeof one === 'number' && Number.isSafeInteger(one) && Number.isSafeInteger(safe + one)) safe += one;
    else {
      const { units, exponent } = unitsOf(one);
      byExponent.set(exponent, (byExponent.get(exponent) ?? 0n) + units);
    }
  }
  if (byExponent.size === 0) return isInt ? 0n : safe;
  if (isInt) return int64(byExponent.get(0)!);
  byExponent.set(0, (byExponent.get(0) ?? 0n) + BigInt(safe));
  return total(byExponent, steps);
}

/** `units` times ten to the power of `exponent`. */
function unitsOf(value: Numeric): { readonly units: bigint; readonly exponent: number } {
  if (typeof value === 'bigint') return { units: value, exponent: 0 };
  const { isNegative, digits, exponent } = Decimal.partsOf(value);
  return { units: BigInt(isNegative ? `-${digits}` : digits || '0'), exponent: exponent - digits.length };
}

function total(byExponent: ReadonlyMap<number, bigint>, steps: StepCount): Numeric {
  const exponents = [...byExponent.keys()].sort((a, b) => b - a);
  const width = exponents[0]! - exponents.at(-1)!;
  if (width > WIDE) steps.take((width * exponents.length) / 10);
  let sum = 0n;
  let last = exponents[0]!;
  for (const exponent of exponents) {
    sum = sum * 10n ** BigInt(last - exponent) + byExponent.get(exponent)!;
    last = exponent;
  }
  return jsonNumber(`${sum}e${last}`);
}
