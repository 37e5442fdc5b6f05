/**
 * A schema that a caller gives as a value must be what a file could hold: plain JSON. Anything else would be written as
 * `{}`, by which everything is valid: a promise, a Map, a schema of a validation library itself.
 */
import { SchemaError, UsageError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';

/** The JSON text of a schema. `option`: what messages call it. Throws UsageError and SchemaError. */
export function schemaText(schema: unknown, option: string): string {
  if (typeof schema === 'boolean') return String(schema);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new UsageError(`${option}: expected a path, a URL, or a schema as an object, true or false`);
  const found = otherLibrary(schema) ?? notPlain(schema, '', []);
  if (found !== null) throw new UsageError(`${option}: ${found}`);
  try {
    return JSON.stringify(schema);
  } catch (cause) {
    throw new SchemaError(`${option}: JSON cannot write this schema: ${(cause as Error).message}`, { cause });
  }
}

/** By the name of the library, as `~standard` gives it: what makes a JSON Schema of its schemas. */
const CONVERTERS: Readonly<Record<string, string>> = {
  zod: 'z.toJSONSchema(schema)',
  valibot: 'toJsonSchema(schema) of @valibot/to-json-schema',
  arktype: 'schema.toJsonSchema()',
};

/** What to do with a schema of another library; null: it is none. */
function otherLibrary(schema: object): string | null {
  const standard = isOwn(schema, '~standard') || !isPlain(schema) ? read(schema, '~standard') : undefined;
  const isSchema =
    standard !== undefined || ['parse', 'validate'].some((name) => typeof read(schema, name) === 'function');
  if (!isSchema) return null;
  const vendor = read(standard, 'vendor');
  const converter = typeof vendor === 'string' && Object.hasOwn(CONVERTERS, vendor) ? CONVERTERS[vendor] : undefined;
  const way = converter ?? 'the function with which its library makes one';
  return `this is a schema of another library, not a JSON Schema: give its JSON Schema, ${converter === undefined ? `from ${way}` : `which is ${way}`}`;
}

/** Why a value is not plain JSON, with its place; null: it is. `above`: the objects around it. */
function notPlain(value: unknown, place: string, above: readonly object[]): string | null {
  const found = (what: string): string => `expected plain JSON, found ${what}${place === '' ? '' : ` at ${place}`}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return found(String(value));
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return null;
  if (typeof value !== 'object') return found(value === undefined ? 'undefined' : `a ${typeof value}`);
  if (above.includes(value)) throw new SchemaError(`JSON cannot write this schema: it is inside of itself at ${place}`);
  const around = [...above, value];
  if (Array.isArray(value)) return first(value, (item, i) => notPlain(item, `${place}/${i}`, around));
  if (Object.prototype.toString.call(value) === '[object Module]')
    return found('a module: its schema may be its member default');
  if (!isPlain(value)) return found(nameOf(value));
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return first(members, ([name, inner]) => notPlain(inner, `${place}/${escapeToken(name)}`, around));
}

function first<Item>(items: readonly Item[], fault: (item: Item, index: number) => string | null): string | null {
  for (const [i, item] of items.entries()) {
    const found = fault(item, i);
    if (found !== null) return found;
  }
  return null;
}

/** Whether it is an object as literals and JSON.parse make them, of this realm or of another one. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

/** `a Promise`, `an Error` */
function nameOf(value: object): string {
  const name = (value.constructor as { readonly name?: unknown } | undefined)?.name;
  if (typeof name !== 'string' || name === '') return 'an object of a class';
  return `${/^[AEIOU]/i.test(name) ? 'an' : 'a'} ${name}${name === 'Promise' ? ': await it' : ''}`;
}

function isOwn(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name);
}

function read(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}
