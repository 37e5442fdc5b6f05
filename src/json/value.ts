/**
 * Parsed JSON values: their type, and their equality as JSON Schema defines it: numbers by value (`-0` equals `0`), objects in
 * any order of members. It is safe for every member name: only own properties count, and no function in a value is called.
 * https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2
 */

import { Decimal, exactValue } from './decimal.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither an array nor a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Adds a member. `__proto__` is a name like any other. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** True for an object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two values that came from JSON are equal. Their numbers are `JsonNumber`s. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Decimal || b instanceof Decimal)
    return a instanceof Decimal && b instanceof Decimal && a.key === b.key;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) => Object.hasOwn(b, name) && jsonEqual((a as JsonObject)[name], (b as JsonObject)[name]),
  ); // both are objects here
}

/** Whether `value` equals one of `values`. */
export function isAmong(value: unknown, values: readonly unknown[]): boolean {
  return values.some((one) => jsonEqual(value, one));
}

/**
 * The indexes of the first item that equals an earlier one, and of that one: `[earlier, later]`; null if all items
 * differ. Takes time in proportion to the text of the items.
 */
export function repeatedItems(items: readonly unknown[]): readonly [number, number] | null {
  // A Map distinguishes `1` from `"1"`, and regards `-0` as `0`.
  const scalars = new Map<unknown, number>();
  const others = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const key = isContainer(item) ? canonicalText(item) : item;
    const seen: Map<unknown, number> = isContainer(item) ? others : scalars;
    const earlier = seen.get(key);
    if (earlier !== undefined) return [earlier, i];
    seen.set(key, i);
  }
  return null;
}

/** The value as JSON text without white space; numbers that are no doubles as they are written. */
export function writtenText(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value);
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return `[${value.map(writtenText).join()}]`;
  const members = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${writtenText(inner)}`,
  );
  return `{${members.join()}}`;
}

/** The value of a JSON text in doubles, and the text if that loses digits. */
export function valueWritten(text: string): { readonly value: unknown; readonly written?: string } {
  const value: unknown = JSON.parse(text);
  const written = writtenText(exactValue(text));
  return written === writtenText(value) ? { value } : { value, written };
}

/** A text that is the same for equal values, and for no others. */
export function canonicalText(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value === 0 ? 0 : value);
  if (value instanceof Decimal) return value.key;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText((value as JsonObject)[name])}`);
  return `{${members.join()}}`;
}
