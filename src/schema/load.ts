/**
 * Schema files to kinds. Reads the entry (or any plain schema) and, from local files only, all it refers to;
 * knows for every subschema in which file and at which pointer it stands. Nothing is fetched; nothing is compiled here.
 */

import { openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SchemaError } from '../errors.ts';
import { closeRead } from '../input/close.ts';
import { LineTracker } from '../json/lines.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import { INLINED } from './inlined.ts';
import { looksLikeSchema, noKeyword } from './known-keywords.ts';
import { isSchemaObject, type Schema, type SchemaObject, subschemasOf } from './subschemas.ts';

export { isSchemaObject, type Schema, type SchemaObject };

/** More levels of subschemas than this overflow the stack when Ajv compiles them. */
const MAX_LEVELS = 250;
/** More subschemas than this take minutes and gigabytes to compile. */
const MAX_SUBSCHEMAS = 100_000;
/** A schema file that is larger, in bytes, is not read. */
const MAX_BYTES = 16 << 20;

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
  /** The entry's `if`; null where there is only one kind and nothing to tell apart. */
  readonly test: { readonly schema: Schema; readonly uri: string } | null;
}

/** Schemas that are loaded: frozen, and the same for all that use them. */
export interface SchemaSet {
  /** The schema that was asked for. */
  readonly entry: SchemaDocument;
  readonly documents: readonly SchemaDocument[];
  readonly kinds: readonly Kind[];
  readonly dialect: Dialect;
  /** False: `format` says nothing about validity; absent: it is asserted. */
  readonly assertsFormats?: false;
  /** File and pointer of every subschema object, as `content-item.schema.json#/properties/minAge`. */
  readonly locations: ReadonlyMap<object, string>;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/**
 * Loads the schema in the file at `path` (absolute) and what it refers to. `known`: local files (absolute paths) that stand
 * for URIs (absolute, without fragment) which lead nowhere on this machine. Throws SchemaError.
 */
export function loadSchemas(path: string, known: ReadonlyMap<string, string> = new Map()): SchemaSet {
  return new Loader(dirname(path), known).load(path);
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

/** Freezes a JSON value: a set that is loaded is shared by all that judge by it. */
function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeAll(inner);
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
  #dialect: Dialect = '2020-12';

  constructor(folder: string, known: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#known = known;
  }

  load(path: string): SchemaSet {
    const entry = this.#add(path, null);
    // What a reference leads to may hold others.
    for (let i = 0; i < this.#references.length; i++) {
      this.#follow(this.#references[i]!);
      this.#checkTarget(this.#references[i]!);
    }
    for (const { schema } of this.#documents) freezeAll(schema);
    return {
      entry,
      documents: this.#documents,
      kinds: this.#kinds(entry),
      dialect: this.#dialect,
      locations: this.#locations,
    };
  }

  #add(path: string, uri: string | null): SchemaDocument {
    const name = relative(this.#folder, path).replaceAll('\\', '/') || basename(path);
    const { schema: read, bytes } = readSchema(path, name);
    const own = isSchemaObject(read) && typeof read.$id === 'string' ? read.$id : '';
    const named = withoutFragment(new URL(own, uri ?? pathToFileURL(path)).href);
    // Ajv has the meta-schemas: a copy goes by the name of its file.
    const base = isMetaSchema(named) ? pathToFileURL(path).href : named;
    const schema = isSchemaObject(read) ? { ...read, $id: base } : read;
    const others = new Set([pathToFileURL(path).href, ...(uri === null ? [] : [uri])]);
    others.delete(base);
    const document: SchemaDocument = { path, name, uri: base, aliases: [...others], schema, bytes };
    // The first document says how all of them are read.
    if (this.#documents.length === 0) this.#dialect = dialectOf(document);
    this.#documents.push(document);
    for (const known of [base, ...others]) this.#byUri.set(known, document);
    this.#walk(document, schema, '', base);
    return document;
  }

  /** Notes where every subschema stands, and every reference in it. */
  #walk(document: SchemaDocument, schema: unknown, pointer: string, base: string, levels = 0): void {
    if (!isSchemaObject(schema)) return;
    const place = `${document.name}#${pointer}`;
    this.#locations.set(schema, place);
    if (levels > MAX_LEVELS)
      throw new SchemaError(`${place}: subschemas are nested deeper than ${MAX_LEVELS} levels`);
    if (this.#locations.size > MAX_SUBSCHEMAS) {
      throw new SchemaError(`${place}: there are more than ${MAX_SUBSCHEMAS} subschemas`);
    }
    if (pointer !== '' && typeof schema.$id === 'string' && !schema.$id.startsWith('#')) {
      base = new URL(schema.$id, base).href;
      if (isMetaSchema(base)) {
        // A copy of a meta-schema, which Ajv has under that name: it gets another one.
        base = `${withoutFragment(base)}?copy=${this.#embedded.size}`;
        Object.assign(schema, { $id: base }); // read for this run alone
      }
      this.#embedded.set(withoutFragment(base), schema);
    }
    if (typeof schema.$ref === 'string') {
      // By draft-07 it is ignored, as all that is beside a "$ref"; Ajv ignores all but the type.
      if (this.#dialect === 'draft-07') delete (schema as { type?: unknown }).type; // read for this run alone
      this.#references.push({ from: document, pointer: `${pointer}/$ref`, text: schema.$ref, base });
    }
    for (const [tokens, inner] of subschemasOf(schema)) {
      this.#walk(document, inner, pointer + formatPointer(tokens), base, levels + 1);
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
    const document = this.#byUri.get(uri);
    const fragment = fragmentOf(new URL(reference.text, reference.base).href);
    const { from, pointer, text } = reference;
    if (fragment === null)
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" is not a URI reference`);
    const root = document?.schema ?? this.#embedded.get(uri);
    if (root === undefined || (fragment !== '' && !fragment.startsWith('/'))) return;
    const target = atPointer(root, fragment);
    if (target === undefined) {
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" leads to nothing`);
    }
    // A subschema that stands where no keyword of JSON Schema leads.
    const isNew = isSchemaObject(target) && !this.#locations.has(target);
    if (isNew && document !== undefined) this.#walk(document, target, fragment, document.uri);
  }

  #resolve({ from, pointer, text, base }: Reference): string {
    try {
      return withoutFragment(new URL(text, base).href);
    } catch (cause) {
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" is not a URI reference`, { cause });
    }
  }

  #kinds(entry: SchemaDocument): Kind[] {
    const branches = entryBranches(entry.schema);
    if (branches.length === 0) {
      return [{ name: stem(entry.path), document: entry, uri: entry.uri, schema: entry.schema, test: null }];
    }
    const kinds = branches.map((branch): Kind => {
      const uri = new URL(branch.ref, entry.uri).href;
      const document = this.#byUri.get(withoutFragment(uri)) ?? entry;
      const schema = atPointer(document.schema, fragmentOf(uri) ?? '') as Schema; // checkTarget has seen it
      const test = { schema: branch.test, uri: `${entry.uri}#${branch.pointer}` };
      return { name: branch.title ?? stem(document.path), document, uri, schema, test };
    });
    const names = kinds.map((kind) => kind.name);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined)
      throw new SchemaError(`${entry.name}: two kinds are called "${twice}"; give each "then" a title`);
    return kinds;
  }
}

interface Branch {
  readonly test: Schema;
  /** Of the `if`, in the entry. */
  readonly pointer: string;
  readonly ref: string;
  readonly title: string | null;
}

/**
 * The `if`/`then`/`else` chain of a entry; empty for a schema that is none. A entry ends with `"else": false`, says nothing
 * else on its way, and each `then` is a `$ref` alone: only so do its kinds judge a payload as the whole schema would.
 */
function entryBranches(schema: unknown): Branch[] {
  const branches: Branch[] = [];
  let pointer = '';
  let link = schema;
  for (; isSchemaObject(link) && isSchemaObject(link.then); link = link.else) {
    const allowed = pointer === '' ? ENTRY_KEYWORDS : LINK_KEYWORDS;
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
const ENTRY_KEYWORDS = new Set([...LINK_KEYWORDS, '$schema', '$id', '$defs', 'definitions']);

/**
 * Has a member called `__proto__` judged: Ajv ignores that name in `properties` and that pattern in `patternProperties`, but not another
 * pattern that matches the same.
 */
function judgeProto(schema: SchemaObject): void {
  const patterns = isSchemaObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const members = isSchemaObject(schema.properties) ? Object.entries(schema.properties) : [];
  const renamed: [string, unknown][] = patterns.map(([pattern, value]) => [
    pattern === '__proto__' ? '(?:__proto__)' : pattern,
    value,
  ]);
  for (const [name, member] of members) if (name === '__proto__') renamed.push(['^(?:__proto__)$', member]);
  const changed =
    renamed.length > patterns.length || renamed.some(([pattern], i) => pattern !== patterns[i]![0]);
  if (changed) Object.assign(schema, { patternProperties: Object.fromEntries(renamed) });
}

/** All of a file, or of a pipe as `<(jq …)` makes one, unless it is larger than `most` bytes or has no end. Throws an Error. */
function readLimited(path: string, most: number): Buffer {
  // To open a device may already block.
  const stats = statSync(path);
  if (stats.isDirectory()) throw new Error('it is a directory');
  if (!stats.isFile() && !stats.isFIFO()) throw new Error('it is neither a file nor a pipe');
  const fd = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = Buffer.alloc(1 << 16);
      const count = readSync(fd, chunk);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      size += count;
      if (size > most) throw new Error(`it is larger than ${most >> 20} MiB`);
    }
  } finally {
    closeRead(fd);
  }
}

/** The text of a schema that comes with paylint, if the program has it. */
function inlined(path: string): Buffer | null {
  const name = basename(path);
  const text = path === bundledSchema(name) ? INLINED.get(name) : undefined;
  return text === undefined ? null : Buffer.from(text);
}

function readSchema(path: string, name: string): { schema: Schema; bytes: Buffer } {
  let bytes: Buffer;
  try {
    bytes = inlined(path) ?? readLimited(path, MAX_BYTES);
  } catch (cause) {
    const why = isMissingFile(cause) ? 'no such file' : (cause as Error).message; // fs throws Errors, and so do we
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

function dialectOf(entry: SchemaDocument): Dialect {
  const named = isSchemaObject(entry.schema) ? entry.schema.$schema : undefined;
  if (named === undefined) return '2020-12';
  const dialect = typeof named === 'string' ? DIALECTS[withoutFragment(named)] : undefined;
  if (dialect !== undefined) return dialect;
  if (!looksLikeSchema(door.schema)) throw noKeyword(door.name);
  throw new SchemaError(
    `${entry.name}#/$schema: ${JSON.stringify(named)} is not supported; paylint knows draft-07, 2019-09 and 2020-12`,
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

/** Decoded; null for one that is not percent-encoded as RFC 3986 has it. */
function fragmentOf(uri: string): string | null {
  const hash = uri.indexOf('#');
  try {
    return hash < 0 ? '' : decodeURIComponent(uri.slice(hash + 1));
  } catch {
    return null;
  }
}
