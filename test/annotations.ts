/**
 * JSON Schema 2020-12 read word by word, slowly: whether a value matches a schema without formats, and which of its
 * members or items are evaluated then. For tests of `unevaluated…`, of which Ajv's own code is no truth.
 */

import { isJsonObject, jsonEqual } from '../src/json/value.ts';
import type { RawObject, RawSchema } from '../src/schema/document.ts';

/** The names or indexes that are evaluated; null if the value does not match. */
type Result = ReadonlySet<string | number> | null;

/** What `schema` says of `value`. `root`: the whole schema, for references such as `#/$defs/one`. */
export function evaluate(schema: RawSchema, value: unknown, root: RawObject): Result {
  if (!isJsonObject(schema)) return schema ? new Set() : null;
  const keys = new Set<string | number>();
  const add = (result: Result): boolean => {
    for (const key of result ?? []) keys.add(key);
    return result !== null;
  };
  const apply = (one: unknown, to: unknown): Result => evaluate(one as RawSchema, to, root);
  const matches = (one: unknown, to: unknown): boolean => apply(one, to) !== null;
  const inPlace = (one: unknown): boolean => add(apply(one, value));
  const parts = [
    () => isOfType(schema, value) && fitsLimits(schema, value),
    () => !('const' in schema) || jsonEqual(value, schema.const),
    () => !Array.isArray(schema.enum) || schema.enum.some((one) => jsonEqual(value, one)),
    () => schema.$ref === undefined || inPlace(atPointer(root, String(schema.$ref).slice(1))),
    () => list(schema.allOf).every(inPlace),
    () => schema.anyOf === undefined || list(schema.anyOf).filter(inPlace).length > 0,
    () => schema.oneOf === undefined || list(schema.oneOf).filter(inPlace).length === 1,
    () => schema.not === undefined || !matches(schema.not, value),
    () => schema.if === undefined || inPlace((inPlace(schema.if) ? schema.then : schema.else) ?? true),
    () => !isObject(value) || fitsMembers(schema, value, { keys, matches, inPlace }),
    () => !Array.isArray(value) || fitsItems(schema, value, { keys, matches, inPlace }),
  ];
  return parts.every((part) => part()) ? keys : null;
}

interface Tools {
  readonly keys: Set<string | number>;
  readonly matches: (schema: unknown, value: unknown) => boolean;
  readonly inPlace: (schema: unknown) => boolean;
}

function fitsMembers(schema: RawObject, object: RawObject, { keys, matches, inPlace }: Tools): boolean {
  const names = Object.keys(object);
  const has = (name: string): boolean => Object.hasOwn(object, name);
  const of = (keyword: string): [string, unknown][] => Object.entries((schema[keyword] ?? {}) as object);
  const wanted = [...list(schema.required)] as string[];
  for (const [name, others] of [...of('dependentRequired'), ...of('dependencies')])
    if (has(name) && Array.isArray(others)) wanted.push(...others);
  const dependents = [...of('dependentSchemas'), ...of('dependencies')];
  const applies = (one: string, name: string): boolean => new RegExp(one, 'u').test(name);
  let additional = names;
  const check = (name: string, one: unknown): boolean => {
    keys.add(name);
    additional = additional.filter((other) => other !== name);
    return matches(one, object[name]);
  };
  const { propertyNames = true, additionalProperties, unevaluatedProperties } = schema;
  return (
    wanted.every(has) &&
    names.every((name) => matches(propertyNames, name)) &&
    of('properties').every(([name, one]) => !has(name) || check(name, one)) &&
    of('patternProperties').every(([pattern, one]) =>
      names.filter((name) => applies(pattern, name)).every((name) => check(name, one)),
    ) &&
    (additionalProperties === undefined || additional.every((name) => check(name, additionalProperties))) &&
    dependents.every(([name, one]) => !has(name) || Array.isArray(one) || inPlace(one)) &&
    (unevaluatedProperties === undefined ||
      names.filter((name) => !keys.has(name)).every((name) => check(name, unevaluatedProperties)))
  );
}

function fitsItems(schema: RawObject, array: readonly unknown[], { keys, matches }: Tools): boolean {
  const { items, contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
  const listed = list(schema.prefixItems);
  const check = (index: number, one: unknown): boolean => {
    keys.add(index);
    return matches(one, array[index]);
  };
  if (!array.every((_, i) => i >= listed.length || check(i, listed[i]))) return false;
  if (items !== undefined && !array.every((_, i) => i < listed.length || check(i, items))) return false;
  if (contains !== undefined) {
    const found = [...array.keys()].filter((i) => matches(contains, array[i]));
    for (const index of found) keys.add(index);
    if (found.length < Number(minContains) || found.length > Number(maxContains)) return false;
  }
  const { uniqueItems, unevaluatedItems } = schema;
  if (uniqueItems === true && array.some((a, i) => array.some((b, j) => j < i && jsonEqual(a, b)))) return false;
  return unevaluatedItems === undefined || array.every((_, i) => keys.has(i) || check(i, unevaluatedItems));
}

function fitsLimits(schema: RawObject, value: unknown): boolean {
  const limit = (keyword: string, other: number): number => Number(schema[keyword] ?? other);
  const between = (size: number, of: string): boolean =>
    size >= limit(`min${of}`, 0) && size <= limit(`max${of}`, Number.POSITIVE_INFINITY);
  if (typeof value === 'string') {
    const { pattern = '' } = schema;
    return between([...value].length, 'Length') && new RegExp(String(pattern), 'u').test(value);
  }
  if (Array.isArray(value)) return between(value.length, 'Items');
  if (isObject(value)) return between(Object.keys(value).length, 'Properties');
  if (typeof value !== 'number') return true;
  const factor = value / limit('multipleOf', value || 1);
  return (
    Math.abs(factor - Math.round(factor)) < 1e-6 &&
    value >= limit('minimum', Number.NEGATIVE_INFINITY) &&
    value <= limit('maximum', Number.POSITIVE_INFINITY) &&
    value > limit('exclusiveMinimum', Number.NEGATIVE_INFINITY) &&
    value < limit('exclusiveMaximum', Number.POSITIVE_INFINITY)
  );
}

function isOfType({ type }: RawObject, value: unknown): boolean {
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type].flat().some((one) => one === own || (one === 'integer' && Number.isInteger(value)));
}

function list(value: unknown): readonly unknown[] {
  return (value ?? []) as readonly unknown[]; // checked by the meta-schema
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function atPointer(root: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce((value, token) => (value as RawObject)[token], root);
}
