/**
 * Values that are surely valid as JSON.stringify writes them, by the guards: what they look at must be all that is
 * written, and the text within the limits.
 */
import type { Limits } from '../types.ts';
import { isOfKind, type KindName, kindOf } from './guards.ts';

/** Deeper values are written. */
const MOST_LEVELS = 100;

/**
 * The kind of a value that is surely valid by the bundled schemas; null: it must be written. `given`: its kind; null:
 * it is detected.
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

/** Of a character that is written with an escape, and of what is around a text. */
const CHARACTER = 6;
const AROUND = 4;
/** Of a number, `false` or `null`, with what is around it. */
const SCALAR = 32;

const { prototype: ROOT, getOwnPropertyNames, getPrototypeOf } = Object;

/**
 * No less than the bytes of the value as text. NaN for a value that JSON.stringify writes in another way than member by
 * member, or with members left out: one with a `toJSON`, a class or hidden members, or with something that JSON does
 * not have.
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
