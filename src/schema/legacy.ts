/**
 * Schema files to kinds. Reads the entry schema (or any plain schema) and all local files it refers to. It knows the
 * file and the pointer of every subschema. Nothing is fetched, and nothing is compiled here.
 */

import { isUtf8 } from 'node:buffer';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SchemaError } from '../errors.ts';
import { readFileOrPipe } from '../input/read-limited.ts';
import { wordsFor } from '../input/system-errors.ts';
import { atPointer, formatPointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { memberCount } from '../json/unique-names.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { bundledSchema } from '../package.ts';
import { jsonFault } from '../words/json-fault.ts';
import { INLINED } from './inlined.ts';
import { looksLikeSchema, noKeyword } from './known-keywords.ts';
import { rejectsTheRest } from './no-kind.ts';
import { isSchemaObject, type Schema, type SchemaObject, subschemasOf } from './subschemas.ts';

export { isSchemaObject, type Schema, type SchemaObject };

/** With more levels of subschemas, the stack overflows when Ajv compiles them. */
const MAX_LEVELS = 250;
/** More subschemas take minutes and gigabytes to compile. */
const MAX_SUBSCHEMAS = 100_000;
/** The largest schema file that is read, in bytes. */
const MAX_BYTES = 16 << 20;

/** The drafts that `$schema` may name. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

export interface LegacyDocument {
  /** Absolute path of the file. */
  readonly path: string;
  /** How reports name it: relative to the folder of the schema that was asked for. */
  readonly name: string;
  /** Absolute base URI, without fragment. */
  readonly uri: string;
  /** Other URIs that lead to it: that of its file, and the one that a reference used, if its `$id` differs from both. */
  readonly aliases: readonly string[];
  /**
   * As in the file, except for the `$id` of its root, which is the absolute URI, and for members called `__proto__`.
   */
  readonly schema: Schema;
  /** The file's text, without a byte order mark. */
  readonly bytes: Buffer;
  /** The members of all objects in the file, as JSON.parse reads it: there are more in the text if a name is twice. */
  readonly memberCount: number;
}

export interface LegacyKind {
  readonly name: string;
  readonly document: LegacyDocument;
  /** What to compile: the document's URI, with a fragment if the kind is a part of it. */
  readonly uri: string;
  /** The subschema itself. */
  readonly schema: Schema;
  /** The entry schema's `if`; null if there is only one kind. */
  readonly test: { readonly schema: Schema; readonly uri: string } | null;
}

/** Loaded schemas: frozen and shared. */
export interface LegacySet {
  /** The entry schema: the schema that the caller named. */
  readonly entry: LegacyDocument;
  readonly documents: readonly LegacyDocument[];
  readonly kinds: readonly LegacyKind[];
  readonly dialect: Dialect;
  /** False: `format` does not affect validity; absent: it is asserted. */
  readonly assertsFormats?: false;
  /** File and pointer of every subschema object, as `content-item.schema.json#/properties/minAge`. */
  readonly locations: ReadonlyMap<object, string>;
  readonly identifiers: Identifiers;
}

/** What `$id`, `$anchor` and `$dynamicAnchor` inside of documents say. */
export interface Identifiers {
  /** The base URI, without fragment, of subschemas for which it is not that of their document. */
  readonly bases: ReadonlyMap<object, string>;
  /** By absolute URI: a subschema with an `$id`; or, with a name as fragment, one with an anchor. */
  readonly targets: ReadonlyMap<string, Schema>;
  /** By name: the schemas with this `$dynamicAnchor`. */
  readonly dynamic: ReadonlyMap<string, readonly Schema[]>;
}

/** For a set without such keywords. */

/** The URI of the meta-schema of each draft, without fragment. */
export const META_SCHEMAS: Readonly<Record<Dialect, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};
const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  Object.entries(META_SCHEMAS).map(([dialect, uri]) => [uri, dialect as Dialect]),
);

/**
 * Loads the schema in the file at `path` (absolute) and the files it refers to. `known`: local files (absolute paths)
 * for URIs (absolute, without fragment) that cannot be read otherwise. Throws SchemaError.
 */
