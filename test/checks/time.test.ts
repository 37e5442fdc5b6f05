/**
 * Timestamps and durations of checks beside those of Temporal, which has nanoseconds. It takes more texts, so that the grammar of RFC 3339 is stated here;
 * days that do not exist are left to it.
 */
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { Failure, StepCount } from '../../src/checks/failure.ts';
import {
  adder,
  compareSeconds,
  GETTER_NAMES,
  mover,
  partOfTimestamp,
  Timestamp,
  timestampOf,
} from '../../src/checks/time.ts';
import { oneOf, randomFrom } from './random.ts';

const COUNT = 10_000;
const random = randomFrom(20_261_128);
const two = (from: number, to: number): string => String(from + random(to - from + 1)).padStart(2, '0');
const digits = (count: number): string => Array.from({ length: count }, () => random(10)).join('');

const YEARS = [
  '0000',
  '0001',
  '0004',
  '0100',
  '1582',
  '1899',
  '1900',
  '1969',
  '1970',
  '2000',
  '2024',
  '2026',
  '2100',
  '9999',
];
const OFFSETS = ['Z', 'z', '+00:00', '-00:00', '+23:59', '-23:59', '+01:00', '-05:30', '+14:00'];

/** One in four is not as RFC 3339 has it, or has a day or an hour that does not exist. */
function randomText(): string {
  const day = random(4) === 0 ? two(28, 32) : two(1, 28);
  const date = `${random(2) === 0 ? oneOf(random, YEARS) : digits(4)}-${two(1, random(9) === 0 ? 13 : 12)}-${day}`;
  const time = `${two(0, random(20) === 0 ? 24 : 23)}:${two(0, 59)}:${two(0, random(20) === 0 ? 60 : 59)}`;
  const fraction = random(2) === 0 ? '' : `.${digits(random(10))}`;
  const text = `${date}${oneOf(random, ['T', 'T', 'T', 't'])}${time}${fraction}${oneOf(random, OFFSETS)}`;
  if (random(20) > 0) return text;
  const at = random(text.length);
  return text.slice(0, at) + oneOf(random, ['', ' ', '0', ':', '-', '+']) + text.slice(at + random(2));
}

const GRAMMAR =
  /^(\d{4})-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LAST = Temporal.Instant.from('9999-12-31T23:59:59.999999999Z');

/** Null: the text is no timestamp. */
function instantOf(text: string): Temporal.Instant | null {
  const year = GRAMMAR.exec(text)?.[1];
  if (year === undefined || year === '0000') return null;
  try {
    const instant = Temporal.Instant.from(text);
    const isIn = Temporal.Instant.compare(instant, FIRST) >= 0 && Temporal.Instant.compare(instant, LAST) <= 0;
    return isIn ? instant : null;
  } catch {
    return null;
  }
}

const TEXTS = [
  '0000-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-00:01',
  ...Array.from({ length: COUNT }, randomText),
];
const VALID = TEXTS.map((text) => ({ text, ours: timestampOf(text, steps()), theirs: instantOf(text) })).filter(
  (one): one is { text: string; ours: Timestamp; theirs: Temporal.Instant } =>
    one.theirs !== null && one.ours instanceof Timestamp,
);
function steps(): StepCount {
  const count = new StepCount();
  count.begin('', 1000);
  return count;
}

/** What CEL counts from zero, and what a week begins with, differ from Temporal. */
const PARTS: Readonly<Record<string, (at: Temporal.ZonedDateTime) => number>> = {
  getFullYear: (at) => at.year,
  getMonth: (at) => at.month - 1,
  getDate: (at) => at.day,
  getDayOfMonth: (at) => at.day - 1,
  getDayOfWeek: (at) => at.dayOfWeek % 7,
  getDayOfYear: (at) => at.dayOfYear - 1,
  getHours: (at) => at.hour,
  getMinutes: (at) => at.minute,
  getSeconds: (at) => at.second,
  getMilliseconds: (at) => at.millisecond,
};

const between = adder(-1n);

describe(`${COUNT} random timestamps, beside Temporal`, () => {
  it('are the same texts', () => {
    const differ = TEXTS.filter(
      (text) => timestampOf(text, steps()) instanceof Timestamp !== (instantOf(text) !== null),
    );
    expect(differ).toEqual([]);
    expect(VALID.length).toBeGreaterThan(COUNT / 2);
    expect(VALID.length).toBeLessThan((COUNT * 9) / 10);
  });

  it('are ordered alike, and as far apart', () => {
    const differ = VALID.slice(1).filter(({ ours, theirs }, i) => {
      const [a, b] = [VALID[i]!, VALID[random(VALID.length)]!];
      const sameOrder = [a, b].every(
        (one) => Math.sign(compareSeconds(ours, one.ours, steps())) === Temporal.Instant.compare(theirs, one.theirs),
      );
      const nanoseconds = theirs.epochNanoseconds - a.theirs.epochNanoseconds;
      const apart = between(ours, a.ours, steps());
      if (apart instanceof Failure) return !sameOrder || nanoseconds ** 2n < 2n ** 126n - 2n ** 64n;
      return !sameOrder || apart.whole(1_000_000_000n) !== nanoseconds;
    });
    expect(differ.map(({ text }) => text)).toEqual([]);
  });

  it('are ordered alike within one second', () => {
    const differ = VALID.filter(({ text }) => {
      const [a, b] = [0, 0].map(() => text.replace(/:(\d\d)(?:\.\d+)?(?=[Zz+-])/, `:$1.${digits(1 + random(9))}`));
      const [one, other] = [timestampOf(a!, steps()), timestampOf(b!, steps())] as Timestamp[]; // only a fraction was added
      const order = Temporal.Instant.compare(instantOf(a!)!, instantOf(b!)!);
      return Math.sign(compareSeconds(one!, other!, steps())) !== order;
    });
    expect(differ).toEqual([]);
  });

  it('have the same parts at any offset', () => {
    expect(Object.keys(PARTS)).toEqual(GETTER_NAMES);
    const differ = VALID.filter(({ ours, theirs }) => {
      const offset = oneOf(random, OFFSETS.slice(2));
      const at = theirs.toZonedDateTimeISO(offset.replace('-00:00', '+00:00'));
      return GETTER_NAMES.some((name) => partOfTimestamp(name, ours, offset) !== BigInt(PARTS[name]!(at)));
    });
    expect(differ.map(({ text }) => text)).toEqual([]);
  });

  it('are the same ones after what lies between two of them', () => {
    const differ = VALID.slice(1).filter(({ ours }, i) => {
      const before = VALID[i]!.ours;
      const apart = between(ours, before, steps());
      if (apart instanceof Failure) return false;
      const moved = mover(1n)(before, apart, steps());
      return moved instanceof Failure || compareSeconds(moved, ours, steps()) !== 0 || String(moved) !== String(ours);
    });
    expect(differ.map(({ text }) => text)).toEqual([]);
  });
});
