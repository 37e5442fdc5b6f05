/** No object has a name twice if the text has as many names as the value that JSON.parse makes of it. */
import { BACKSLASH, COLON, QUOTE } from './skip.ts';

/** Escapes, and numbers that JSON.parse may round or take for infinite. */
const SPECIAL = /\\|\d[eE]|[\d.]{16}/;
/** A value of more levels is left to a scan, because the count is recursive. */
const MOST_LEVELS = 500;

/** The number of members of all objects in a JSON value; NaN if objects and arrays are nested deeper than `levels`. */
export function memberCount(value: unknown, levels = MOST_LEVELS): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += memberCount(item, levels - 1);
    return count;
  }
  for (const name of Object.keys(value)) count += 1 + memberCount((value as Json)[name], levels - 1);
  return count;
}

type Json = Readonly<Record<string, unknown>>;

/** Whether no object of a JSON text surely has a name twice. `count`: the number of members in its value. */
export function surelyUnique(text: string, count: number): boolean {
  let ends = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) if (endsName(text, at)) ends++;
  return ends === count || nameCount(text) === count;
}

/** The number of names in a JSON text. Takes longer, because it looks at every string. */
function nameCount(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (text.charCodeAt(next) <= SPACE) next++;
    if (text.charCodeAt(next) === COLON) count++;
    start = text.indexOf('"', end + 1);
  }
  return count;
}

/** Whether an odd number of backslashes is before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}

const SPACE = 0x20;

/** Whether the colon at `at` may follow a name. In a string, too: the count may be too high, never too low. */
function endsName(text: string, at: number): boolean {
  let last = at - 1;
  while (text.charCodeAt(last) <= SPACE) last--;
  return (
    text.charCodeAt(last) === QUOTE &&
    (text.charCodeAt(last - 1) !== BACKSLASH || text.charCodeAt(last - 2) === BACKSLASH)
  );
}

/** Whether a JSON text surely has nothing to report, whatever the schema. `maxDepth` counts open brackets. */
export function surelyPlain(text: string, maxDepth: number): boolean {
  if (SPECIAL.test(text)) return false;
  try {
    return surelyUnique(text, memberCount(JSON.parse(text), Math.min(maxDepth, MOST_LEVELS)));
  } catch {
    return false;
  }
}
