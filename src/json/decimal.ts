/** Numbers with the exact value of their text: JSON does not limit their digits, and a double keeps only 15. */

/**
 * A number that is not a double: its digits are not those that JavaScript prints for the nearest double. Created once
 * for each number of a text that has more digits than a double keeps.
 */
export class Decimal {
  /** As JSON writes it. */
  readonly text: string;
  /** The nearest double. Numbers are ordered by their doubles. Only if these are equal, the digits decide. */
  readonly double: number;
  readonly #parts: DecimalParts;

  /** `parts`: those of the text. */
  constructor(text: string, parts: DecimalParts) {
    this.text = text;
    this.double = Number(text);
    this.#parts = parts;
  }

  toString(): string {
    return this.text;
  }

  static partsOf(number: JsonNumber): DecimalParts {
    return number instanceof Decimal ? number.#parts : partsOf(String(number));
  }

  /** A text that is the same only for equal numbers. It is not JSON. */
  get key(): string {
    const { isNegative, digits, exponent } = this.#parts;
    return `#${isNegative ? '-' : ''}${digits}e${exponent}`;
  }
}

/** A number of a JSON text: a double, with the digits that JavaScript prints for it, or a number that is not a double. */
export type JsonNumber = number | Decimal;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** A decimal is 0.`digits` times ten to the power of `exponent`. */
interface DecimalParts {
  readonly isNegative: boolean;
  /** Without zeros at either end; empty for 0. */
  readonly digits: string;
  /** Exponents of more than 15 digits are rounded. */
  readonly exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/** `text`: a number in JSON's grammar, or as JavaScript prints it. */
function partsOf(text: string): DecimalParts {
  const [, sign, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const all = whole + fraction;
  let from = 0;
  while (all.charCodeAt(from) === ZERO) from++;
  let to = all.length;
  while (to > from && all.charCodeAt(to - 1) === ZERO) to--;
  if (to === from) return { isNegative: false, digits: '', exponent: 0 };
  return { isNegative: sign === '-', digits: all.slice(from, to), exponent: Number(power) + whole.length - from };
}

const ZERO = 0x30;

/** The value of a number as JSON writes it. */
export function jsonNumber(text: string): JsonNumber {
  const double = Number(text);
  const parts = partsOf(text);
  if (!Number.isFinite(double)) return double;
  const printed = partsOf(String(double));
  const isDouble =
    parts.digits === printed.digits && parts.exponent === printed.exponent && parts.isNegative === printed.isNegative;
  return isDouble ? double : new Decimal(text, parts);
}

/** Negative if `a` is less than `b`, 0 if they are equal, positive if it is more. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if (x !== y) return x < y ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return 0;
  return compareParts(Decimal.partsOf(a), Decimal.partsOf(b));
}

function doubleOf(number: JsonNumber): number {
  return typeof number === 'number' ? number : number.double;
}

function compareParts(a: DecimalParts, b: DecimalParts): number {
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  const sign = a.isNegative ? -1 : 1;
  if (a.digits === '' || b.digits === '') return sign * (a.digits.length - b.digits.length);
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign;
}

/** Infinity counts as an integer: a number beyond the range of a double is reported as such. */
export function isInteger(number: JsonNumber): boolean {
  if (typeof number === 'number') return Number.isInteger(number) || !Number.isFinite(number);
  const { digits, exponent } = Decimal.partsOf(number);
  return digits.length <= exponent;
}

/** Whether `number` is `divisor` times an integer: JSON Schema 2020-12 validation, section 6.2.1. */
export function isMultipleOf(number: JsonNumber, divisor: JsonNumber): boolean {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(divisor)) {
    return (number as number) % (divisor as number) === 0; // just checked
  }
  if (!Number.isFinite(doubleOf(number))) return false;
  const dividend = Decimal.partsOf(number);
  if (dividend.digits === '') return true;
  const by = Decimal.partsOf(divisor);
  // The quotient is digits / digits times ten to this power. The dividend's digits do not end with a zero, so if the
  // power is negative, the quotient is not an integer.
  const shift = dividend.exponent - dividend.digits.length - (by.exponent - by.digits.length);
  if (shift < 0) return false;
  const modulus = BigInt(by.digits);
  return (BigInt(dividend.digits) * powerOfTen(shift, modulus)) % modulus === 0n;
}

/** Ten to the power of `exponent`, modulo `modulus`. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

/** A double keeps 15 digits of any number, and numbers smaller than 1e-308 lose digits or become 0. */
const LONG = /(?:\d\.?){16}|[eE]-\d{3}/;
/** The same where a token can begin. It finds less, because hashes and the like in strings are long, too. */
const LONG_TOKEN = /(?:^|[[,:\s])[\d.eE+-]*(?:(?:\d\.?){16}|[eE]-\d{3})/;
/** A string, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** The value of a JSON text with strings in place of its long numbers; null: there are none. */
export function withNumberTexts(text: string): unknown {
  if (!LONG.test(text) || !LONG_TOKEN.test(text)) return null;
  let isAny = false;
  const marked = text.replace(TOKENS, (token) => {
    if (token[0] === '"' || !LONG.test(token)) return token;
    isAny = true;
    return `"${token}"`;
  });
  return isAny ? JSON.parse(marked) : null;
}

/** The value of a JSON text. Its numbers have the value that is written: a `Decimal` where a double has another one. */
export function exactValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const texts = withNumberTexts(text);
  return texts === null ? value : withDecimals(value, texts);
}

type Container = Record<string, unknown>;

/** A copy of `value` with `Decimal`s where `texts` has texts of numbers. Not recursive: payloads may be deep. */
export function withDecimals(value: unknown, texts: unknown): unknown {
  const root = { value };
  const waiting: [copy: Container, texts: Container][] = [[root, { value: texts }]];
  for (const [copy, parallel] of waiting) {
    for (const name of Object.keys(copy)) {
      const inner = copy[name];
      const text = Object.hasOwn(parallel, name) ? parallel[name] : undefined;
      if (typeof inner === 'number' && typeof text === 'string') copy[name] = jsonNumber(text);
      if (!isContainer(inner) || !isContainer(text)) continue;
      const innerCopy = (Array.isArray(inner) ? [...inner] : { ...inner }) as Container; // arrays have own names, too
      copy[name] = innerCopy;
      waiting.push([innerCopy, text]);
    }
  }
  return root.value;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
