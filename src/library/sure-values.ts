/**
 * Recognises values that are certainly valid as JSON.stringify writes them, by the guards: JSON.stringify must write
 * exactly the members that the guards check, and the text must be within the limits.
 */
import type { Limits } from '../types.ts';
import { isOfKind, type KindName, kindOf } from './guards.ts';

/** Deeper values are written as text and validated. */
const MOST_LEVELS = 100;

/**
 * The kind of a value that is certainly valid by the bundled schemas; null: it must be written as text. `given`: its
 * kind; null: it is detected.
 */
export function kindOfValue(
  value: unknown,
  given: string | null,
  { maxDepth, maxBytes }: Limits,
): string | null {
  if (!(mostBytes(value, Math.min(maxDepth, MOST_LEVELS)) <= maxBytes)) return null;
  const kind = (given as KindName | null) ?? kindOf(value); // one of the bundled kinds
  return kind !== null && isOfKind(kind, value) ? kind : null;
}

/** Most bytes of a code unit, which may be escaped, and of the characters around a string. */
const CHARACTER = 6;
const AROUND = 4;
/** Most bytes of a number, `false` or `null`, with the characters around it. */
const SCALAR = 32;

const { prototype: ROOT, getOwnPropertyNames, getPrototypeOf } = Object;

/**
 * An upper bound for the bytes of the value as text. NaN for a value that JSON.stringify does not write member by
 * member, or not completely: with `toJSON`, a class, hidden members, or a value that JSON does not have.
 */
function mostBytes(value: unknown, levels: number): number {
  if (typeof value === 'string') return CHARACTER * value.length + AROUND;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return SCALAR;
  if (typeof value !== 'object' || levels === 0 || 'toJSON' in value) return Number.NaN;
  let bytes = AROUND;
  if (Array.isArray(value)) {
    for (const item of value) bytes += mostBytes(item, levels - 1);
    return bytes;
  }
  if (getPrototypeOf(value) !== ROOT) return Number.NaN;
  let members = 0;
  for (const name in value) {
    members++;
    bytes +=
      CHARACTER * name.length + AROUND + mostBytes((value as Record<string, unknown>)[name], levels - 1);
  }
  return members === getOwnPropertyNames(value).length ? bytes : Number.NaN;
}
