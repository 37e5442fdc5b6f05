/**
 * The schema objects of all files that a run needs, with their places and names: the resources, anchors and dynamic
 * anchors of JSON Schema 2020-12 core, section 8.2. Referenced files are read on demand; nothing is fetched. The form
 * of every keyword's value is checked.
 */

import { basename, dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SchemaError } from '../errors.ts';
import { withDecimals } from '../json/decimal.ts';
import { atPointer, escapeToken, parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { VocabularyName } from '../types.ts';
import { refusalOf } from './allowed.ts';
import { type RawObject, type RawSchema, readDocument, type SchemaDocument } from './document.ts';
import {
  BOOLEAN_BOUNDS,
  type Draft,
  type DraftKeyword,
  type DraftName,
  draftCalled,
  draftOf,
  type KeywordTable,
  NEWEST,
} from './drafts/index.ts';
import { metaSchemaAt } from './drafts/meta.ts';
import { formFault } from './forms.ts';
import { type KnownOptions, KnownSchemas } from './known.ts';
import { namedDraft } from './named-draft.ts';
import { olderForm } from './near-draft.ts';
import { localPath, parseUrl } from './uri.ts';
import { withDeclared } from './vocabularies.ts';

/** Deeper schemas are refused, because recursive functions read them. */
const MAX_LEVELS = 250;
/** More subschemas take seconds and gigabytes. */
const MAX_SUBSCHEMAS = 100_000;

/** A schema with a URI of its own, and what is in it. */
export interface Resource {
  /** Absolute, without fragment. */
  readonly uri: string;
  readonly root: RawSchema;
  readonly draft: Draft;
  /** Its keywords: those of its draft, without vocabularies that its meta-schema does not use. */
  readonly keywords: KeywordTable;
  /** The draft is not named anywhere, so it is the newest. */
  readonly isAssumed: boolean;
  readonly document: SchemaDocument;
  readonly anchors: Map<string, RawObject>;
  /** The dynamic anchors; that of `$recursiveAnchor` is called "". */
  readonly dynamic: Map<string, RawObject>;
}

/** Where a schema object is. */
export interface Place {
  readonly resource: Resource;
  /** From the root of its document (RFC 6901). */
  readonly pointer: string;
}

/** What a reference leads to. */
export interface Target {
  readonly schema: RawSchema;
  readonly resource: Resource;
  /** The name of the anchor that it was found by; null: by a pointer, or as a whole. */
  readonly anchor: string | null;
}

/** A keyword that refers to a schema. */
export interface Reference {
  readonly keyword: string;
  readonly text: string;
  /** File and pointer of the keyword, for messages. */
  readonly place: string;
}

function refused({ keyword, text, place }: Reference, why: string, cause?: unknown): SchemaError {
  return new SchemaError(`${place}: the ${keyword} ${JSON.stringify(text)} ${why}`, { cause });
}

export interface ResourceOptions extends KnownOptions {
  /** The draft of schemas without `$schema`; absent: that of the schema that refers to them, or the newest. */
  readonly draft?: DraftName;
  /** Those whose keywords count beside those of the draft. */
  readonly vocabularies?: readonly VocabularyName[];
  /** Absolute: the names of files in it are relative to it, unless they are in the folder of the entry schema. */
  readonly folder?: string;
  /** Absolute: all names of files are relative to it; absent: to the folder of the entry schema. */
  readonly names?: string;
  /** Absolute: a reference may lead only to regular files in these; absent: to any file. */
  readonly folders?: readonly string[];
}

/** A reference to a place in the same file, without characters that URIs encode. */
const PLAIN_FRAGMENT = /^#(?:\/[\w$.~-]*)*$/;

/** Bytes of schemas that take long to resolve. */
const LARGE = 1 << 16;

export class Resources {
  readonly documents: SchemaDocument[] = [];
  /** Meta-schemas that were read for their vocabularies. */
  readonly metas = new Map<string, SchemaDocument>();
  readonly places = new Map<object, Place>();
  readonly known: KnownSchemas;
  readonly #options: ResourceOptions;
  readonly #byUri = new Map<string, Resource>();
  readonly #folder: string;

  /** Of the files that were read. */
  #bytes = 0;
  readonly #beforeLarge: () => void;

  /** `folder`: files are named relative to it. `beforeLarge`: called once if the files together are large. */
  constructor(folder: string, options: ResourceOptions, beforeLarge: () => void = () => {}) {
    this.#folder = folder;
    this.#options = options;
    this.#beforeLarge = beforeLarge;
    this.known = new KnownSchemas(options);
  }

  /** The schema of the file at `path` (absolute), which is read once. Throws SchemaError. */
  file(path: string): Resource {
    return this.#byUri.get(pathToFileURL(path).href) ?? this.add(path, null);
  }

  /**
   * Reads the file at `path` (absolute). `uri`: the URI that leads to it, in addition to its own `$id`; `from`: the
   * resource that refers to it; null: none. Throws SchemaError.
   */
  add(path: string, uri: string | null, from: Resource | null = null): Resource {
    const document = this.#read(path);
    this.documents.push(document);
    const file = pathToFileURL(path).href;
    const base = uri ?? file;
    const resource = this.#begin(document.schema, { document, base, from, place: `${document.name}#` });
    for (const one of [resource.uri, base, file]) if (!this.#byUri.has(one)) this.#byUri.set(one, resource);
    this.#scan(document.schema, { resource, pointer: '' }, 0);
    return resource;
  }

  /** The target of a reference in a schema of `from`. Throws SchemaError. */
  find(reference: Reference, from: Resource): Target {
    const { text } = reference;
    const url = PLAIN_FRAGMENT.test(text) ? null : parseUrl(text, from.uri);
    if (url?.canParse === false || url?.fragment === null) throw refused(reference, 'is not a URI reference');
    const resource = url === null ? from : this.#resourceAt(url.base, reference, from);
    const fragment = url === null ? text.slice(1) : url.fragment!; // checked above
    if (fragment === '') return { schema: resource.root, resource, anchor: null };
    if (!fragment.startsWith('/')) {
      const named = resource.anchors.get(fragment);
      if (named === undefined) throw refused(reference, 'leads to nothing');
      return { schema: named, resource, anchor: fragment };
    }
    const found = this.#follow(resource, parsePointer(fragment));
    if (found === null) throw refused(reference, 'leads to nothing');
    return { ...found, anchor: null };
  }

  /** The schema at a pointer in a resource, and the innermost resource around it; null if there is none. */
  #follow(start: Resource, tokens: readonly string[]): Omit<Target, 'anchor'> | null {
    let value: unknown = start.root;
    let at: Place = this.places.get(start.root as object) ?? { resource: start, pointer: '' };
    let pointer = at.pointer;
    for (const token of tokens) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return null;
      value = (value as RawObject)[token];
      pointer += `/${escapeToken(token)}`;
      at = (typeof value === 'object' && value !== null && this.places.get(value)) || at;
    }
    if (typeof value === 'boolean') return { schema: value, resource: at.resource };
    if (!isJsonObject(value)) return null;
    // A place that no keyword leads to.
    if (!this.places.has(value)) this.#scan(value, { resource: at.resource, pointer }, 0);
    return { schema: value, resource: this.places.get(value)!.resource };
  }

  #read(path: string): SchemaDocument {
    const content = this.#options.files?.get(path) ?? this.known.pipes.get(path);
    const document = readDocument(path, this.#nameOf(path), content);
    const before = this.#bytes;
    this.#bytes += document.bytes.length;
    if (before <= LARGE && this.#bytes > LARGE) this.#beforeLarge();
    return document;
  }

  /** Relative to the folder of the entry schema, or to the other folder if the file is only in that one. */
  #nameOf(path: string): string {
    const [name, other] = [this.#folder, this.#options.folder ?? this.#folder].map((folder) =>
      relative(folder, path).replaceAll('\\', '/'),
    ) as [string, string]; // as many as there are folders
    const isOther = name.startsWith('../') && !other.startsWith('../');
    const isFree = this.documents.every((document) => document.name !== other);
    return (isOther && isFree ? other : name) || basename(path);
  }

  /** `uri`: absolute, without fragment. */
  #resourceAt(uri: string, reference: Reference, from: Resource): Resource {
    const known = this.#byUri.get(uri);
    if (known !== undefined) return known;
    const given = this.known.at(uri) ?? metaSchemaAt(uri);
    if (given !== null) return this.#once(given, uri, from);
    const path = neighbour(uri, reference.text, from);
    const { folders, files } = this.#options;
    const isFree = path === null || folders === undefined || files?.has(path);
    const refusal = isFree ? null : refusalOf(path, folders);
    if (refusal !== null) throw refused(reference, refusal);
    let missing: unknown = null;
    try {
      if (path !== null) return this.#once(path, uri, from);
    } catch (cause) {
      if (!(cause instanceof SchemaError && isMissingFile(cause.cause))) throw cause;
      missing = cause;
    }
    const resource = this.#named(uri, reference, from);
    if (resource !== null) return resource;
    const more = this.#unread();
    const { keyword, text, place } = reference;
    if (path !== null) {
      const flag = '--ref FILE makes a schema known by its $id';
      throw refused(reference, `leads to no file: there is no ${path}; ${flag}${more}`, missing);
    }
    const problem = 'only local files are read, nothing is fetched from a network';
    const flag = `--ref ${uri}=FILE names a local file for it`;
    throw new SchemaError(
      `${place}: cannot follow the ${keyword} ${JSON.stringify(text)}: ${problem}; ${flag}${more}`,
    );
  }

  /** The file at `path`, which is read once. */
  #once(path: string, uri: string | null, from: Resource): Resource {
    const read = this.#byUri.get(pathToFileURL(path).href);
    if (read === undefined) return this.add(path, uri, from);
    if (uri !== null) this.#byUri.set(uri, read);
    return read;
  }

  /** The schema that the caller made known by its `$id`. */
  #named(uri: string, { text }: Reference, from: Resource): Resource | null {
    const file = this.known.named(uri, text);
    if (file === null) return null;
    const root = this.#once(file.path, null, from);
    if (file.isRoot) this.#byUri.set(uri, root);
    return this.#byUri.get(uri) ?? null;
  }

  /** The files that could not be searched, as the end of a message. */
  #unread(): string {
    const [first, ...others] = this.known.unread.map((path) => relative(this.#folder, path));
    if (first === undefined) return '';
    const count = others.length === 0 ? '' : ` and ${others.length} more`;
    return `; ${first}${count} could not be read as a schema`;
  }

  /** The resource whose root is `schema`. */
  #begin(schema: RawSchema, { document, base, outer = null, from = null, place }: Beginning): Resource {
    const given = this.#options.draft === undefined ? null : draftCalled(this.#options.draft);
    const inherited = outer?.draft ?? given ?? from?.draft ?? NEWEST;
    const named = isJsonObject(schema)
      ? namedDraft(schema, { place, inherited }, (uri) => this.#metaAt(uri))
      : null;
    const { draft, keywords: standard } = named ?? {
      draft: inherited,
      keywords: outer?.keywords ?? inherited.keywords,
    };
    const keywords = withDeclared(standard, this.#options.vocabularies);
    const isAssumed = named === null && (outer?.isAssumed ?? (given === null && from?.isAssumed !== false));
    const fault = formFault('schema', schema, draft);
    if (fault !== null) throw new SchemaError(`${place}: ${fault.text}`);
    const id = ownUri(schema, draft);
    const { canParse, base: uri } = parseUrl(id ?? '', base);
    if (!canParse)
      throw new SchemaError(`${place}/${draft.id}: ${JSON.stringify(id)} is not a URI reference`);
    const names = { anchors: new Map(), dynamic: new Map() };
    return { uri, root: schema, draft, keywords, isAssumed, document, ...names };
  }

  /** The caller's own meta-schema at `uri`; null: there is none. */
  #metaAt(uri: string): SchemaDocument | null {
    const path = this.known.at(uri) ?? this.known.named(uri, uri)?.path ?? null;
    if (path === null) return null;
    const meta = this.metas.get(path) ?? this.#read(path);
    this.metas.set(path, meta);
    return meta;
  }

  /** Records the places and names in `schema`, which is in the resource of `at`. */
  #scan(schema: unknown, at: Place, levels: number): void {
    if (!isJsonObject(schema) || this.places.has(schema)) return;
    if (levels > MAX_LEVELS)
      throw new SchemaError(`${nameOf(at)}: subschemas are nested deeper than ${MAX_LEVELS} levels`);
    if (this.places.size >= MAX_SUBSCHEMAS)
      throw new SchemaError(`${nameOf(at)}: there are more than ${MAX_SUBSCHEMAS} subschemas`);
    const resource = this.#resourceOf(schema, at);
    const { keywords } = resource;
    this.places.set(schema, resource === at.resource ? at : { resource, pointer: at.pointer });
    nameAnchors(schema, { resource, pointer: at.pointer });
    for (const keyword of Object.keys(schema)) {
      const row = Object.hasOwn(keywords, keyword) ? keywords[keyword]! : null;
      if (row === null) continue;
      const value = schema[keyword];
      // An annotation does not change a verdict: it is left out, with a warning.
      if (row.role !== 'annotation') checkForm(keyword, value, row, { resource, pointer: at.pointer });
      for (const [pointer, inner] of subschemasIn(row, value))
        this.#scan(inner, { resource, pointer: `${at.pointer}/${keyword}${pointer}` }, levels + 1);
    }
    if (resource.draft.hasBooleanBounds) checkBounds(schema, at);
  }

  /** The resource that `schema` belongs to: that of the schema around it, or one that begins here. */
  #resourceOf(schema: RawObject, at: Place): Resource {
    const { resource: outer, pointer } = at;
    if (outer.root === schema) return outer;
    const named = typeof schema.$schema === 'string' ? (draftOf(schema.$schema) ?? outer.draft) : outer.draft;
    if (ownUri(schema, named) === null) return outer;
    const { document, uri: base } = outer;
    const place = nameOf(at);
    const resource = this.#begin(schema, { document, base, outer, place });
    const same = this.#byUri.get(resource.uri);
    if (same === undefined) this.#byUri.set(resource.uri, resource);
    else if (same.root !== schema && pointer !== '')
      throw new SchemaError(`${place}: another schema is called ${JSON.stringify(resource.uri)}, too`);
    return resource;
  }
}

