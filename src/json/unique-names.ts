/**
 * Checks without a scan that no object has the same name twice: the text has as many names as the value that JSON.parse
 * made of it.
 */

/** The end of a name. It also matches in some strings, so the count may be too high but not too low. */
const NAME_END = /(?:(?<!\\)|\\\\)"\s*:/g;
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

/**
 * True if no object of a JSON text has the same name twice. `count`: the number of members in its value. False if that
 * is not certain.
 */
export function surelyUnique(text: string, count: number): boolean {
  return (text.match(NAME_END)?.length ?? 0) === count;
}

/**
 * True for a JSON text without anything to report, whatever the schema. False if that is not certain. `maxDepth` counts
 * open brackets.
 */
export function surelyPlain(text: string, maxDepth: number): boolean {
  if (SPECIAL.test(text)) return false;
  try {
    return surelyUnique(text, memberCount(JSON.parse(text), Math.min(maxDepth, MOST_LEVELS)));
  } catch {
    return false;
  }
}
