/**
 * The schemas that the caller makes known: files for URIs, and files whose schemas are found by their `$id`. No file
 * is read before a reference needs it.
 */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SchemaError, unlessFailed } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { isJsonObject } from '../json/value.ts';
import { isFile } from '../source/read-file.ts';
import { ownUri, type RawObject, readDocument, subschemasIn } from './document.ts';
import { type Draft, draftCalled, draftOf, NEWEST } from './drafts.ts';
import type { DraftName } from './names.ts';
import { fileUri, resolveUri } from './uri.ts';

export interface KnownRef {
  /** Absolute: of the file, or the prefix of those of files in the folder; null: schemas are known by their `$id`. */
  readonly uri: string | null;
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** A file with a schema for a URI. */
export interface Identified {
  /** Absolute. */
  readonly path: string;
  /** True: the schema is the whole file; false: it is inside of it. */
  readonly isRoot: boolean;
}

export interface KnownOptions {
  /** The draft of schemas without `$schema`; absent: that of the schema that refers to them, or the newest. */
  readonly draft?: DraftName;
  /** Where references lead that no schema which was read answers to by its `$id`. */
  readonly refs?: readonly KnownRef[];
  /** Schemas that were found by `$id` before. */
  readonly found?: ReadonlyMap<string, Identified>;
  /** By absolute path: files that were read before. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** References lead by their place only to these files, not to others on disk. Absent: false. */
  readonly onlyFiles?: boolean;
}

export class KnownSchemas {
  /** Schemas that were found by `$id`, by URI. */
  readonly found = new Map<string, Identified>();
  /** Absolute paths of the files that were searched. */
  readonly searched: string[] = [];
  /** Files and folders that could not be read as schemas. */
  readonly unread: string[] = [];
  /** By absolute path: the content of pipes, which can be read only once. */
  readonly pipes = new Map<string, Buffer>();
  /** The refs for URIs, the longest URI first. */
  readonly #places: readonly (KnownRef & { readonly uri: string })[];
  readonly #others: readonly KnownRef[];
  /** By URI: the files with a schema of that `$id`. */
  readonly #index = once(() => this.#search());
  readonly #read: ReadonlyMap<string, Uint8Array>;
  readonly #draft: Draft | null;

  constructor({ refs = [], found = new Map(), files = new Map(), draft }: KnownOptions) {
    this.#read = files;
    this.#draft = draft === undefined ? null : draftCalled(draft);
    const places = refs.filter((ref): ref is KnownRef & { uri: string } => ref.uri !== null);
    this.#places = places.sort((a, b) => b.uri.length - a.uri.length);
    this.#others = refs.filter(({ uri }) => uri === null);
    for (const [uri, one] of found) this.found.set(uri, one);
  }

  /** The file that a ref has for `uri`; null: none has one. */
  #at(uri: string): string | null {
    for (const { uri: start, path, isFolder } of this.#places) {
      if (!isFolder && uri === start) return path;
      if (!isFolder || !uri.startsWith(start)) continue;
      const file = pathBelow(path, uri.slice(start.length));
      const there = file === null ? [] : [file, `${file}.json`];
      const first = there.find((one) => this.#read.has(one) || isFile(one));
      if (first !== undefined) return first;
    }
    return null;
  }

  /**
   * The file with the schema for `uri` (absolute, without fragment): by its `$id`, or else by a ref of that URI. Null:
   * there is none. Throws SchemaError if files contradict each other.
   */
  schemaAt(uri: string): Identified | null {
    const named = this.#named(uri);
    if (named !== null) return named;
    const path = this.#at(uri);
    return path === null ? null : { path, isRoot: true };
  }