/** Throws SchemaError if the value of a keyword has not the form that the draft demands. */
function checkForm(keyword: string, value: unknown, { form }: DraftKeyword, at: Place): void {
  const { draft, isAssumed } = at.resource;
  const hasNumbers = typeof value === 'number' || form === 'some values';
  const fault = formFault(form, hasNumbers ? written(value, at, keyword) : value, draft);
  if (fault === null) return;
  const hint = olderForm(keyword, value, isAssumed);
  throw new SchemaError(`${nameOf(at)}/${escapeToken(keyword)}${fault.pointer}: ${fault.text}${hint}`);
}

/** Throws SchemaError for a bound of draft-04 that is exclusive and is not there. */
function checkBounds(schema: RawObject, at: Place): void {
  for (const [exclusive, bound] of BOOLEAN_BOUNDS)
    if (schema[exclusive] !== undefined && schema[bound] === undefined)
      throw new SchemaError(`${nameOf(at)}/${exclusive}: expected "${bound}" beside it, which it is about`);
}

/** Records the names of a schema in its resource. Throws SchemaError if another schema of the resource has the name. */
function nameAnchors(schema: RawObject, at: Place): void {
  const { draft, keywords, dynamic, root, anchors } = at.resource;
  const { [draft.id]: id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
  const isNamed = [id, $anchor, $dynamicAnchor, $recursiveAnchor].some((name) => name !== undefined);
  if (!isNamed || isAlone(schema, draft)) return;
  const name = (anchor: string, keyword: string): void => {
    const other = anchors.get(anchor);
    if (other !== undefined && other !== schema)
      throw new SchemaError(
        `${nameOf(at)}/${keyword}: another schema is called ${JSON.stringify(`#${anchor}`)}, too`,
      );
    anchors.set(anchor, schema);
  };
  if (draft.hasFragmentIds && typeof id === 'string' && /^#./.test(id)) name(id.slice(1), draft.id);
  if (typeof $anchor === 'string' && '$anchor' in keywords) name($anchor, '$anchor');
  if (typeof $dynamicAnchor === 'string' && '$dynamicAnchor' in keywords) {
    name($dynamicAnchor, '$dynamicAnchor');
    dynamic.set($dynamicAnchor, schema);
  }
  if ($recursiveAnchor === true && '$recursiveAnchor' in keywords && schema === root) dynamic.set('', schema);
}

/** The file and the pointer, for messages. */
function nameOf({ resource, pointer }: Place): string {
  return `${resource.document.name}#${pointer}`;
}

/** The value of a keyword with its numbers as the file writes them. */
function written(value: unknown, { resource, pointer }: Place, keyword: string): unknown {
  const { numbers } = resource.document;
  return numbers === null
    ? value
    : withDecimals(value, atPointer(numbers, `${pointer}/${escapeToken(keyword)}`));
}

/** The arguments for a new resource. `outer`: the resource around it; `from`: one that refers to its file. */
interface Beginning {
  readonly document: SchemaDocument;
  readonly base: string;
  readonly outer?: Resource | null;
  readonly from?: Resource | null;
  readonly place: string;
}

/** The local file that a URI (absolute, without fragment) leads to; null: none. */
function neighbour(uri: string, reference: string, from: Resource): string | null {
  if (uri.startsWith('file:')) return localPath(uri);
  if (URL.canParse(reference) || from.uri.startsWith('file:') || /^[\\/]{2}/.test(reference)) return null;
  try {
    return resolve(dirname(from.document.path), decodeURI(reference.replace(/#.*$/s, '')));
  } catch {
    return null; // no percent-encoding
  }
}

/** True for a schema in which only `$ref` counts. */
export function isAlone(schema: RawObject, draft: Draft): boolean {
  return draft.isRefAlone && schema.$ref !== undefined;
}

/** The URI reference by which a schema begins a resource; null: it does not. */
function ownUri(schema: RawSchema, draft: Draft): string | null {
  const id = isJsonObject(schema) ? schema[draft.id] : undefined;
  return typeof id !== 'string' || id.startsWith('#') || isAlone(schema as RawObject, draft) ? null : id;
}

/** The schemas in the value of a keyword, each with the pointer to it from there. */
export function subschemasIn(
  { form }: DraftKeyword,
  value: unknown,
): (readonly [pointer: string, schema: unknown])[] {
  if (typeof value !== 'object' || value === null || !form.startsWith('schema')) return [];
  if (Array.isArray(value)) return value.map((inner, i) => [`/${i}`, inner]);
  if (!form.endsWith('by name') && !form.endsWith('by pattern')) return [['', value]];
  return Object.entries(value).map(([name, inner]) => [`/${escapeToken(name)}`, inner]);
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
