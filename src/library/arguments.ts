/**
 * Arguments of the library as JavaScript can pass them, where the types are not checked: what is wrong is said by its name.
 */
import { UsageError } from '../errors.ts';

/** Refuses limits that are not numbers: NaN would mean that there is no limit. Throws UsageError. */
export function wholeNumber(name: string, value: number, most: number): number {
  const isNumber = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (isNumber && value >= 1 && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? '1 or more' : `1 to ${most}`;
  throw new UsageError(`${name}: expected a whole number, ${range}, found ${String(value)}`);
}

/** Throws UsageError. */
export function pathText(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`${name}: expected a path, as a string`);
}

/** Throws UsageError. */
export function pathList(name: string, value: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new UsageError(`${name}: expected a list of paths, such as ["a.json"]`);
}
