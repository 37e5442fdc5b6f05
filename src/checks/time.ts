/**
 * Timestamps and durations of CEL, exact to any digit of a fraction. A timestamp is written as the format `date-time` has it, but
 * for leap seconds and the year 0000. Nothing depends on the time zone of the machine.
 */
import { DATE, timeWith, wholeText } from '../schema/formats/patterns.ts';
import { Failure, type StepCount } from './failure.ts';

/** A number of seconds: `units` divided by ten to the power of `digits`. */
interface Seconds {
  readonly units: bigint;
  readonly digits: number;
}

export class Timestamp implements Seconds {
  /** Whole seconds since 1970 in UTC, rounded down. */
  readonly seconds: number;
  /** The digits of the rest, without zeros at the end. */
  readonly fraction: string;

  constructor(seconds: number, fraction: string) {
    this.seconds = seconds;
    this.fraction = fraction;
  }

  get digits(): number {
    return this.fraction.length;
  }

  get units(): bigint {
    return BigInt(this.seconds) * 10n ** BigInt(this.digits) + BigInt(this.fraction);
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
    const fraction = withoutZeros(text.slice(text.length - this.digits));
    return `${sign}${text.slice(0, text.length - this.digits)}${fraction && `.${fraction}`}s`;
  }
}

const DATE_TIME = new RegExp(wholeText(`${DATE}[Tt]${timeWith('[0-5]\\d')}`));
/** Dates of JavaScript begin with the year 100, so a calendar of 400 years is moved there. */
const CALENDAR = Date.UTC(2000, 0) / 1000 - Date.UTC(1600, 0) / 1000;
const FIRST = Date.UTC(401, 0) / 1000 - CALENDAR;
const LAST = Date.UTC(10_000, 0) / 1000 - 1;

const NO_TIMESTAMP = new Failure('it is not a date and time of RFC 3339, such as 2026-01-31T12:00:00Z');
const OUT_OF_YEARS = new Failure('a timestamp is outside of the years 0001 to 9999');

