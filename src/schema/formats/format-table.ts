/**
 * The formats that are asserted, in every draft: one row each, with the functions that judge what no pattern describes, and
 * what is known of a format by its name.
 */
import { compareNumbers, isInteger, type JsonNumber, jsonNumber } from '../../json/decimal.ts';
import { type FormatDefinition, type FormatTest, formatOf, linear, type OwnFormats } from './format.ts';
import * as is from './patterns.ts';
import { wholeText } from './patterns.ts';

/** Escapes. The first group: a letter without meaning in ECMA-262, which engines of the web read as itself. */
const ESCAPES = /\\(?:([aeg-jlmoqyzACE-OQRT-VX-Z])|[\s\S])/g;

function isRegExp(text: string): boolean {
  if (compiles(text, 'u')) return true;
  for (const [, letter] of text.matchAll(ESCAPES)) if (letter !== undefined) return false;
  return compiles(text, '');
}

function compiles(text: string, flags: string): boolean {
  try {
    new RegExp(text, flags);
    return true;
  } catch {
    return false;
  }
}

const USUAL_TIME = is.timeWith('[0-5]\\d');
const isUsualTime = linear(USUAL_TIME);
const isLeap = linear(is.timeWith('60'));
const isDate = linear(is.DATE);
const DATE_LENGTH = 10;
const MINUTES = 24 * 60;

/** RFC 3339; seconds may be 60 only in the last minute of a day in UTC, where leap seconds are. */
function isTime(text: string): boolean {
  return isUsualTime(text) || (isLeap(text) && minuteInUtc(text) === MINUTES - 1);
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

/** Integers in a range, as ajv-formats has them. */
function integers(least: string, most: string): FormatTest {
  const [from, to] = [jsonNumber(least), jsonNumber(most)];
  return (value: JsonNumber) => isInteger(value) && compareNumbers(value, from) >= 0 && compareNumbers(value, to) <= 0;
}

/** For `url`: RegExp takes cubic time for some URLs. */
const NEVER = 0;

/** Formats of ajv-formats that JSON Schema does not have. It defines each by an object. */
type AjvFormat = { readonly validate: FormatTest };
const iso = (name: 'iso-time' | 'iso-date-time') => async (): Promise<FormatTest> => {
  const { validate } = (await import('ajv-formats')).default.default.get(name) as AjvFormat;
  return validate;
};
const ofHosts = (name: keyof typeof import('./idna.ts')) => async (): Promise<FormatTest> =>
  (await import('./idna.ts'))[name];

export const FORMATS: Readonly<Record<string, FormatDefinition>> = {
  date: { pattern: is.DATE },
  time: { accepts: USUAL_TIME, needs: '^\\d\\d:\\d\\d:\\d\\d', judge: isTime },
  'date-time': { accepts: `${is.DATE}[Tt]${USUAL_TIME}`, needs: '^\\d{4}-\\d\\d-\\d\\d[Tt]', judge: isDateTime },
  'iso-time': { accepts: USUAL_TIME, load: iso('iso-time') },
  'iso-date-time': { accepts: `${is.DATE}[Tt]${USUAL_TIME}`, load: iso('iso-date-time') },
  duration: { pattern: is.DURATION },
  email: { pattern: is.EMAIL, accepts: is.PLAIN_EMAIL, needs: '@' },
  'idn-email': { accepts: is.PLAIN_IDN_EMAIL, needs: '@', load: ofHosts('idnEmail') },
  hostname: { accepts: is.PLAIN_HOSTNAME, needs: '^[A-Za-z0-9][A-Za-z0-9.\\-]*$', load: ofHosts('hostname') },
  'idn-hostname': { accepts: is.PLAIN_HOSTNAME, load: ofHosts('idnHostname') },
  ipv4: { pattern: is.IPV4 },
  ipv6: { pattern: is.IPV6 },
  uri: { pattern: is.URI.absolute, accepts: is.NAMED_URI.absolute, needs: is.SCHEME },
  'uri-reference': { pattern: is.URI.reference, accepts: is.NAMED_URI.reference },
  iri: { pattern: is.IRI.absolute, accepts: is.NAMED_IRI.absolute, needs: is.SCHEME },
  'iri-reference': { pattern: is.IRI.reference, accepts: is.NAMED_IRI.reference },
  'uri-template': { pattern: is.URI_TEMPLATE },
  url: { accepts: is.PLAIN_URL, judge: linear(is.URL, NEVER) },
  uuid: { pattern: is.UUID },
  'json-pointer': { pattern: is.JSON_POINTER },
  'json-pointer-uri-fragment': { pattern: is.JSON_POINTER_FRAGMENT },
  'relative-json-pointer': { pattern: is.RELATIVE_JSON_POINTER },
  regex: { accepts: is.PLAIN_REGEX, judge: isRegExp },
  byte: { pattern: is.BYTE },
  int32: { type: 'number', judge: integers('-2147483648', '2147483647') },
  int64: { type: 'number', judge: integers('-9223372036854775808', '9223372036854775807') },
  // These formats allow every value.
  float: {},
  double: {},
  password: {},
  binary: {},
};

export const ASSERTED_FORMATS: readonly string[] = Object.keys(FORMATS);

/** Null: the format is not asserted. `own`: those of the config, which come first. */
export function formatNamed(name: string, own?: OwnFormats): FormatDefinition | null {
  const mine = own?.get(name);
  if (mine !== undefined) return mine === false ? null : formatOf(mine);
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]! : null;
}

/** A pattern that matches only texts of the format; null: there is none. */
export function sufficientPattern({ search, pattern, accepts = pattern }: FormatDefinition): string | null {
  if (search !== undefined) return search;
  return accepts === undefined ? null : wholeText(accepts);
}

/** A pattern that matches all texts of the format; null: there is none. */
export function necessaryPattern({ search, pattern, accepts, needs }: FormatDefinition): string | null {
  if (search !== undefined) return search;
  if (needs !== undefined) return needs;
  return pattern === undefined || accepts !== undefined ? null : wholeText(pattern);
}

/** The judges of formats, by name; without formats that are not asserted or that allow all values. */
export async function loadFormats(names: Iterable<string>, own?: OwnFormats): Promise<Map<string, LoadedFormat>> {
  const judges = new Map<string, LoadedFormat>();
  for (const name of new Set(names)) {
    const format = formatNamed(name, own);
    const judge = format?.judge ?? (await format?.load?.()) ?? byPattern(format);
    if (judge !== null) judges.set(name, { test: judge, type: format?.type ?? 'string' });
  }
  return judges;
}

export interface LoadedFormat {
  readonly test: FormatTest;
  /** The type of the values that are judged. */
  readonly type: 'string' | 'number';
}

/** Most texts match `accepts`, which V8 compiles a hundred times as fast: whole URIs take it 5 to 10 ms. */
function byPattern(format: FormatDefinition | null): FormatTest | null {
  if (format?.pattern === undefined) return null;
  const test = linear(format.pattern);
  if (format.accepts === undefined) return test;
  const isPlain = linear(format.accepts);
  return (text: string) => isPlain(text) || test(text);
}
