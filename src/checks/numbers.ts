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
  const whole = digits.slice(0, Math.max(0, exponent)).padEnd(exponent, '0');
  return BigInt(`${isNegative ? '-' : ''}${whole || '0'}`);
}

const OVERFLOW = new Failure('an integer is beyond int64');
const BY_ZERO = new Failure('it divides by zero');
const NO_INT = new Failure('it is not an integer of 64 bits');

export function int64(value: bigint, otherwise: Failure = OVERFLOW): bigint | Failure {
  return value === BigInt.asIntN(64, value) ? value : otherwise;
}

type OfInts = (a: bigint, b: bigint) => bigint | Failure;

const OF_INTS: Readonly<Record<string, OfInts>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? BY_ZERO : a / b),
  '%': (a, b) => (b === 0n ? BY_ZERO : a % b),
};

/** Fails on overflow, also of the operands. */
export function arithmetic(operator: string): OfInts {
  const apply = OF_INTS[operator]!;
  return (a, b) => {
    if (int64(a) !== a || int64(b) !== b) return OVERFLOW;
    const result = apply(a, b);
    return result instanceof Failure ? result : int64(result);
  };
}

export function intOf(value: number | Decimal): bigint | Failure {
  const double = doubleOf(value);
  if (!Number.isFinite(double) || Math.abs(double) > 2 ** 64) return NO_INT;
  return int64(typeof value === 'number' ? BigInt(Math.trunc(value)) : truncated(value), NO_INT);
}

export function intOfText(text: string): bigint | Failure {
  const [, sign, digits] = /^([+-]?)0*(\d{1,19})$/.exec(text) ?? [];
  return digits === undefined ? NO_INT : int64(BigInt(`${sign}${digits}`), NO_INT);
}

const DOUBLE = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** The grammar of Go, in decimals. */
export function doubleOfText(text: string): number | Failure {
  if (!DOUBLE.test(text)) return new Failure('it is not the text of a number');
  return /nan$/i.test(text) ? Number.NaN : Number(text.replace(/inf(?:inity)?$/i, 'Infinity'));
}

export function textOfDouble(value: number | Decimal): string {
  if (value instanceof Decimal || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

const NO_NUMBERS = new Failure('sum takes a list of numbers');
/** Digits between the first and the last of a sum, beyond which it takes too long. */
const WIDE = 1000;

/** The exact sum, an int if all numbers are. Throws TooCostly. */
export function sumOf(list: readonly unknown[], steps: StepCount): Numeric | Failure {
  let safe = 0;
  const byExponent = new Map<number, bigint>();
  const add = (units: bigint, exponent: number): unknown =>
    byExponent.set(exponent, (byExponent.get(exponent) ?? 0n) + units);
  for (const one of list) {
    if (!isNumeric(one) || !Number.isFinite(doubleOf(one))) return NO_NUMBERS;
    if (typeof one === 'bigint') add(one, 0);
    else if (typeof one === 'number' && Number.isSafeInteger(one) && Number.isSafeInteger(safe + one)) safe += one;
    else {
      const { isNegative, digits, exponent } = Decimal.partsOf(one);
      add(BigInt(isNegative ? `-${digits}` : digits), exponent - digits.length);
    }
  }
  if (list.every((one) => typeof one === 'bigint')) return int64(byExponent.get(0) ?? 0n);
  if (byExponent.size === 0) return safe;
  add(BigInt(safe), 0);
  const exponents = [...byExponent.keys()].sort((a, b) => a - b);
  const [least] = exponents as [number]; // of 0, at least
  const width = exponents.at(-1)! - least;
  if (width > WIDE) steps.take((width * exponents.length) / 10);
  let sum = 0n;
  for (const [exponent, units] of byExponent) sum += units * 10n ** BigInt(exponent - least);
  return jsonNumber(`${sum}e${least}`);
}
