/**
 * Timestamps and durations of CEL, exact to any digit of a fraction. A timestamp is written as the format `date-time` has it, but
 * for leap seconds and the year 0000. Nothing depends on the time zone of the machine.
 */
import { DATE, timeWith, wholeText } from '../schema/formats/patterns.ts';
import { Failure, type StepCount } from './failure.ts';

const SECONDS_OF_A_DAY = 86_400;
const FIRST = secondsOf(1, 1, 1);
const LAST = secondsOf(9999, 12, 31) + SECONDS_OF_A_DAY - 1;
/** Of a duration: 292 years, as CEL has them in 64 bits. */
const MOST_NANOSECONDS = 2n ** 63n - 1n;

/** A number of seconds: `units` divided by ten to the power of `digits`. */
interface Seconds {
  readonly units: bigint;
  readonly digits: number;
}

export class Timestamp {
  /** Whole seconds since 1970 in UTC, rounded down. */
  readonly seconds: number;
  /** The digits of the rest, without zeros at the end. */
  readonly fraction: string;

  constructor(seconds: number, fraction: string) {
    this.seconds = seconds;
    this.fraction = fraction;
  }

  toString(): string {
    return `${new Date(this.seconds * 1000).toISOString().slice(0, -5)}${this.fraction && `.${this.fraction}`}Z`;
  }
}

export class Duration implements Seconds {
  readonly units: bigint;
  readonly digits: number;

  constructor(units: bigint, digits: number) {
    this.units = units;
    this.digits = digits;
  }

  /** Whole ones of `parts` to the second, rounded towards zero. */
  whole(parts: bigint): bigint {
    return (this.units * parts) / 10n ** BigInt(this.digits);
  }

  toString(): string {
    const sign = this.units < 0n ? '-' : '';
    const text = String(this.units < 0n ? -this.units : this.units).padStart(this.digits + 1, '0');
    const fraction = text.slice(text.length - this.digits).replace(/0+$/, '');
    return `${sign}${text.slice(0, text.length - this.digits)}${this.digits > 0 && fraction !== '' ? `.${fraction}` : ''}s`;
  }
}

const DATE_TIME = new RegExp(wholeText(`${DATE}[Tt]${timeWith('[0-5]\\d')}`));

const NO_TIMESTAMP = new Failure('it is not a date and time of RFC 3339, such as 2026-01-31T12:00:00Z');
const OUT_OF_YEARS = new Failure('a timestamp is outside of the years 0001 to 9999');

export function timestampOf(text: string): Timestamp | Failure {
  if (!DATE_TIME.test(text)) return NO_TIMESTAMP;
  const year = digitsAt(text, 0, 4);
  if (year === 0) return OUT_OF_YEARS;
  const time = digitsAt(text, 11, 2) * 3600 + digitsAt(text, 14, 2) * 60 + digitsAt(text, 17, 2);
  const zone = text.charCodeAt(text.length - 6);
  const hasOffset = zone === PLUS || zone === MINUS;
  const offset = hasOffset ? 60 * minutesOf(text.slice(-6)) : 0;
  const fraction = text.charCodeAt(19) === DOT ? text.slice(20, hasOffset ? -6 : -1) : '';
  return inRange(secondsOf(year, digitsAt(text, 5, 2), digitsAt(text, 8, 2)) + time - offset, withoutZeros(fraction));
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

export function isTimestamp(text: string): boolean {
  return timestampOf(text) instanceof Timestamp;
}

function digitsAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i++) number = number * 10 + text.charCodeAt(i) - ZERO;
  return number;
}

/** Not by an expression: a fraction of many zeros would take quadratic time. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return end === digits.length ? digits : digits.slice(0, end);
}

/** Of the beginning of a day in UTC, since 1970: http://howardhinnant.github.io/date_algorithms.html#days_from_civil */
function secondsOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const days = era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
  return days * SECONDS_OF_A_DAY;
}

function inRange(seconds: number, fraction: string): Timestamp | Failure {
  return seconds >= FIRST && seconds <= LAST ? new Timestamp(seconds, fraction) : OUT_OF_YEARS;
}

/** Since 1970. */
export function timestampAt(seconds: bigint): Timestamp | Failure {
  return inRange(Number(seconds), '');
}

const OFFSET = /^[+-]?(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Of an offset, such as `+01:00`. */
function minutesOf(offset: string): number {
  const at = offset.length - 5;
  return (offset.startsWith('-') ? -1 : 1) * (digitsAt(offset, at, 2) * 60 + digitsAt(offset, at + 3, 2));
}

const NO_OFFSET = new Failure('a time zone is a fixed offset, such as "+01:00"; those with a name are not known');

export function offsetFault(offset: string): Failure | null {
  return OFFSET.test(offset) ? null : NO_OFFSET;
}

/** A part of a timestamp, at an offset. */
const GETTERS: Readonly<Record<string, (date: Date, fraction: string) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => (date.getTime() / 1000 - secondsOf(date.getUTCFullYear(), 1, 1)) / SECONDS_OF_A_DAY,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (_, fraction) => Number(fraction.slice(0, 3).padEnd(3, '0')),
};

