/**
 * Schema files to kinds. Reads the door (or any plain schema) and, from local files only, all it refers to;
 * knows for every subschema in which file and at which pointer it stands. Nothing is fetched; nothing is compiled here.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LineTracker } from '../json/lines.ts';
import { escapeToken, parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { SchemaError } from './error.ts';

export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** The drafts that `$schema` may name. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

export interface SchemaDocument {
  /** Absolute path of the file. */
  readonly path: string;
  /** How reports name it: relative to the folder of the schema that was asked for. */
  readonly name: string;
  /** Absolute base URI, without fragment. */
  readonly uri: string;
  /** Other URIs that lead to it: that of its file and the one it was asked for by, where its `$id` gives it a third. */
  readonly aliases: readonly string[];
  /** As in the file, but for the `$id` of its root, which is the absolute URI, and for members called `__proto__`. */
  readonly schema: Schema;
  /** The file's text, after a byte order mark. */
  readonly bytes: Buffer;
}

export interface Kind {
  readonly name: string;
  readonly document: SchemaDocument;
  /** What to compile: the document's URI, with a fragment where the kind is a part of it. */
  readonly uri: string;
  /** The subschema itself. */
  readonly schema: Schema;
  /** The door's `if`; null where there is only one kind and nothing to tell apart. */
  readonly test: { readonly schema: Schema; readonly uri: string } | null;
}

export interface SchemaSet {
  /** The schema that was asked for. */
  readonly door: SchemaDocument;
  readonly documents: readonly SchemaDocument[];
  readonly kinds: readonly Kind[];
  readonly dialect: Dialect;
  /** File and pointer of every subschema object, as `content-item.schema.json#/properties/minAge`. */
  readonly locations: ReadonlyMap<object, string>;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/** Keywords whose value is data, in which a `$ref` means nothing. */
const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose value maps names to schemas. */
const MAP_KEYWORDS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Loads the schema in the file at `path` (absolute) and what it refers to. `known`: local files (absolute paths) that stand
 * for URIs (absolute, without fragment) which lead nowhere on this machine. Throws SchemaError.
 */
export function loadSchemas(path: string, known: ReadonlyMap<string, string> = new Map()): SchemaSet {
  return new Loader(dirname(path), known).load(path);
}

/** True for a schema that is an object, and so has keywords. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

/** True if a subschema of the set has the keyword. */
export function usesKeyword(keyword: string, { locations }: SchemaSet): boolean {
  return [...locations.keys()].some((schema) => Object.hasOwn(schema, keyword));
}

/** The value at `pointer` (RFC 6901) in `document`; undefined where there is none. */
export function atPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** A `$ref` on its way to being resolved. */
interface Reference {
  readonly from: SchemaDocument;
  readonly pointer: string;
  readonly text: string;
  readonly base: string;
}

class Loader {
  readonly #folder: string;
  readonly #known: ReadonlyMap<string, string>;
  readonly #documents: SchemaDocument[] = [];
  readonly #byUri = new Map<string, SchemaDocument>();
  /** Base URIs that a subschema's `$id` sets. */
  readonly #embedded = new Map<string, Schema>();
  readonly #locations = new Map<object, string>();
  readonly #references: Reference[] = [];

  constructor(folder: string, known: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#known = known;
  }

