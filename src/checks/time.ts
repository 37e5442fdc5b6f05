/**
 * Timestamps and durations of CEL, exact to any digit of a fraction. A timestamp is written as the format `date-time` has it, but
 * for leap seconds and the year 0000. Nothing depends on the time zone of the machine.
 */
import { DATE, timeWith, wholeText } from '../schema/formats/patterns.ts';
import { Failure, type StepCount } from './failure.ts';

/** An exact number of seconds: `units` divided by ten to the power of `digits`. */
export class Seconds {
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

  /** Whole seconds, rounded down, and the digits of the rest, without zeros at the end. */
  split(): { readonly seconds: bigint; readonly fraction: string } {
    const unit = 10n ** BigInt(this.digits);
    const rest = ((this.units % unit) + unit) % unit;
    const fraction = this.digits === 0 ? '' : String(rest).padStart(this.digits, '0');
    return { seconds: (this.units - rest) / unit, fraction: fraction.replace(ZEROS_AT_END, '') };
  }
}

/** Searched once for each run of zeros: without the lookbehind, many zeros would take quadratic time. */
const ZEROS_AT_END = /(?<!0)0+$/;

/** Since 1970 in UTC. */
export class Timestamp extends Seconds {
  override toString(): string {
    const { seconds, fraction } = this.split();
    return `${new Date(Number(seconds) * 1000).toISOString().slice(0, -5)}${fraction && `.${fraction}`}Z`;
  }
}

export class Duration extends Seconds {
  override toString(): string {
    const isNegative = this.units < 0n;
    const { seconds, fraction } = new Seconds(isNegative ? -this.units : this.units, this.digits).split();
    return `${isNegative ? '-' : ''}${seconds}${fraction && `.${fraction}`}s`;
  }
}

const DATE_TIME = new RegExp(wholeText(`${DATE}[Tt]${timeWith('[0-5]\\d')}`));
const FIRST = BigInt(Date.parse('0001-01-01T00:00:00Z') / 1000);
const END = BigInt(Date.UTC(10_000, 0) / 1000);
/** Seconds of 400 years, after which the calendar is the same: `Date.UTC` moves years before 100. */
const CALENDAR = 146_097 * 86_400;

const NO_TIMESTAMP = new Failure('it is not a date and time of RFC 3339, such as 2026-01-31T12:00:00Z');
const OUT_OF_YEARS = new Failure('a timestamp is outside of the years 0001 to 9999');

/** Throws TooCostly. */
export function timestampOf(text: string, steps: StepCount): Timestamp | Failure {
  if (!DATE_TIME.test(text)) return NO_TIMESTAMP;
  if (text.startsWith('0000')) return OUT_OF_YEARS;
  const two = (at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 528; // 11 times "0"
  const year = 100 * two(0) + two(2) + 400;
  const seconds = Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17)) / 1000 - CALENDAR;
  const hasOffset = !/[Zz]$/.test(text);
  const offset = hasOffset ? (secondsOfOffset(text.slice(-6)) as number) : 0; // as tested
  const fraction = text.slice(20, hasOffset ? -6 : -1);
  takeDigits(steps, fraction.length);
  const whole = BigInt(seconds - offset);
  const units = fraction === '' ? whole : whole * 10n ** BigInt(fraction.length) + BigInt(fraction);
  return timestampFrom(new Seconds(units, fraction.length));
}

export function timestampFrom({ units, digits }: Seconds): Timestamp | Failure {
  const unit = 10n ** BigInt(digits);
  return units >= FIRST * unit && units < END * unit ? new Timestamp(units, digits) : OUT_OF_YEARS;
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
export function partOfTimestamp(name: string, at: Timestamp, zone: string): bigint | Failure {
  const offset = secondsOfOffset(zone);
  if (offset instanceof Failure) return offset;
  const { seconds, fraction } = at.split();
  return BigInt(GETTERS[name]!(new Date((Number(seconds) + offset) * 1000), fraction));
}

/** The parts of a duration: how many whole ones there are, or which are left beside whole seconds. */
export const PARTS_OF_DURATION: Readonly<Record<string, (duration: Duration) => bigint>> = {
  getHours: (duration) => duration.whole(1n) / 3600n,
  getMinutes: (duration) => duration.whole(1n) / 60n,
  getSeconds: (duration) => duration.whole(1n),
  getMilliseconds: (duration) => duration.whole(1000n) % 1000n,
};

/** Of two timestamps, or two durations: negative if `a` is before `b`. Throws TooCostly. */
export function compareSeconds(a: Seconds, b: Seconds, steps: StepCount): number {
  const { units } = added(a, b, -1n, steps);
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
  let sum = new Seconds(0n, 0);
  let length = 0;
  for (const [term, whole = '', fraction = '', unit = ''] of unsigned.matchAll(TERM)) {
    length += term.length;
    takeDigits(steps, whole.length + fraction.length);
    const [units, digits] = UNITS[unit]!;
    sum = added(sum, new Seconds(BigInt(whole + fraction) * units, fraction.length + digits), sign, steps);
  }
  return length === 0 || length < unsigned.length ? NO_DURATION : durationFrom(sum);
}

/** Numbers of many digits take more time than in proportion. */
export function takeDigits(steps: StepCount, digits: number): void {
  if (digits > 100) steps.take(digits ** 1.5 / 50);
}

function durationFrom({ units, digits }: Seconds): Duration | Failure {
  const nanoseconds = (units * 1_000_000_000n) / 10n ** BigInt(digits);
  return nanoseconds >= -MOST_NANOSECONDS && nanoseconds <= MOST_NANOSECONDS ? new Duration(units, digits) : TOO_LONG;
}

/** `sign`: of `b`. Throws TooCostly. */
function added(a: Seconds, b: Seconds, sign: bigint, steps: StepCount): Seconds {
  takeDigits(steps, Math.max(a.digits, b.digits));
  const digits = Math.max(a.digits, b.digits);
  const units = ({ units: one, digits: own }: Seconds): bigint =>
    own === digits ? one : one * 10n ** BigInt(digits - own);
  return new Seconds(units(a) + sign * units(b), digits);
}

/** Gives the time after another one, or, by the sign -1, before it. That throws TooCostly. */
export function mover(sign: bigint) {
  return (from: Timestamp, by: Duration, steps: StepCount) => timestampFrom(added(from, by, sign, steps));
}

/** Gives the sum of two durations, or, by the sign -1, the way from the second to the first. That throws TooCostly. */
export function adder(sign: bigint) {
  return (a: Seconds, b: Seconds, steps: StepCount) => durationFrom(added(a, b, sign, steps));
}