export function timestampOf(text: string): Timestamp | Failure {
  if (!DATE_TIME.test(text)) return NO_TIMESTAMP;
  const two = (at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * ZERO;
  const year = 100 * two(0) + two(2);
  if (year === 0) return OUT_OF_YEARS;
  const seconds = Date.UTC(year + 400, two(5) - 1, two(8), two(11), two(14), two(17)) / 1000 - CALENDAR;
  const hasOffset = !/[Zz]$/.test(text);
  const offset = hasOffset ? (secondsOfOffset(text.slice(-6)) as number) : 0; // as tested
  const fraction = text[19] === '.' ? text.slice(20, hasOffset ? -6 : -1) : '';
  return timestampAt(seconds - offset, withoutZeros(fraction));
}

const ZERO = 0x30;

/** `seconds`: since 1970. */
export function timestampAt(seconds: number, fraction: string): Timestamp | Failure {
  return seconds >= FIRST && seconds <= LAST ? new Timestamp(seconds, fraction) : OUT_OF_YEARS;
}

/** Not by an expression: a fraction of many zeros would take quadratic time. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

const OFFSET = /^([+-]?)([01]\d|2[0-3]):([0-5]\d)$/;
const NO_OFFSET = new Failure('a time zone is a fixed offset, such as "+01:00"; those with a name are not known');

/** Of an offset such as `+01:00`. */
export function secondsOfOffset(offset: string): number | Failure {
  const [all, sign, hours, minutes] = OFFSET.exec(offset) ?? [];
  return all === undefined ? NO_OFFSET : (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
}

const MILLISECONDS_OF_A_DAY = 86_400_000;

/** A part of a timestamp, at an offset. */
const GETTERS: Readonly<Record<string, (date: Date, fraction: string) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => (date.getTime() - new Date(date).setUTCMonth(0, 1)) / MILLISECONDS_OF_A_DAY,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (_, fraction) => Number(fraction.slice(0, 3).padEnd(3, '0')),
};

export const GETTER_NAMES: readonly string[] = Object.keys(GETTERS);

/** `zone`: a fixed offset, such as `+01:00`. */
export function partOfTimestamp(name: string, { seconds, fraction }: Timestamp, zone: string): bigint | Failure {
  const offset = secondsOfOffset(zone);
  if (offset instanceof Failure) return offset;
  return BigInt(GETTERS[name]!(new Date((seconds + offset) * 1000), fraction));
}

/** The parts of a duration: how many whole ones there are, or which are left beside whole seconds. */
export const PARTS_OF_DURATION: Readonly<Record<string, (duration: Duration) => bigint>> = {
  getHours: (duration) => duration.whole(1n) / 3600n,
  getMinutes: (duration) => duration.whole(1n) / 60n,
  getSeconds: (duration) => duration.whole(1n),
  getMilliseconds: (duration) => duration.whole(1000n) % 1000n,
};

/** Negative if `a` is before `b`. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -1 : 1;
}

/** Negative if `a` is shorter than `b`. */
export function compareDurations(a: Duration, b: Duration): number {
  const { units } = added(a, b, -1n);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** How long each is in seconds, in the same form. */
const UNITS: Readonly<Record<string, readonly [units: bigint, digits: number]>> = {
  ...{ h: [3600n, 0], m: [60n, 0], s: [1n, 0], ms: [1n, 3], us: [1n, 6], µs: [1n, 6], μs: [1n, 6], ns: [1n, 9] },
};
const TERM = /(?=\.?\d)(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy;
const NO_DURATION = new Failure('it is not a duration, such as 1h30m or 1.5s');
const TOO_LONG = new Failure('a duration is longer than 292 years');
/** 292 years, as CEL has them in 64 bits. */
const MOST_NANOSECONDS = 2n ** 63n - 1n;

/** Throws TooCostly. */
export function durationOf(text: string, steps: StepCount): Duration | Failure {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return new Duration(0n, 0);
  const sign = text.startsWith('-') ? -1n : 1n;
  let sum: Seconds = { units: 0n, digits: 0 };
  let length = 0;
  for (const [term, whole = '', fraction = '', unit = ''] of unsigned.matchAll(TERM)) {
    length += term.length;
    takeDigits(steps, whole.length + fraction.length + sum.digits);
    const [units, digits] = UNITS[unit]!;
    sum = added(sum, { units: BigInt(whole + fraction) * units, digits: fraction.length + digits }, sign);
  }
  return length === 0 || length < unsigned.length ? NO_DURATION : durationFrom(sum);
}

/** Numbers of many digits take quadratic time. */
function takeDigits(steps: StepCount, digits: number): void {
  if (digits > 100) steps.take(digits * digits * 1e-3);
}

function durationFrom({ units, digits }: Seconds): Duration | Failure {
  const nanoseconds = (units * 1_000_000_000n) / 10n ** BigInt(digits);
  return nanoseconds >= -MOST_NANOSECONDS && nanoseconds <= MOST_NANOSECONDS ? new Duration(units, digits) : TOO_LONG;
}

/** `sign`: of `b`. */
function added(a: Seconds, b: Seconds, sign: bigint): Seconds {
  const digits = Math.max(a.digits, b.digits);
  const units = ({ units: one, digits: own }: Seconds): bigint => one * 10n ** BigInt(digits - own);
  return { units: units(a) + sign * units(b), digits };
}

/** `sign`: -1 for a difference. Throws TooCostly. */
export function movedBy(from: Timestamp, by: Duration, sign: 1 | -1, steps: StepCount): Timestamp | Failure {
  takeDigits(steps, from.digits + by.digits);
  const { units, digits } = added(from, by, BigInt(sign));
  const unit = 10n ** BigInt(digits);
  const rest = ((units % unit) + unit) % unit;
  const fraction = digits === 0 ? '' : String(rest).padStart(digits, '0');
  return timestampAt(Number((units - rest) / unit), withoutZeros(fraction));
}

/** From `b` to `a`, which are two timestamps, or two durations. Throws TooCostly. */
export function between(a: Seconds, b: Seconds, steps: StepCount): Duration | Failure {
  takeDigits(steps, a.digits + b.digits);
  return durationFrom(added(a, b, -1n));
}

/** Throws TooCostly. */
export function sumOfDurations(a: Duration, b: Duration, steps: StepCount): Duration | Failure {
  takeDigits(steps, a.digits + b.digits);
  return durationFrom(added(a, b, 1n));
}
