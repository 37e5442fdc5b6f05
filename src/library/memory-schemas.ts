/**
 * Schemas that the caller gives as values become files in memory, so all that reads schemas reads them. A value must
 * be what a file could hold: plain JSON. Anything else would be written as `{}`, by which everything is valid: a
 * promise, a Map, a schema of a validation library itself.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SchemaError, UsageError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { KnownRef } from '../schema/known.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { fileUri, resolveUri } from '../schema/uri.ts';
import { schemaAt } from '../source/path-text.ts';
import { visible } from '../words/escape.ts';
import type { GivenKind, GivenSchema, GivenSchemaValue, PaylintOptions } from './api.ts';

/** No file is in this folder. */
const FOLDER = resolve('/', '<memory>');

/**
 * The options that name schemas, as absolute paths; those given as values are files in memory. `path`: of the entry
 * schema, null: none is given; `more`: of kinds that are not detected; `refTexts`: as `--ref` takes them. Throws UsageError
 * for values that are no schemas, and SchemaError for those that JSON cannot write. See `schemaText`.
 */
export function namedSchemas({ schema, schemas, refs = [], kind }: PaylintOptions) {
  if (schema !== undefined && schemas !== undefined)
    throw new UsageError('schema and schemas do not go together; name the schema in schemas');
  const memory = new Memory();
  const path = schema === undefined ? null : memory.pathOf(schema, '', 'schema');
  const named = schemas === undefined ? { path, more: [] } : memory.kinds(schemas, kind);
  return { ...named, ...memory.refs(refs), memory: memory.options };
}

class Memory {
  readonly #files = new Map<string, Uint8Array>();
  readonly #called = new Map<string, string>();

  get options(): Pick<ResourceOptions, 'files' | 'called'> {
    return this.#files.size === 0 ? {} : { files: this.#files, called: this.#called };
  }

  /** The path of a schema. `name`: of one that is a value, in places; `option`: the name of the argument. */
  pathOf(schema: GivenSchema, name: string, option: string): string {
    if (typeof schema === 'string')
      return /^file:|^[a-z][a-z+.-]+:\/\//i.test(schema) && URL.canParse(schema)
        ? localPath(new URL(schema), option)
        : schemaAt(schema, resolve());
    if (schema instanceof URL) return localPath(schema, option);
    return this.#add(name, schema, option);
  }

  #add(name: string, schema: unknown, option: string): string {
    const text = schemaText(schema, option);
    const path = join(FOLDER, name === '' ? 'schema' : encodeURIComponent(name));
    this.#files.set(path, Buffer.from(text));
    this.#called.set(path, name);
    return path;
  }

  /** An entry schema for kinds that are told apart by `when`, or the schema of the kind that is given, and the others. */
  kinds(schemas: Readonly<Record<string, GivenKind>>, kind: string | undefined) {
    if (!isJsonObject(schemas) || Object.keys(schemas).length === 0)
      throw new UsageError('schemas: expected an object with a schema for each kind');
    const kinds = Object.entries(schemas).map(([name, given]) => {
      const { schema, when } = isTested(given) ? given : { schema: given, when: undefined };
      return { name, when, path: this.pathOf(schema, name, `schemas.${name}`) };
    });
    const plain = kinds.find(({ when }) => when === undefined);
    const own = kinds.find(({ name }) => name === kind);
    if (plain === undefined) return { path: this.#entry(kinds), more: [] };
    if (own === undefined)
      throw new UsageError(
        `schemas.${plain.name} has no "when" that tells its payloads apart: give the kind, such as { kind: ${JSON.stringify(plain.name)} }`,
      );
    return { path: own.path, more: kinds.flatMap((one) => (one === own ? [] : [one.path])) };
  }

  #entry(kinds: readonly { readonly name: string; readonly when: unknown; readonly path: string }[]): string {
    const chain = kinds.reduceRight<unknown>(
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      (rest, { name, when, path }) => ({ if: when, then: { $ref: fileUri(path), title: name }, else: rest }),
      false,
    );
    return this.#add('schemas', chain, 'schemas');
  }

  /** A list of paths and schemas, which have an `$id`; or an object with a path or a schema for each URI. */
  refs(given: NonNullable<PaylintOptions['refs']>) {
    if (typeof given !== 'object')
      throw new UsageError('refs: expected a list of paths and schemas, or an object with one for each URI');
    const entries: [string | null, unknown][] = Array.isArray(given)
      ? given.map((one) => [null, one])
      : Object.entries(given);
    const refTexts: string[] = [];
    const refs: KnownRef[] = [];
    for (const [uri, one] of entries) {
      if (typeof one === 'string') refTexts.push(uri === null ? one : `${uri}=${one}`);
      else refs.push(this.#ref(uri, one));
    }
    return { refTexts, refs };
  }

  #ref(uri: string | null, schema: unknown): KnownRef {
    const named = uri ?? (isJsonObject(schema) ? (schema.$id ?? schema.id) : undefined);
    if (typeof named !== 'string')
      throw new UsageError(
        'refs: expected paths, and schemas with an "$id"; { "URI": schema } says what a URI leads to',
      );
    const name = named.replace(/#$/, '');
    const path = this.#add(name, schema, 'refs');
    // A name such as that of a shared schema of Fastify is relative to the schemas that are given as values.
    return { uri: resolveUri(name, fileUri(join(FOLDER, 'schema')))?.base ?? name, path, isFolder: false };
  }
}

function isTested(given: GivenKind): given is { readonly schema: GivenSchema; readonly when: GivenSchemaValue } {
  return isJsonObject(given) && 'schema' in given && 'when' in given;
}

function localPath(url: URL, option: string): string {
  if (url.protocol !== 'file:')
    throw new UsageError(
      `${option}: only local files are read, nothing is fetched from a network: ${visible(url.href)}`,
    );
  return fileURLToPath(url);
}

/** The JSON text of a schema. `option`: what messages call it. Throws UsageError and SchemaError. */
function schemaText(schema: unknown, option: string): string {
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