/** Parts of a duration: how many of them in a second, and which rest counts. */
const OF_DURATION: Readonly<Record<string, (duration: Duration) => bigint>> = {
  getHours: (duration) => duration.whole(1n) / 3600n,
  getMinutes: (duration) => duration.whole(1n) / 60n,
  getSeconds: (duration) => duration.whole(1n),
  getMilliseconds: (duration) => duration.whole(1000n) % 1000n,
};

export const GETTER_NAMES: readonly string[] = Object.keys(GETTERS);

export function partOfTimestamp(name: string, { seconds, fraction }: Timestamp, zone: string): bigint | Failure {
  const fault = offsetFault(zone);
  if (fault !== null) return fault;
  return BigInt(Math.floor(GETTERS[name]!(new Date((seconds + 60 * minutesOf(zone)) * 1000), fraction)));
}

/** Null: durations have no such part. */
export function partOfDuration(name: string): ((duration: Duration) => bigint) | null {
  return OF_DURATION[name] ?? null;
}

/** Negative if `a` is before `b`. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -1 : 1;
}

/** Negative if `a` is shorter than `b`. */
export function compareDurations(a: Duration, b: Duration): number {
  const { units } = added(a, negative(b));
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

const UNITS: Readonly<Record<string, Seconds>> = {
  h: { units: 3600n, digits: 0 },
  m: { units: 60n, digits: 0 },
  s: { units: 1n, digits: 0 },
  ms: { units: 1n, digits: 3 },
  us: { units: 1n, digits: 6 },
  µs: { units: 1n, digits: 6 },
  μs: { units: 1n, digits: 6 },
  ns: { units: 1n, digits: 9 },
};

const TERM = /(?=\.?\d)(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const NO_DURATION = new Failure('it is not a duration, such as 1h30m or 1.5s');
const TOO_LONG = new Failure('a duration is longer than 292 years');

export function durationOf(text: string, steps: StepCount): Duration | Failure {
  const isNegative = text.startsWith('-');
  const from = isNegative || text.startsWith('+') ? 1 : 0;
  if (text.slice(from) === '0') return new Duration(0n, 0);
  let sum: Seconds = { units: 0n, digits: 0 };
  let at = from;
  for (TERM.lastIndex = at; at < text.length; at = TERM.lastIndex) {
    const [all, whole = '', fraction = '', unit = ''] = TERM.exec(text) ?? [];
    if (all === undefined) return NO_DURATION;
    takeDigits(steps, whole.length + fraction.length + sum.digits);
    const { units, digits } = UNITS[unit]!;
    sum = added(sum, { units: BigInt(whole + fraction) * units, digits: fraction.length + digits });
  }
  return at === from ? NO_DURATION : durationFrom(isNegative ? negative(sum) : sum);
}

/** Numbers of many digits take quadratic time. */
function takeDigits(steps: StepCount, digits: number): void {
  if (digits > 100) steps.take(digits * digits * 1e-3);
}

function durationFrom({ units, digits }: Seconds): Duration | Failure {
  const nanoseconds = (units * 1_000_000_000n) / 10n ** BigInt(digits);
  return nanoseconds >= -MOST_NANOSECONDS && nanoseconds <= MOST_NANOSECONDS ? new Duration(units, digits) : TOO_LONG;
}

function negative({ units, digits }: Seconds): Seconds {
  return { units: -units, digits };
}

function added(a: Seconds, b: Seconds): Seconds {
  if (a.digits < b.digits) return added(b, a);
  return { units: a.units + b.units * 10n ** BigInt(a.digits - b.digits), digits: a.digits };
}

function sinceEpoch({ seconds, fraction }: Timestamp): Seconds {
  return { units: BigInt(seconds) * 10n ** BigInt(fraction.length) + BigInt(fraction), digits: fraction.length };
}

/** `sign`: -1 for a difference. */
export function movedBy(from: Timestamp, by: Duration, sign: 1 | -1, steps: StepCount): Timestamp | Failure {
  takeDigits(steps, from.fraction.length + by.digits);
  const { units, digits } = added(sinceEpoch(from), sign === 1 ? by : negative(by));
  const unit = 10n ** BigInt(digits);
  const rest = ((units % unit) + unit) % unit;
  const fraction = digits === 0 ? '' : String(rest).padStart(digits, '0');
  return inRange(Number((units - rest) / unit), withoutZeros(fraction));
}

export function between(a: Timestamp, b: Timestamp, steps: StepCount): Duration | Failure {
  takeDigits(steps, a.fraction.length + b.fraction.length);
  return durationFrom(added(sinceEpoch(a), negative(sinceEpoch(b))));
}

export function sumOfDurations(a: Duration, b: Duration, sign: 1 | -1, steps: StepCount): Duration | Failure {
  takeDigits(steps, a.digits + b.digits);
  return durationFrom(added(a, sign === 1 ? b : negative(b)));
}
