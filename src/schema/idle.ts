/**
 * Keywords that mean something only beside another keyword, which a schema does not have: there they assert nothing.
 */
import { quote } from '../words/escape.ts';
import type { RawObject } from './document.ts';

/** By keyword: what is missing beside it, as the end of a sentence; null: nothing is. */
type Missing = (schema: RawObject) => string | null;

const needs =
  (...names: readonly string[]): Missing =>
  (schema) =>
    names.some((name) => schema[name] !== undefined)
      ? null
      : `without ${names.map((name) => quote(name)).join(' or ')}`;

/** A keyword for what another one leaves over: it leaves nothing, unless it is `false`, which allows nothing either. */
const nothingAfter =
  (name: string, what: string): Missing =>
  (schema) => {
    const other = schema[name];
    return other === undefined || other === false || Array.isArray(other)
      ? null
      : `beside ${quote(name)}, which leaves no ${what} over`;
  };

const MISSING: Readonly<Record<string, Missing>> = {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: needs('if'),
  else: needs('if'),
  if: needs('then', 'else'),
  minContains: needs('contains'),
  maxContains: needs('contains'),
  additionalItems: ({ items }) => (Array.isArray(items) ? null : 'without a list of schemas in "items"'),
  unevaluatedItems: nothingAfter('items', 'item'),
  unevaluatedProperties: nothingAfter('additionalProperties', 'member'),
};

/**
 * Why the keyword called `name`, which the draft of the schema has, asserts nothing there; null: it does, or is `true`.
 * `hasUnevaluated`: `unevaluatedProperties` or `unevaluatedItems` is somewhere in the schemas: they ask `if` by itself, too.
 */
export function idleFault(name: string, schema: RawObject, hasUnevaluated: boolean): string | null {
  if (!Object.hasOwn(MISSING, name) || schema[name] === true) return null;
  if (name === 'if' && hasUnevaluated) return null;
  const missing = MISSING[name]!(schema);
  return missing === null ? null : `${quote(name)} asserts nothing ${missing}`;
}
