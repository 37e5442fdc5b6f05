/**
 * Internationalized names of hosts: RFC 5890 to 5893, with the mapping of UTS 46. The tables of Unicode are large, so
 * they are loaded only for formats that need them.
 */
import { isIdnHostname } from 'idn-hostname';
import { linear } from './format.ts';
import { HOSTNAME, IDN_EMAIL } from './patterns.ts';

/** A name has at most 253 characters in ASCII, so at most 253 in Unicode, each of at most two code units. */
const MOST_UNITS = 506;
const ENDS_WITH_DOT = /[.\u3002\uff0e\uff61]$/;
const HAS_DOT = /[.\u3002\uff0e\uff61]/;

export function idnHostname(text: string): boolean {
  if (text.length > MOST_UNITS || ENDS_WITH_DOT.test(text)) return false;
  try {
    return isIdnHostname(text);
  } catch {
    return false; // it throws for all other texts
  }
}

const isPlain = linear(HOSTNAME);
const HAS_PUNYCODE = /(?:^|\.)xn--/i;

export function hostname(text: string): boolean {
  if (text.length > 253 || !isPlain(text)) return false;
  return !HAS_PUNYCODE.test(text) || idnHostname(text);
}

const isMailbox = linear(IDN_EMAIL);

export function idnEmail(text: string): boolean {
  if (!isMailbox(text)) return false;
  const domain = text.slice(text.lastIndexOf('@') + 1);
  return domain.startsWith('[') || (HAS_DOT.test(domain) && idnHostname(domain));
}