export function loadLegacy(
  path: string,
  known: ReadonlyMap<string, string> = new Map(),
  files: ReadonlyMap<string, Buffer> = new Map(),
): LegacySet {
  return new Loader(dirname(path), known, files).load(path);
}

/** True if a subschema of the set has the keyword. */
export function usesLegacyKeyword(keyword: string, { locations }: LegacySet): boolean {
  return [...locations.keys()].some((schema) => Object.hasOwn(schema, keyword));
}

/** A reference to a place in the same file, without characters that URIs write in another way. */
export const PLAIN_FRAGMENT = /^#(?:\/[\w$.~-]*)*$/;

/** A `$ref` that is not resolved yet. */
interface Reference {
  readonly from: LegacyDocument;
  readonly pointer: string;
  readonly text: string;
  readonly base: string;
}

/** Freezes a JSON value: a loaded set is shared by all of its users. */
function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeAll(inner);
}

/** Where a subschema is. */
interface Position {
  /** From the root of its document. */
  readonly pointer: string;
  /** The base URI there. */
  readonly base: string;
  /** Number of subschemas around it. */
  readonly levels: number;
}

class Loader {
  readonly #folder: string;
  readonly #known: ReadonlyMap<string, string>;
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #documents: LegacyDocument[] = [];
  readonly #byUri = new Map<string, LegacyDocument>();
  /** Subschemas with an `$id` of their own, by base URI. */
  readonly #embedded = new Map<string, Schema>();
  readonly #locations = new Map<object, string>();
  readonly #bases = new Map<object, string>();
  readonly #targets = new Map<string, Schema>();
  readonly #dynamic = new Map<string, Schema[]>();
  readonly #references: Reference[] = [];
  #dialect: Dialect = '2020-12';

  constructor(folder: string, known: ReadonlyMap<string, string>, files: ReadonlyMap<string, Buffer>) {
    this.#files = files;
    this.#folder = folder;
    this.#known = known;
  }

  load(path: string): LegacySet {
    const entry = this.#add(path, null);
    // The file that a reference leads to may have more references.
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
      identifiers: { bases: this.#bases, targets: this.#targets, dynamic: this.#dynamic },
    };
  }

