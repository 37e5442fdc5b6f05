/**
 * The formats that are asserted, in every draft: one row each.
 */
import type { Format, Judge } from './format.ts';
import type { OtherFormat } from './others.ts';
import * as is from './patterns.ts';

const USUAL_TIME = is.timeWith('[0-5]\\d');

/** A format of ajv-formats that JSON Schema does not have. */
const other = (name: OtherFormat) => async (): Promise<Judge> => (await import('./others.ts')).OTHERS[name];
const numbers = (name: OtherFormat): Format => ({ type: 'number', load: other(name) });

export const FORMATS: Readonly<Record<string, Format>> = {
  date: { pattern: is.DATE, load: async () => (await import('./times.ts')).date },
  time: {
    accepts: USUAL_TIME,
    needs: '^\\d\\d:\\d\\d:\\d\\d',
    load: async () => (await import('./times.ts')).time,
  },
  'date-time': {
    accepts: `${is.DATE}[Tt]${USUAL_TIME}`,
    needs: '^\\d{4}-\\d\\d-\\d\\d[Tt]',
    load: async () => (await import('./times.ts')).dateTime,
  },
  'iso-time': { accepts: USUAL_TIME, load: other('iso-time') },
  'iso-date-time': { accepts: `${is.DATE}[Tt]${USUAL_TIME}`, load: other('iso-date-time') },
  duration: { pattern: is.DURATION },
  email: { pattern: is.EMAIL, accepts: is.PLAIN_EMAIL, needs: '@' },
  'idn-email': {
    accepts: is.PLAIN_IDN_EMAIL,
    needs: '@',
    load: async () => (await import('./idna.ts')).idnEmail,
  },
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
  regex: {
    accepts: is.PLAIN_REGEX,
    load: async () => (await import('./regular-expression.ts')).regex,
  },
  byte: { pattern: is.BYTE },
  int32: numbers('int32'),
  int64: numbers('int64'),
  // These formats allow every value.
  float: {},
  double: {},
  password: {},
  binary: {},
};