  /** The URIs by which schemas are known, but for those in folders of refs with a URI. */
  uris(): readonly string[] {
    return [...this.#index().keys(), ...this.#places.map(({ uri }) => uri)];
  }

  #named(uri: string): Identified | null {
    const known = this.found.get(uri);
    if (known !== undefined || this.#others.length === 0) return known ?? null;
    const all = this.#index().get(uri) ?? [];
    const roots = all.filter(({ isRoot }) => isRoot);
    const [first, ...others] = roots.length > 0 ? roots : all;
    if (first === undefined) return null;
    const bytesOf = (path: string): Uint8Array => this.#read.get(path) ?? readFileSync(path);
    const other = others.find(({ path }) => Buffer.compare(bytesOf(path), bytesOf(first.path)) !== 0);
    if (other !== undefined)
      throw new SchemaError(`${first.path} and ${other.path} have different schemas of the same $id, ${uri}`);
    this.found.set(uri, first);
    return first;
  }

  #search(): Map<string, Identified[]> {
    const index = new Map<string, Identified[]>();
    const paths = this.#others.flatMap(({ path, isFolder }) => (isFolder ? this.#filesIn(path) : [path]));
    for (const path of new Set(paths)) {
      this.searched.push(path);
      const schema = this.#schemaIn(path);
      for (const [uri, isRoot] of namesIn(schema, fileUri(path), this.#draft)) {
        const files = index.get(uri) ?? [];
        if (!files.some((one) => one.path === path)) index.set(uri, [...files, { path, isRoot }]);
      }
    }
    return index;
  }

  /** The JSON files below a folder, without `node_modules` and dot folders. */
  #filesIn(folder: string): string[] {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      this.unread.push(folder);
      return [];
    }
    return entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return /\.json$/i.test(entry.name) && isFile(path) ? [path] : [];
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : this.#filesIn(path);
    });
  }

  /** The value of a file; null if it is not a schema. */
  #schemaIn(path: string): unknown {
    try {
      const { schema, bytes } = readDocument(path, path, this.#read.get(path));
      if (!isFile(path)) this.pipes.set(path, bytes);
      return schema;
    } catch {
      this.unread.push(path);
      return null;
    }
  }
}

/** The path below a folder for `rest` of a URI; null: it leads out of the folder. */
function pathBelow(folder: string, rest: string): string | null {
  const path = unlessFailed(() => join(folder, decodeURIComponent(rest.replace(/\?.*$/s, ''))));
  if (path === null) return null;
  const way = relative(folder, path);
  if (way === '' || way.split(sep)[0] === '..') return null;
  return path;
}

/**
 * The identifiers of the schemas in a file, as absolute URIs. Only keywords lead to schemas: an `$id` in data is none.
 * `base`: the URI of the file; `given`: the draft of schemas without `$schema`; null: any.
 */
function* namesIn(
  schema: unknown,
  base: string,
  given: Draft | null,
): Generator<readonly [name: string, isRoot: boolean]> {
  // An explicit list, because values can be nested deeper than the stack.
  const open: { value: unknown; base: string; draft: Draft | null }[] = [{ value: schema, base, draft: given }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value } = next;
    if (!isJsonObject(value)) continue;
    const draft = (typeof value.$schema === 'string' ? draftOf(value.$schema) : null) ?? next.draft;
    const id = idOf(value, draft);
    const uri = id === null ? null : (resolveUri(id, next.base)?.base ?? null);
    if (uri !== null) yield [uri, value === schema];
    const { keywords } = draft ?? NEWEST;
    for (const [keyword, inner] of Object.entries(value))
      if (Object.hasOwn(keywords, keyword))
        for (const [, one] of subschemasIn(keywords[keyword]!, inner))
          open.push({ value: one, base: uri ?? next.base, draft });
  }
}

/** The name that a schema gives itself, without fragment; null: none. */
function idOf(schema: RawObject, draft: Draft | null): string | null {
  if (draft !== null) return ownUri(schema, draft)?.replace(/#.*$/s, '') || null;
  const { $id, id } = schema;
  const own = typeof $id === 'string' ? $id : id;
  return typeof own === 'string' ? own.replace(/#.*$/s, '') || null : null;
}