  #add(path: string, uri: string | null): LegacyDocument {
    const name = relative(this.#folder, path).replaceAll('\\', '/') || basename(path);
    const { schema: read, ...content } = readSchema(path, name, this.#files.get(path));
    const own = isSchemaObject(read) && typeof read.$id === 'string' ? read.$id : '';
    const named = withoutFragment(absolute(own, uri ?? pathToFileURL(path).href, `${name}#`));
    // Ajv has the meta-schemas, so a copy is known by the URI of its file.
    const base = isMetaSchema(named) ? pathToFileURL(path).href : named;
    const schema = isSchemaObject(read) ? { ...read, $id: base } : read;
    const others = new Set([pathToFileURL(path).href, ...(uri === null ? [] : [uri])]);
    others.delete(base);
    const document: LegacyDocument = { path, name, uri: base, aliases: [...others], schema, ...content };
    // The first document decides the dialect of all of them.
    if (this.#documents.length === 0) this.#dialect = dialectOf(document);
    this.#documents.push(document);
    for (const known of [base, ...others]) this.#byUri.set(known, document);
    this.#walk(document, schema, { pointer: '', base, levels: 0 });
    return document;
  }

  /** Records the place of every subschema, and every reference in it. */
  #walk(document: LegacyDocument, schema: unknown, { pointer, base: outer, levels }: Position): void {
    if (!isSchemaObject(schema)) return;
    let base = outer;
    const place = `${document.name}#${pointer}`;
    this.#locations.set(schema, place);
    if (levels > MAX_LEVELS)
      throw new SchemaError(`${place}: subschemas are nested deeper than ${MAX_LEVELS} levels`);
    if (this.#locations.size > MAX_SUBSCHEMAS) {
      throw new SchemaError(`${place}: there are more than ${MAX_SUBSCHEMAS} subschemas`);
    }
    if (pointer !== '' && typeof schema.$id === 'string' && !schema.$id.startsWith('#')) {
      base = absolute(schema.$id, base, place);
      if (isMetaSchema(base)) {
        // A copy of a meta-schema, whose URI Ajv has already: it gets another one.
        base = `${withoutFragment(base)}?copy=${this.#embedded.size}`;
        Object.assign(schema, { $id: base }); // the object belongs to this run
      }
      base = withoutFragment(base);
      this.#embedded.set(base, schema);
      this.#targets.set(base, schema);
    }
    if (base !== document.uri) this.#bases.set(schema, base);
    this.#anchor(schema, base);
    if (typeof schema.$ref === 'string') {
      // Draft-07 ignores keywords beside "$ref". Ajv ignores all but `type`.
      if (this.#dialect === 'draft-07') delete (schema as { type?: unknown }).type; // the object belongs to this run
      this.#references.push({ from: document, pointer: `${pointer}/$ref`, text: schema.$ref, base });
    }
    for (const [tokens, inner] of subschemasOf(schema)) {
      this.#walk(document, inner, { pointer: pointer + formatPointer(tokens), base, levels: levels + 1 });
    }
    keepProto(schema);
  }

  /** Records the names that the schema has in its resource. In draft-07 an `$id` that is a fragment is one. */
  #anchor(schema: SchemaObject, base: string): void {
    const { $id, $anchor, $dynamicAnchor } = schema;
    if (typeof $id === 'string' && $id.startsWith('#') && $id.length > 1)
      this.#targets.set(`${base}${$id}`, schema);
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string') this.#targets.set(`${base}#${name}`, schema);
    if (typeof $dynamicAnchor !== 'string') return;
    const named = this.#dynamic.get($dynamicAnchor) ?? [];
    this.#dynamic.set($dynamicAnchor, [...named, schema]);
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
    const isPlain = PLAIN_FRAGMENT.test(reference.text);
    const fragment = fragmentOf(isPlain ? reference.text : new URL(reference.text, reference.base).href);
    const { from, pointer, text } = reference;
    if (fragment === null)
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" is not a URI reference`);
    const root = document?.schema ?? this.#embedded.get(uri);
    if (root === undefined || (fragment !== '' && !fragment.startsWith('/'))) return;
    const target = atPointer(root, fragment);
    if (target === undefined) {
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" leads to nothing`);
    }
    // A subschema at a place that no keyword of JSON Schema leads to.
    const isNew = isSchemaObject(target) && !this.#locations.has(target);
    if (isNew && document !== undefined)
      this.#walk(document, target, { pointer: fragment, base: document.uri, levels: 0 });
  }

  #resolve({ from, pointer, text, base }: Reference): string {
    if (PLAIN_FRAGMENT.test(text)) return base;
    try {
      return withoutFragment(new URL(text, base).href);
    } catch (cause) {
      throw new SchemaError(`${from.name}#${pointer}: the $ref "${text}" is not a URI reference`, { cause });
    }
  }