  load(path: string): SchemaSet {
    const door = this.#add(path, null);
    for (let i = 0; i < this.#references.length; i++) this.#follow(this.#references[i]!);
    for (const reference of this.#references) this.#checkTarget(reference);
    const dialect = dialectOf(door);
    return {
      door,
      documents: this.#documents,
      kinds: this.#kinds(door),
      dialect,
      locations: this.#locations,
    };
  }

  #add(path: string, uri: string | null): SchemaDocument {
    const name = relative(this.#folder, path).replaceAll('\\', '/') || basename(path);
    const { schema: read, bytes } = readSchema(path, name);
    const own = isSchemaObject(read) && typeof read.$id === 'string' ? read.$id : '';
    const base = withoutFragment(new URL(own, uri ?? pathToFileURL(path)).href);
    const schema = isSchemaObject(read) ? { ...read, $id: base } : read;
    const others = new Set([pathToFileURL(path).href, ...(uri === null ? [] : [uri])]);
    others.delete(base);
    const document: SchemaDocument = { path, name, uri: base, aliases: [...others], schema, bytes };
    this.#documents.push(document);
    for (const known of [base, ...others]) this.#byUri.set(known, document);
    this.#walk(document, schema, '', base);
    return document;
  }

  /** Notes where every subschema stands, and every reference in it. */
  #walk(document: SchemaDocument, schema: unknown, pointer: string, base: string): void {
    if (!isSchemaObject(schema)) return;
    this.#locations.set(schema, `${document.name}#${pointer}`);
    if (pointer !== '' && typeof schema.$id === 'string' && !schema.$id.startsWith('#')) {
      base = new URL(schema.$id, base).href;
      this.#embedded.set(withoutFragment(base), schema);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${pointer}/${escapeToken(keyword)}`;
      if (keyword === '$ref' && typeof value === 'string') {
        this.#references.push({ from: document, pointer: at, text: value, base });
      } else if (Array.isArray(value)) {
        if (DATA_KEYWORDS.has(keyword)) continue;
        for (const [i, item] of value.entries()) this.#walk(document, item, `${at}/${i}`, base);
      } else if (isSchemaObject(value) && MAP_KEYWORDS.has(keyword)) {
        for (const [key, item] of Object.entries(value))
          this.#walk(document, item, `${at}/${escapeToken(key)}`, base);
      } else if (!DATA_KEYWORDS.has(keyword)) this.#walk(document, value, at, base);
    }
    judgeProto(schema);
  }

  /** Loads the file that a reference leads to, if it is not loaded yet. */
  #follow(reference: Reference): void {
    const { from, pointer, text, base } = reference;
    const uri = this.#resolve(reference);
    if (this.#byUri.has(uri) || this.#embedded.has(uri) || isMetaSchema(uri)) return;
    let path = this.#known.get(uri) ?? null;
    if (path === null && uri.startsWith('file:')) path = fileURLToPath(uri);
    else if (path === null && !URL.canParse(text) && !base.startsWith('file:'))
      path = resolve(dirname(from.path), withoutFragment(text));
    if (path === null) {
      const problem = `cannot follow the $ref "${text}": only local files are read, nothing is fetched from a network`;
      throw new SchemaError(`${from.name}#${pointer}: ${problem}`);
    }
    try {
      this.#add(path, uri);
    } catch (cause) {
      if (cause instanceof SchemaError && isMissingFile(cause.cause)) {
        throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" leads to no file`, { cause });
      }
      throw cause;
    }
  }

  /** A pointer fragment must lead somewhere; anchors are left to the compiler. */
  #checkTarget(reference: Reference): void {
    const uri = this.#resolve(reference);
    const document = this.#byUri.get(uri)?.schema ?? this.#embedded.get(uri);
    const fragment = fragmentOf(new URL(reference.text, reference.base).href);
    if (document === undefined || (fragment !== '' && !fragment.startsWith('/'))) return;
    if (atPointer(document, fragment) !== undefined) return;
    throw new SchemaError(
      `${reference.from.name}#${reference.pointer}: the $ref "${reference.text}" leads to nothing`,
    );
  }

  #resolve({ from, pointer, text, base }: Reference): string {
    try {
      return withoutFragment(new URL(text, base).href);
    } catch (cause) {
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" is not a URI reference`, { cause });
    }
  }

  #kinds(door: SchemaDocument): Kind[] {
    const branches = doorBranches(door.schema);
    if (branches.length === 0) {
      return [{ name: stem(door.path), document: door, uri: door.uri, schema: door.schema, test: null }];
    }
    const kinds = branches.map((branch): Kind => {
      const uri = new URL(branch.ref, door.uri).href;
      const document = this.#byUri.get(withoutFragment(uri)) ?? door;
      const schema = atPointer(document.schema, fragmentOf(uri)) as Schema; // checkTarget has seen it
      const test = { schema: branch.test, uri: `${door.uri}#${branch.pointer}` };
      return { name: branch.title ?? stem(document.path), document, uri, schema, test };
    });
    const names = kinds.map((kind) => kind.name);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined)
      throw new SchemaError(`${door.name}: two kinds are called "${twice}"; give each "then" a title`);
    return kinds;
  }
}

