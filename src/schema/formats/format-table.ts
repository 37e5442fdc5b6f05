/**
 * The formats that are asserted, in every draft: one row each, and what is known of a format by its name, without the
 * functions that judge it (`load-formats.ts`).
 */

import { type FormatDefinition, type FormatTest, formatOf, linear, type OwnFormats } from './format.ts';
import type { OtherFormat } from './judges.ts';
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

/** Regular expressions of ECMA-262. */
const regex: FormatTest = { test: isRegExp };

const USUAL_TIME = is.timeWith('[0-5]\\d');

/** Formats of ajv-formats that JSON Schema does not have. It defines each by an object. */
type AjvFormat = { readonly validate: FormatTest['test'] };
const iso = (name: 'iso-time' | 'iso-date-time') => async (): Promise<FormatTest> => {
  const { validate } = (await import('ajv-formats')).default.default.get(name) as AjvFormat;
  return { test: validate };
};
const other = (name: OtherFormat) => async (): Promise<FormatTest> => (await import('./judges.ts')).OTHERS[name];
const numbers = (name: OtherFormat): FormatDefinition => ({ type: 'number', load: other(name) });

export const FORMATS: Readonly<Record<string, FormatDefinition>> = {
  date: { pattern: is.DATE, load: async () => (await import('./judges.ts')).date },
  time: { accepts: USUAL_TIME, needs: '^\\d\\d:\\d\\d:\\d\\d', load: async () => (await import('./judges.ts')).time },
  'date-time': {
    accepts: `${is.DATE}[Tt]${USUAL_TIME}`,
    needs: '^\\d{4}-\\d\\d-\\d\\d[Tt]',
    load: async () => (await import('./judges.ts')).dateTime,
  },
  'iso-time': { accepts: USUAL_TIME, load: iso('iso-time') },
  'iso-date-time': { accepts: `${is.DATE}[Tt]${USUAL_TIME}`, load: iso('iso-date-time') },
  duration: { pattern: is.DURATION },
  email: { pattern: is.EMAIL, accepts: is.PLAIN_EMAIL, needs: '@' },
  'idn-email': { accepts: is.PLAIN_IDN_EMAIL, needs: '@', load: async () => (await import('./idna.ts')).idnEmail },
  hostname: {
    accepts: is.PLAIN_HOSTNAME,
    needs: '^[A-Za-z0-9][A-Za-z0-9.\\-]*$',
    load: async () => (await import('./idna.ts')).hostname,
  },
  'idn-hostname': { accepts: is.PLAIN_HOSTNAME, load: async () => (await import('./idna.ts')).idnHostname },
  ipv4: { pattern: is.IPV4 },
  ipv6: { pattern: is.IPV6 },
  uri: { pattern: is.URI.absolute, accepts: is.NAMED_URI.absolute, needs: is.SCHEME },
  'uri-reference': { pattern: is.URI.reference, accepts: is.NAMED_URI.reference },
  iri: { pattern: is.IRI.absolute, accepts: is.NAMED_IRI.absolute, needs: is.SCHEME },
  'iri-reference': { pattern: is.IRI.reference, accepts: is.NAMED_IRI.reference },
  'uri-template': { pattern: is.URI_TEMPLATE },
  url: { accepts: is.PLAIN_URL, load: other('url') },
  uuid: { pattern: is.UUID },
  'json-pointer': { pattern: is.JSON_POINTER },
  'json-pointer-uri-fragment': { pattern: is.JSON_POINTER_FRAGMENT },
  'relative-json-pointer': { pattern: is.RELATIVE_JSON_POINTER },
  regex: { accepts: is.PLAIN_REGEX, judge: regex },
  byte: { pattern: is.BYTE },
  int32: numbers('int32'),
  int64: numbers('int64'),
  // These formats allow every value.
  float: {},
  double: {},
  password: {},
  binary: {},
};

/** The names of all formats that are asserted. */
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

/** The patterns for accept of all formats. */
export function formatPatterns(): string[] {
  const patterns = Object.values(FORMATS).flatMap((format) => [sufficientPattern(format), necessaryPattern(format)]);
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}

/** The judges of formats, by name; without formats that are not asserted or that allow all values. */
export async function loadFormats(names: Iterable<string>, own?: OwnFormats): Promise<Map<string, LoadedFormat>> {
  const judges = new Map<string, LoadedFormat>();
  for (const name of new Set(names)) {
    const format = formatNamed(name, own);
    const judge = format?.judge ?? (await format?.load?.()) ?? byPattern(format);
    if (judge !== null) judges.set(name, { ...judge, type: format?.type ?? 'string' });
  }
  return judges;
}

export interface LoadedFormat extends FormatTest {
  /** The type of the values that are judged. */
  readonly type: 'string' | 'number';
}

/** Most texts match `accepts`, which V8 compiles a hundred times as fast: whole URIs take it 5 to 10 ms. */
function byPattern(format: FormatDefinition | null): FormatTest | null {
  if (format?.pattern === undefined) return null;
  const test = linear(format.pattern);
  if (format.accepts === undefined) return { test };
  const isPlain = linear(format.accepts);
  return { test: (text) => isPlain(text) || test(text) };
}
