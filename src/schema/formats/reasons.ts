/**
 * Why a value is not in its format: the part or the character at fault, or an example of a right value. Loaded with the
 * first violation of a format. A reason is null for every value of the format: what it states is true, though perhaps
 * not all that is wrong.
 */
import { isInteger, isNumber } from '../../json/decimal.ts';
import { quote } from '../../words/escape.ts';

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
const LONGEST_EXPLAINED = 2000;

/** The end of a message about a value that is not in the format. `value`: undefined: it must not be shown. */
export function whyNotIn(format: string, value: unknown, wantsExample: boolean): string {
  const reason = reasonFor(format, value) ?? (isNumber(value) ? `it is not from ${RANGES[format]}` : null);
  if (reason !== null) return `: ${reason}`;
  return wantsExample && Object.hasOwn(EXAMPLES, format) ? `; an example is ${EXAMPLES[format]}` : '';
}

/** What is wrong with the value; null: that is not known, or it is in the format. */
export function reasonFor(format: string, value: unknown): string | null {
  if (isNumber(value)) return !format.startsWith('int') || isInteger(value) ? null : 'it is not an integer';
  if (typeof value !== 'string' || value.length > LONGEST_EXPLAINED || !Object.hasOwn(REASONS, format)) return null;
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

const ZONE = 'Z or an offset such as +01:00';

function timeReason(text: string): string | null {
  if (/^\d\d:\d\d(?:$|[Zz+-])/.test(text)) return 'the seconds are missing';
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([\s\S]*)$/.exec(text);
  if (match === null) return null;
  const [, hour = '', minute = '', second = '', zone = ''] = match;
  if (Number(hour) > 23) return `there is no hour ${hour}`;
  if (Number(minute) > 59) return `there is no minute ${minute}`;
  if (Number(second) > 60) return `there is no second ${second}`;
  if (zone === '') return `the time zone is missing: ${ZONE}`;
  if (/^\.(?!\d)/.test(zone)) return 'digits are missing after the "." of the seconds';
  const offset = /^[+-](\d\d):(\d\d)$/.exec(zone);
  if (offset === null && !/^[Zz]$/.test(zone)) return `after the seconds comes ${ZONE}, not ${quote(zone)}`;
  const [, hours = '0', minutes = '0'] = offset ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return `the offset ${zone} has more than 23 hours or 59 minutes`;
  if (second !== '60') return null;
  const shift = (zone.startsWith('-') ? -1 : 1) * (60 * Number(hours) + Number(minutes));
  const isLast = (60 * Number(hour) + Number(minute) - shift + 2880) % 1440 === 1439;
  return isLast ? null : 'the second 60 is only in the last minute of a day in UTC';
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

function durationReason(text: string): string | null {
  if (!text.startsWith('P')) return 'it must begin with "P"';
  const other = /[^0-9PYMDTHSW]/u.exec(text)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed`;
  const last = text.at(-1)!; // it begins with P
  if (last === 'P' || last === 'T') return `a number and its unit are missing after "${last}"`;
  if (/\d/.test(last)) return 'the unit of the last number is missing';
  if (text.includes('W') && !/^P\d+W$/.test(text)) return 'weeks must stand alone, as in P2W';
  if (/[HS]/.test(text.split('T')[0]!)) return 'hours and seconds must come after "T"';
  const gap = /\d(?:Y\d+D|H\d+S)/.exec(text)?.[0];
  return gap === undefined ? null : `a unit is left out between "${gap[1]}" and "${gap.at(-1)}"`;
}

/** What is wrong with the parts of a name of a host; `called`: the name. */
function labelReason(name: string, called: string): string | null {
  const other = /[^A-Za-z0-9.-]/u.exec(name)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed in ${called}`;
  for (const label of name.split('.')) {
    if (label === '') return `a part of ${called} is empty`;
    if (label.startsWith('-') || label.endsWith('-'))
      return `the part ${quote(label)} of ${called} begins or ends with "-"`;
  }
  return null;
}

function hostnameReason(text: string): string | null {
  if (text === '') return 'it is empty';
  if (text.length > 253) return `it has ${text.length} characters, and may have 253`;
  const long = text.split('.').find((label) => label.length > 63);
  return (
    labelReason(text, 'the name') ?? (long === undefined ? null : `the part ${quote(long)} has more than 63 characters`)
  );
}

function emailReason(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at < 0) return '"@" is missing';
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (local === '') return 'nothing stands before "@"';
  if (domain === '') return 'the domain is missing after "@"';
  if (local.startsWith('"') || domain.endsWith(']')) return null;
  const other = /[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/u.exec(local)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed before the last "@"`;
  if (/^\.|\.\.|\.$/.test(local)) return 'a dot before "@" stands first, last or beside another one';
  return labelReason(domain, 'the domain') ?? (domain.includes('.') ? null : 'the domain has no dot');
}

/** `others`: characters beyond ASCII are allowed, or may be. */
function uriReason(text: string, others: boolean): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return '"%" must be followed by two hexadecimal digits';
  const allowed = others ? /[^!#-;=?-[\]_a-z~\u0080-\u{10ffff}]/u : /[^!#-;=?-[\]_a-z~]/u;
  const other = allowed.exec(text)?.[0];
  if (other !== undefined) return asEncoded(other);
  if (text.indexOf('#') !== text.lastIndexOf('#')) return `${asEncoded('#')} in the part after the first one`;
  const literal = /^(?:[^:/?#]+:)?\/\/(?:[^@/?#]*@)?\[[^\]/?#]*\]/.exec(text)?.[0] ?? '';
  const bracket = /[[\]]/.exec(text.slice(literal.length))?.[0];
  if (bracket !== undefined) return asEncoded(bracket);
  const authority = /^(?:[^:/?#]+:)?\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = host.startsWith('[') ? undefined : /:(.*)$/.exec(host)?.[1];
  return port === undefined || /^\d*$/.test(port) ? null : `the port ${quote(port)} is not a number`;
}

function asEncoded(character: string): string {
  const encoded = character.isWellFormed() ? encodeURIComponent(character) : null;
  return encoded === null || encoded === character
    ? `${quote(character)} is not allowed`
    : `${quote(character)} must be written as ${encoded}`;
}

const absolute =
  (others: boolean): Reason =>
  (text) =>
    /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) ? uriReason(text, others) : 'the scheme is missing, such as "https:"';

const UUID_DIGITS = [8, 4, 4, 4, 12];

function uuidReason(text: string): string | null {
  const other = /[^0-9a-fA-F-]/u.exec(text)?.[0];
  if (other !== undefined) return `${quote(other)} is not a hexadecimal digit`;
  const groups = text.split('-');
  if (groups.length !== UUID_DIGITS.length)
    return `it has ${groups.length === 1 ? '1 group' : `${groups.length} groups`} of digits, not 5`;
  const wrong = groups.findIndex(({ length }, i) => length !== UUID_DIGITS[i]);
  return wrong < 0 ? null : `group ${wrong + 1} has ${groups[wrong]!.length} digits, not ${UUID_DIGITS[wrong]}`;
}

function ipv4Reason(text: string): string | null {
  const parts = text.split('.');
  const other = /[^0-9.]/u.exec(text)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed`;
  if (parts.length !== 4) return `it has ${parts.length === 1 ? '1 part' : `${parts.length} parts`}, not 4`;
  for (const part of parts) {
    if (part === '') return 'a part is empty';
    if (Number(part) > 255) return `${part.length > 20 ? quote(part) : part} is above 255`;
    if (part !== '0' && part.startsWith('0')) return `${quote(part)} begins with 0`;
  }
  return null;
}

function ipv6Reason(text: string): string | null {
  const other = /[^0-9A-Fa-f:.]/u.exec(text)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed`;
  if (text.includes(':::') || text.indexOf('::') !== text.lastIndexOf('::'))
    return 'two colons may stand side by side once, and no three';
  if (/^:(?!:)|(?<!:):$/.test(text)) return 'a group at the start or the end is empty';
  const groups = text.split(':').filter((group) => group !== '');
  const dotted = groups.findIndex((group) => group.includes('.'));
  if (dotted >= 0 && dotted < groups.length - 1) return 'an IPv4 address may only stand at the end';
  const inner = dotted < 0 ? null : ipv4Reason(groups[dotted]!);
  if (inner !== null) return `of the IPv4 address at the end, ${inner}`;
  const long = groups.find((group, i) => i !== dotted && group.length > 4);
  if (long !== undefined) return `the group ${quote(long)} has more than 4 digits`;
  const count = groups.length + (dotted < 0 ? 0 : 1);
  if (text.includes('::'))
    return count < 8 ? null : `it has ${count} groups, and two colons stand for at least one of 8`;
  return count === 8 ? null : `it has ${count === 1 ? '1 group' : `${count} groups`}, not 8`;
}

function pointerReason(text: string): string | null {
  if (text !== '' && !text.startsWith('/')) return 'it must begin with "/", or be empty';
  return /~(?![01])/.test(text) ? '"~" must be followed by 0 or 1' : null;
}

function byteReason(text: string): string | null {
  const other = /[^A-Za-z0-9+/=]/u.exec(text)?.[0];
  if (other !== undefined) return `${quote(other)} is not allowed`;
  return text.length % 4 === 0 ? null : `it has ${text.length} characters, not a multiple of 4`;
}

const REASONS: Readonly<Record<string, Reason>> = {
  date: dateReason,
  time: timeReason,
  'date-time': dateTimeReason,
  duration: durationReason,
  email: emailReason,
  hostname: hostnameReason,
  ipv4: ipv4Reason,
  ipv6: ipv6Reason,
  uri: absolute(false),
  'uri-reference': (text) => uriReason(text, false),
  iri: absolute(true),
  'iri-reference': (text) => uriReason(text, true),
  uuid: uuidReason,
  'json-pointer': pointerReason,
  byte: byteReason,
};
