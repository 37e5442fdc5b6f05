/**
 * Why a value is not in its format: the part or the character at fault, or an example of a right value. Loaded with the first
 * violation of a format. A reason is null for every value of the format: what it states is true, though perhaps not all that is wrong.
 */
import { isInteger, isNumber } from '../../json/decimal.ts';
import { quote } from '../../words/escape.ts';
import { count } from '../../words/value-text.ts';

/** Null: the reason is not known, or the text is in the format. */
type Reason = (text: string) => string | null;

/** A right value of each format that refuses any, as JSON. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  date: '"2026-05-01"',
  time: '"12:00:00Z"',
  'date-time': '"2026-05-01T12:00:00Z"',
  'iso-time': '"12:00:00"',
  'iso-date-time': '"2026-05-01T12:00:00"',
  duration: '"P1DT12H"',
  email: '"name@example.org"',
  'idn-email': '"name@example.org"',
  hostname: '"www.example.org"',
  'idn-hostname': '"www.example.org"',
  ipv4: '"192.0.2.1"',
  ipv6: '"2001:db8:0:0:0:0:0:1"',
  uri: '"https://example.org/a?b=c"',
  'uri-reference': '"/a?b=c"',
  iri: '"https://example.org/a?b=c"',
  'iri-reference': '"/a?b=c"',
  'uri-template': '"https://example.org/{id}"',
  url: '"https://example.org/a"',
  uuid: '"123e4567-e89b-12d3-a456-426614174000"',
  'json-pointer': '"/a/0"',
  'json-pointer-uri-fragment': '"#/a/0"',
  'relative-json-pointer': '"1/a"',
  regex: '"^[a-z]+$"',
  byte: '"YWJj"',
  int32: '42',
  int64: '42',
};

const RANGES: Readonly<Record<string, string>> = {
  int32: '-2147483648 to 2147483647',
  int64: '-9223372036854775808 to 9223372036854775807',
};

/** Longer texts get an example. In UTF-16 code units. */
const LONGEST = 2000;

/** The end of a message about a value that is not in the format. `value`: undefined: it must not be shown. */
export function whyNotIn(format: string, value: unknown): string {
  const reason = reasonFor(format, value) ?? (isNumber(value) ? `it is not from ${RANGES[format]}` : null);
  if (reason !== null) return `: ${reason}`;
  return Object.hasOwn(EXAMPLES, format) ? `; an example is ${EXAMPLES[format]}` : '';
}

/** What is wrong with the value; null: that is not known, or it is in the format. */
export function reasonFor(format: string, value: unknown): string | null {
  if (isNumber(value)) return !format.startsWith('int') || isInteger(value) ? null : 'it is not an integer';
  if (typeof value !== 'string' || value.length > LONGEST || !Object.hasOwn(REASONS, format)) return null;
  return REASONS[format]!(value);
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function dateReason(text: string): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null)
    return /^\d+-\d+-\d+$/.test(text) ? 'a year has four digits, a month and a day have two each' : null;
  const [, year = '', month = '', day = ''] = match;
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return `there is no month ${month}`;
  const days = daysIn(Number(year), Number(month));
  if (day === '00') return 'there is no day 00';
  return Number(day) <= days ? null : `${name} has ${days} days${month === '02' ? ` in ${year}` : ''}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function timeReason(text: string): string | null {
  if (/^\d\d:\d\d(?:$|[Zz+-])/.test(text)) return 'the seconds are missing';
  const [, hour = '0', minute = '0', second = '0', zone] = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([\s\S]*)$/.exec(text) ?? [];
  if (Number(hour) > 23) return `there is no hour ${hour}`;
  if (Number(minute) > 59) return `there is no minute ${minute}`;
  if (Number(second) > 60) return `there is no second ${second}`;
  return zone === '' ? 'the time zone is missing: Z or an offset such as +01:00' : null;
}

function dateTimeReason(text: string): string | null {
  const date = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  if (date === undefined) return null;
  const wrong = dateReason(date);
  if (wrong !== null) return wrong;
  const separator = text.slice(date.length, date.length + 1);
  if (separator === '') return 'the time is missing';
  if (separator !== 'T' && separator !== 't') return `"T" must stand between date and time, not ${quote(separator)}`;
  return timeReason(text.slice(date.length + 1));
}

function emailReason(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at < 0) return '"@" is missing';
  if (at === 0) return 'nothing stands before "@"';
  if (text.startsWith('"') || text.endsWith(']')) return null;
  if (at === text.length - 1) return 'the domain is missing after "@"';
  return text.includes('.', at) ? null : 'the domain has no dot';
}

/** The characters that texts of a format have. */
const CHARACTERS: Readonly<Record<string, RegExp>> = {
  duration: /[0-9PYMDTHSW]/u,
  hostname: /[A-Za-z0-9.-]/u,
  ipv4: /[0-9.]/u,
  ipv6: /[0-9A-Fa-f:.]/u,
  uri: /[!#-;=?-[\]_a-z~]/u,
  iri: /[!#-;=?-[\]_a-z~\u0080-\u{10ffff}]/u,
  uuid: /[0-9a-fA-F-]/u,
  byte: /[A-Za-z0-9+/=]/u,
};

/** The first character that no text of the format has. */
const characterReason =
  (format: string): Reason =>
  (text) => {
    const other = [...text].find((character) => !CHARACTERS[format]!.test(character));
    return other === undefined ? null : `${quote(other)} is not allowed`;
  };

const uriReason =
  (format: 'uri' | 'iri', isAbsolute: boolean): Reason =>
  (text) => {
    if (isAbsolute && !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return 'the scheme is missing, such as "https:"';
    if (/%(?![0-9A-Fa-f]{2})/.test(text)) return '"%" must be followed by two hexadecimal digits';
    return characterReason(format)(text);
  };

function ipv4Reason(text: string): string | null {
  const parts = text.split('.');
  const large = parts.find((part) => /^\d{1,20}$/.test(part) && Number(part) > 255);
  if (large !== undefined) return `${large} is above 255`;
  return characterReason('ipv4')(text) ?? (parts.length === 4 ? null : `it has ${count(parts.length, 'part')}, not 4`);
}

const REASONS: Readonly<Record<string, Reason>> = {
  date: dateReason,
  time: timeReason,
  'date-time': dateTimeReason,
  duration: characterReason('duration'),
  email: emailReason,
  hostname: characterReason('hostname'),
  ipv4: ipv4Reason,
  ipv6: characterReason('ipv6'),
  uri: uriReason('uri', true),
  'uri-reference': uriReason('uri', false),
  iri: uriReason('iri', true),
  'iri-reference': uriReason('iri', false),
  uuid: characterReason('uuid'),
  byte: characterReason('byte'),
};