interface Branch {
  readonly test: Schema;
  /** Of the `if`, in the door. */
  readonly pointer: string;
  readonly ref: string;
  readonly title: string | null;
}

/**
 * The `if`/`then`/`else` chain of a door; empty for a schema that is none. A door ends with `"else": false`, says nothing
 * else on its way, and each `then` is a `$ref` alone: only so do its kinds judge a payload as the whole schema would.
 */
function doorBranches(schema: unknown): Branch[] {
  const branches: Branch[] = [];
  let pointer = '';
  let link = schema;
  for (; isSchemaObject(link) && isSchemaObject(link.then); link = link.else) {
    const allowed = pointer === '' ? DOOR_KEYWORDS : LINK_KEYWORDS;
    if (Object.keys(link).some((keyword) => !allowed.has(keyword))) return [];
    const { $ref, title } = link.then;
    if (link.if === undefined || typeof $ref !== 'string') return [];
    if (Object.keys(link.then).some((keyword) => !THEN_KEYWORDS.has(keyword))) return [];
    branches.push({
      test: link.if as Schema, // whatever it is, the compiler judges it
      pointer: `${pointer}/if`,
      ref: $ref,
      title: typeof title === 'string' ? title : null,
    });
    pointer += '/else';
  }
  return link === false ? branches : [];
}

const ANNOTATIONS = ['$comment', 'title', 'description', 'examples'];
const THEN_KEYWORDS = new Set([...ANNOTATIONS, '$ref']);
const LINK_KEYWORDS = new Set([...ANNOTATIONS, 'if', 'then', 'else']);
const DOOR_KEYWORDS = new Set([...LINK_KEYWORDS, '$schema', '$id', '$defs', 'definitions']);

/**
 * Has a member called `__proto__` judged: Ajv passes over that name in `properties`, but not where a pattern leads to it.
 */
function judgeProto(schema: SchemaObject): void {
  const { properties, patternProperties } = schema;
  if (!isSchemaObject(properties)) return;
  const member = Object.entries(properties).find(([name]) => name === '__proto__')?.[1];
  if (member === undefined) return;
  const others = isSchemaObject(patternProperties) ? patternProperties : {};
  Object.assign(schema, { patternProperties: { ...others, '^(?:__proto__)$': member } });
}

function readSchema(path: string, name: string): { schema: Schema; bytes: Buffer } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const why = isMissingFile(cause) ? 'no such file' : (cause as Error).message; // fs throws Errors
    throw new SchemaError(`cannot read the schema ${name}: ${why}`, { cause });
  }
  const start = byteOrderMark(bytes);
  const { fault } = scan(bytes, start, bytes.length, Number.POSITIVE_INFINITY);
  if (fault?.type === 'syntax') {
    const { line, column } = new LineTracker(start).places(bytes, 0, [fault.at]).get(fault.at)!;
    throw new SchemaError(
      `the schema ${name} is not JSON: expected ${fault.expected} at line ${line}, column ${column}`,
    );
  }
  const schema: unknown = JSON.parse(bytes.toString('utf8', start));
  if (typeof schema === 'boolean' || isSchemaObject(schema)) return { schema, bytes: bytes.subarray(start) };
  throw new SchemaError(`the schema ${name} is not a JSON Schema: it must be an object, true or false`);
}

function dialectOf(door: SchemaDocument): Dialect {
  const named = isSchemaObject(door.schema) ? door.schema.$schema : undefined;
  if (named === undefined) return '2020-12';
  const dialect = typeof named === 'string' ? DIALECTS[withoutFragment(named)] : undefined;
  if (dialect !== undefined) return dialect;
  throw new SchemaError(
    `${door.name}#/$schema: ${JSON.stringify(named)} is not supported; paylint knows draft-07, 2019-09 and 2020-12`,
  );
}

function isMetaSchema(uri: string): boolean {
  return /^https?:\/\/json-schema\.org\/draft/.test(uri);
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function stem(path: string): string {
  return basename(path).replace(/(\.schema)?\.json$/i, '');
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#');
  return hash < 0 ? uri : uri.slice(0, hash);
}

function fragmentOf(uri: string): string {
  const hash = uri.indexOf('#');
  return hash < 0 ? '' : decodeURIComponent(uri.slice(hash + 1));
}