  #kinds(entry: LegacyDocument): LegacyKind[] {
    const branches = entryBranches(entry.schema);
    if (branches.length === 0) {
      return [{ name: stem(entry.path), document: entry, uri: entry.uri, schema: entry.schema, test: null }];
    }
    const kinds = branches.map((branch): LegacyKind => {
      const uri = new URL(branch.ref, entry.uri).href;
      const document = this.#byUri.get(withoutFragment(uri)) ?? entry;
      const schema = atPointer(document.schema, fragmentOf(uri) ?? '') as Schema; // checked by checkTarget
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
  /** Of the `if`, in the entry schema. */
  readonly pointer: string;
  readonly ref: string;
  readonly title: string | null;
}

/**
 * The branches of the `if`/`then`/`else` chain of an entry schema; empty if `schema` is not one. The chain ends with
 * an `else` that rejects the rest, has no other assertions, and each `then` is only a `$ref`. Otherwise the kinds could give other
 * results than the whole schema.
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
      test: link.if as Schema, // any value: the compiler checks it
      pointer: `${pointer}/if`,
      ref: $ref,
      title: typeof title === 'string' ? title : null,
    });
    pointer += '/else';
  }
  const tests = branches.map(({ test }) => test);
  return branches.length > 0 && rejectsTheRest(link, tests) ? branches : [];
}

const ANNOTATIONS = ['$comment', 'title', 'description', 'examples'];
const THEN_KEYWORDS = new Set([...ANNOTATIONS, '$ref']);
const LINK_KEYWORDS = new Set([...ANNOTATIONS, 'if', 'then', 'else']);
const ENTRY_KEYWORDS = new Set([...LINK_KEYWORDS, '$schema', '$id', '$defs', 'definitions']);

/**
 * Makes Ajv check a member called `__proto__`. Ajv ignores that name in `properties` and that pattern in
 * `patternProperties`, but not another pattern that matches the same.
 */
function keepProto(schema: SchemaObject): void {
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

/** The text of a bundled schema, if the program contains it. */
function inlined(path: string): Buffer | null {
  const name = basename(path);
  const text = path === bundledSchema(name) ? INLINED.get(name) : undefined;
  return text === undefined ? null : Buffer.from(text);
}

function readSchema(
  path: string,
  name: string,
  content?: Buffer,
): Pick<LegacyDocument, 'schema' | 'bytes' | 'memberCount'> {
  let bytes: Buffer;
  try {
    bytes = content ?? inlined(path) ?? readFileOrPipe(path, MAX_BYTES);
  } catch (cause) {
    throw new SchemaError(`cannot read the schema ${name}: ${wordsFor(cause)}`, { cause });
  }
  const start = byteOrderMark(bytes);
  const schema = parse(bytes, name);
  if (typeof schema === 'boolean' || isSchemaObject(schema))
    return { schema, bytes: bytes.subarray(start), memberCount: memberCount(schema) };
  throw new SchemaError(`the schema ${name} is not a JSON Schema: it must be an object, true or false`);
}

/** The bytes are scanned for the cause only if they are not JSON in UTF-8: that takes longer. */
function parse(bytes: Buffer, name: string): unknown {
  let error: unknown;
  try {
    if (isUtf8(bytes)) {
      const text = bytes.toString('utf8', byteOrderMark(bytes));
      const value: unknown = JSON.parse(text);
      if (/\d[eE]\+?0*\d{3}|\d{309}/.test(text)) refuseInfinity(bytes, name);
      return value;
    }
  } catch (cause) {
    error = cause;
  }
  if (error instanceof SchemaError) throw error;
  const fault = jsonFault(bytes);
  if (fault === null) throw error;
  const { line, column, sentence } = fault;
  throw new SchemaError(`the schema ${name}:${line}:${column}: ${sentence}`);
}

/** JavaScript reads a number beyond the range of a double as Infinity, for which the validators have no code. */
function refuseInfinity(bytes: Buffer, name: string): void {
  const { notes } = scan(bytes, byteOrderMark(bytes), bytes.length, Number.POSITIVE_INFINITY);
  const note = notes.find(({ rule }) => rule === 'number-out-of-range');
  if (note !== undefined)
    throw new SchemaError(`${name}#${note.pointer}: this number is beyond the range of a double`);
}

function dialectOf(entry: LegacyDocument): Dialect {
  const named = isSchemaObject(entry.schema) ? entry.schema.$schema : undefined;
  if (named === undefined) return '2020-12';
  const dialect = typeof named === 'string' ? DIALECTS.get(withoutFragment(named)) : undefined;
  if (dialect !== undefined) return dialect;
  if (!looksLikeSchema(entry.schema)) throw noKeyword(entry.name);
  throw new SchemaError(
    `${entry.name}#/$schema: ${JSON.stringify(named)} is not supported; paylint supports draft-07, 2019-09 and 2020-12`,
  );
}

/** The URI that the `$id` of the schema at `place` gives it. Throws SchemaError. */
function absolute($id: string, base: string, place: string): string {
  try {
    return new URL($id, base).href;
  } catch (cause) {
    throw new SchemaError(`${place}/$id: ${JSON.stringify($id)} is not a URI reference`, { cause });
  }
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

/** The decoded fragment; null if its percent-encoding is invalid (RFC 3986, section 2.1). */
function fragmentOf(uri: string): string | null {
  const hash = uri.indexOf('#');
  try {
    return hash < 0 ? '' : decodeURIComponent(uri.slice(hash + 1));
  } catch {
    return null;
  }
}
