/**
 * Formats that no pattern describes, judged by functions: dates and times (RFC 3339; seconds may be 60 only in the last minute
 * of a day in UTC, where leap seconds are), and numbers and URLs as ajv-formats has them.
 */
import { compareNumbers, isInteger, type JsonNumber, jsonNumber } from '../../json/decimal.ts';
import { type FormatTest, linear } from './format.ts';
import { DATE, timeWith, URL } from './patterns.ts';

export type OtherFormat = 'int32' | 'int64' | 'url';

/** Integers in a range. */
function integers(least: string, most: string): FormatTest {
  const [from, to] = [jsonNumber(least), jsonNumber(most)];
  return {
    test: (value: JsonNumber) => isInteger(value) && compareNumbers(value, from) >= 0 && compareNumbers(value, to) <= 0,
  };
}

/** RegExp is never used for `url`: it takes cubic time for some URLs. */
const NEVER = 0;

export const OTHERS: Readonly<Record<OtherFormat, FormatTest>> = {
  int32: integers('-2147483648', '2147483647'),
  int64: integers('-9223372036854775808', '9223372036854775807'),
  url: { test: linear(URL, NEVER) },
};

const isUsual = linear(timeWith('[0-5]\\d'));
const isLeap = linear(timeWith('60'));
const isDate = linear(DATE);
const DATE_LENGTH = 10;
const MINUTES = 24 * 60;

function isTime(text: string): boolean {
  return isUsual(text) || (isLeap(text) && minuteInUtc(text) === MINUTES - 1);
}

/** Minute of the day, from 0, for a text that `isLeap` matches. */
function minuteInUtc(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  return (local - offset + MINUTES) % MINUTES;
}

function isDateTime(text: string): boolean {
  const separator = text[DATE_LENGTH];
  if (separator !== 'T' && separator !== 't') return false;
  return isDate(text.slice(0, DATE_LENGTH)) && isTime(text.slice(DATE_LENGTH + 1));
}

export const date: FormatTest = { test: isDate };
export const time: FormatTest = { test: isTime };
export const dateTime: FormatTest = { test: isDateTime };
