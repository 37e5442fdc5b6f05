/**
 * The schema objects of all files that a run needs, with their places and names: the resources, anchors and dynamic
 * anchors of JSON Schema 2020-12 core, section 8.2. Referenced files are read on demand; nothing is fetched. The form
 * of every keyword's value is checked.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SchemaError } from '../errors.ts';
import { withDecimals } from '../json/decimal.ts';
import { entryOf } from '../json/on-demand.ts';
import { atPointer, escapeToken, parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { SUBSCHEMA_LEVELS, SUBSCHEMAS } from '../limits.ts';
import { visible } from '../words/escape.ts';
import type { CallerKeywords } from './caller-keywords.ts';
import { danglingError } from './dangling.ts';
import {
  isAlone,
  isThere,
  nameAnchors,
  nameOf,
  ownUri,
  type RawObject,
  type RawSchema,
  type Reference,
  type Resource,
  readDocument,
  type SchemaDocument,
  type SchemaPlace,
  subschemasIn,
  type Target,
  type Unresolved,
} from './document.ts';
import { BOOLEAN_BOUNDS, type DraftKeyword, draftCalled, draftOf, metaSchemaAt, NEWEST } from './drafts.ts';
import { faultAt, type PlacedFault, schemaError, withPositions } from './faults.ts';
import type { OwnFormats } from './formats/format.ts';
import { formFault } from './forms.ts';
import { type KnownOptions, KnownSchemas } from './known.ts';
import { namedDraft, olderForm } from './named-draft.ts';
import type { VocabularyName } from './names.ts';
import { fileBeside, fileUri, localPath, resolveUri } from './uri.ts';
import { withDeclared } from './vocabularies.ts';
import { type Ways, waysFor } from './ways.ts';

export interface ResourceOptions extends KnownOptions {
  /** Those whose keywords count beside those of the draft. */
  readonly vocabularies?: readonly VocabularyName[];
  /** Formats of the caller's own; absent: none. */
  readonly formats?: OwnFormats;
  /** Keywords of the caller's own; absent: none. */
  readonly keywords?: CallerKeywords;
  /** Nodes have the keyword `deprecated`. */
  readonly deprecations?: boolean;
  /** Absolute: the names of files in it are relative to it, unless they are in the folder of the entry schema. */
  readonly folder?: string;
  /** They are loaded for a caller of the library, whose options messages name. */
  readonly inLibrary?: true;
  /** By absolute path: what files that are in memory only are called in places. */
  readonly called?: ReadonlyMap<string, string>;
}

/** A reference to a place in the same file, without characters that URIs encode. */
const PLAIN_FRAGMENT = /^#(?:\/[\w$.~-]*)*$/;

const LARGE = 1 << 16;

export class Resources {
  readonly documents: SchemaDocument[] = [];
  /** Meta-schemas that were read for their vocabularies. */
  readonly metas = new Map<string, SchemaDocument>();
  readonly places = new Map<object, SchemaPlace>();
  readonly known: KnownSchemas;
  /** What is wrong with the schemas; the loading goes on without it, to find all. */
  readonly faults: PlacedFault[] = [];
  /** Absolute paths of files that are missing: if one appears, the schema may be usable. */
  readonly missing: string[] = [];
  readonly options: ResourceOptions;
  /** The schemas with an `$id`, by that URI: several if files contradict each other. */
  readonly #named = new Map<string, readonly Resource[]>();
  /** The roots of files, by the URIs that lead to them. */
  readonly #retrieved = new Map<string, Resource>();
  readonly #byPath = new Map<string, Resource>();
  readonly #folder: string;
  #bytes = 0;
  /** A schema refers to another resource. */
  #hasOuterReference = false;
  readonly #beforeLarge: () => void;
  readonly #ways: Ways;

  /** `folder`: files are named relative to it. `beforeLarge`: called once if the files together are large. */
  constructor(folder: string, options: ResourceOptions, beforeLarge: () => void = () => {}) {
    this.#folder = folder;
    this.options = options;
    this.#ways = waysFor(options);
    this.#beforeLarge = beforeLarge;
    this.known = new KnownSchemas(options);
  }

  /**
   * The schema of the file at `path` (absolute), which is read once. `uri`: it leads to the file; null: the path, or an
   * `$id` in it does; `from`: the resource that refers to it; null: none. Throws SchemaError.
   */
  file(path: string, uri: string | null = null, from: Resource | null = null): Resource {
    const read = this.#byPath.get(path) ?? this.#add(path, uri, from);
    if (uri !== null && !this.#retrieved.has(uri)) this.#retrieved.set(uri, read);
    return read;
  }

  /**
   * Reads the files that schemas lead to, in rounds. Each reads all files that what is known so far leads to, so the
   * order of members and files does not change what a reference means. `roots`: schemas that were read. Throws
   * SchemaError if a file cannot be used. A reference that leads nowhere is no error before `find` is asked for it.
   */
  readReferences(roots: readonly RawSchema[]): void {
    const tried = new Set<string>();
    while (this.#hasOuterReference) {
      const open = [...this.#unread(roots)].filter(([uri]) => !tried.has(uri)).sort(([a], [b]) => (a < b ? -1 : 1));
      if (open.length === 0) return;
      for (const [uri, { resource }] of open) {
        tried.add(uri);
        this.#retrieve(uri, resource);
      }
    }
  }

  /** The same; null: it leads nowhere, which is one of the faults now. Throws SchemaError if files contradict each other. */
  tryFind(reference: Reference, from: Resource): Target | null {
    try {
      return this.find(reference, from);
    } catch (error) {
      if (!(error instanceof SchemaError) || error.faults.length === 0) throw error;
      this.faults.push({ place: reference.place, message: error.faults[0]!.message });
      this.missing.push(...error.missing);
      return null;
    }
  }

  /** Throws SchemaError if anything is wrong so far. */
  refuse(): void {
    if (this.faults.length > 0) throw this.inContext(schemaError([], this.missing));
  }

  /** An error that ends the loading, together with the faults that were found before it, and all positions. */
  inContext(error: unknown): unknown {
    const { faults, documents, metas } = this;
    const before = faults.splice(0);
    return withPositions(error, before, [...documents, ...metas.values()], this.options.called);
  }

  /** The target of a reference in a schema of `from`. Throws SchemaError. */
  find(reference: Reference, from: Resource): Target {
    const found = this.#lookUp(reference.text, from);
    if (!('schema' in found)) throw this.#dangling(reference, from, found);
    return found;
  }

  #lookUp(text: string, from: Resource): Target | Unresolved {
    const isPlain = PLAIN_FRAGMENT.test(text);
    const parsed = isPlain ? null : resolveUri(text, from.uri);
    if (parsed === null && !isPlain) return { uri: null, resource: null };
    const uri = parsed?.base ?? null;
    const start = uri === null ? from : (this.#namedFor(uri, from) ?? this.#retrieved.get(uri) ?? null);
    if (start === null) return { uri, resource: null };
    const fragment = parsed?.fragment ?? text.slice(1);
    if (fragment === '') return { schema: start.root, resource: start, anchor: null };
    if (fragment.startsWith('/')) {
      const inner = this.#follow(start, parsePointer(fragment));
      return inner === null ? { uri, resource: start, fragment } : { ...inner, anchor: null };
    }
    const schema = start.anchors.get(fragment);
    return schema === undefined ? { uri, resource: start, fragment } : { schema, resource: start, anchor: fragment };
  }

  /** By URI: the references of schemas that `roots` lead to whose resource is not known. */
  #unread(roots: readonly RawSchema[]): Map<string, SchemaPlace> {
    const unread = new Map<string, SchemaPlace>();
    const seen = new Set<unknown>();
    const entered = new Set<Resource>();
    const open: unknown[] = [...roots];
    while (open.length > 0) {
      const schema = open.pop();
      if (!isJsonObject(schema) || seen.has(schema)) continue;
      seen.add(schema);
      const place = this.places.get(schema)!; // all were scanned
      const { resource } = place;
      // A dynamic reference may lead to any of them.
      if (!entered.has(resource)) open.push(...resource.dynamic.values());
      entered.add(resource);
      const isOnlyRef = isAlone(schema, resource.draft);
      for (const [keyword, value] of Object.entries(schema)) {
        const row = Object.hasOwn(resource.keywords, keyword) ? resource.keywords[keyword]! : null;
        if (row === null || (isOnlyRef && keyword !== '$ref')) continue;
        if (row.role === 'identity' || row.role === 'annotation') continue;
        for (const [, inner] of subschemasIn(row, value)) open.push(inner);
        if (row.role !== 'reference') continue;
        const target = this.#lookUp(String(value), resource);
        if ('schema' in target) open.push(target.schema);
        else if (target.uri !== null && target.resource === null) {
          const other = unread.get(target.uri);
          if (other === undefined || nameOf(place) < nameOf(other)) unread.set(target.uri, place);
        }
      }
    }
    return unread;
  }

  /** Reads the file for `uri`, if there is one. `from`: the resource that refers to it. */
  #retrieve(uri: string, from: Resource): void {
    const known = this.known.schemaAt(uri);
    const path = known?.path ?? metaSchemaAt(uri) ?? this.#fileAt(uri);
    if (path !== null) this.file(path, known?.isRoot === false ? null : uri, from);
  }

  /** The local file that `uri` leads to by its place; null: there is none. Throws SchemaError if two differ. */
  #fileAt(uri: string): string | null {
    const { files, onlyFiles } = this.options;
    const paths = this.#pathsFor(uri);
    const read = paths.filter((path) => files?.has(path));
    const [path, ...others] = read.length > 0 || onlyFiles ? read : paths.filter(isThere);
    const bytesOf = (one: string): Uint8Array => files?.get(one) ?? readFileSync(one);
    const other = others.find((one) => Buffer.compare(bytesOf(one), bytesOf(path!)) !== 0);
    if (path === undefined || other === undefined) return path ?? null;
    const way = this.#ways.refOf(uri);
    throw new SchemaError(`${path} and ${other} both lie where ${uri} leads to; ${way} says which`);
  }

  /** Where the file for a URI may lie: at a `file:` URI, or beside a known file as the URI is beside its `$id`. */
  #pathsFor(uri: string): string[] {
    if (uri.startsWith('file:')) return [localPath(uri)].filter((path) => path !== null);
    const roots = [...this.#byPath.values()].filter((root) => metaSchemaAt(root.uri) === null);
    const paths = roots.map((root) => fileBeside(uri, root.uri, root.document.path));
    return [...new Set(paths.filter((path) => path !== null))];
  }

  /** The schema at a pointer in a resource, and the innermost resource around it; null if there is none. */
  #follow(start: Resource, tokens: readonly string[]): Omit<Target, 'anchor'> | null {
    let value: unknown = start.root;
    let at: SchemaPlace = this.places.get(start.root as object) ?? { resource: start, pointer: '' };
    let pointer = at.pointer;
    for (const token of tokens) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return null;
      value = (value as RawObject)[token];
      pointer += `/${escapeToken(token)}`;
      at = (typeof value === 'object' && value !== null && this.places.get(value)) || at;
    }
    if (typeof value === 'boolean') return { schema: value, resource: at.resource };
    if (!isJsonObject(value)) return null;
    // A place that no keyword leads to: an `$id` in it is no identifier.
    if (!this.places.has(value)) this.#scan(value, { resource: at.resource, pointer }, 0, false);
    return { schema: value, resource: this.places.get(value)!.resource };
  }

  #read(path: string): SchemaDocument {
    const content = this.options.files?.get(path) ?? this.known.pipes.get(path);
    const document = readDocument(path, this.#nameOf(path), content);
    const before = this.#bytes;
    this.#bytes += document.bytes.length;
    if (before <= LARGE && this.#bytes > LARGE) this.#beforeLarge();
    return document;
  }

  /** Relative to the folder of the entry schema, or to the other folder if the file is only in that one. */
  #nameOf(path: string): string {
    const called = this.options.called?.get(path);
    if (called !== undefined) return called;
    const [name, other] = [this.#folder, this.options.folder ?? this.#folder].map((folder) =>
      relative(folder, path).replaceAll('\\', '/'),
    ) as [string, string]; // as many as there are folders
    const isOther = name.startsWith('../') && !other.startsWith('../');
    const isFree = this.documents.every((document) => document.name !== other);
    return (isOther && isFree ? other : name) || basename(path);
  }

  #add(path: string, uri: string | null, from: Resource | null): Resource {
    const document = this.#read(path);
    this.documents.push(document);
    const file = fileUri(path);
    const base = uri ?? file;
    const place = `${document.name}#`;
    const resource = this.#begin(document.schema, { document, base, from, place });
    this.#byPath.set(path, resource);
    for (const one of [base, file]) if (!this.#retrieved.has(one)) this.#retrieved.set(one, resource);
    if (ownUri(resource.root, resource.draft) !== null) this.#claim(resource, place);
    this.#scan(document.schema, { resource, pointer: '' }, 0);
    return resource;
  }

  /** Makes a schema known by its `$id`. Throws SchemaError if a different one in the same file has the same. */
  #claim(resource: Resource, place: string): void {
    const { uri, root, document } = resource;
    const others = this.#named.get(uri) ?? [];
    if (others.some((other) => isDeepStrictEqual(other.root, root))) return;
    this.#named.set(uri, [...others, resource]);
    const other = others.find((one) => one.document === document);
    if (other === undefined) return;
    const where = visible(nameOf(this.places.get(other.root as object)!)); // it was scanned, as it is an object with an `$id`
    this.faults.push({ place, message: `another schema is called ${JSON.stringify(uri)}, too: ${where}` });
  }

  /**
   * The schema with the `$id` that a reference in `from` means; null: there is none. In a file with such a schema, it is
   * that one. Throws SchemaError if files contradict each other.
   */
  #namedFor(uri: string, from: Resource): Resource | null {
    const [first, ...others] = this.#named.get(uri) ?? [];
    if (first === undefined || others.length === 0) return first ?? null;
    const own = [first, ...others].find(({ document }) => document === from.document);
    if (own !== undefined) return own;
    const [one, other] = [first, ...others].map(({ document }) => document.path).sort();
    throw new SchemaError(`${one} and ${other} have different schemas of the same $id, ${uri}`);
  }

  #dangling(reference: Reference, from: Resource, nothing: Unresolved): SchemaError {
    const { uri, resource } = nothing;
    const paths = uri === null || resource !== null ? [] : this.#pathsFor(uri);
    const known = [...this.#named.keys(), ...this.known.uris()];
    const unread = this.known.unread.map((path) => relative(this.#folder, path));
    const { places } = this;
    const ways = this.#ways;
    const isGiven = this.options.called?.has(from.document.path) === true;
    return danglingError(reference, { ...nothing, from, paths, known, unread, places, ways, isGiven });
  }

  /** The resource whose root is `schema`. */
  #begin(schema: RawSchema, { document, base, outer = null, from = null, place }: Beginning): Resource {
    const given = this.options.draft === undefined ? null : draftCalled(this.options.draft);
    const inherited = outer?.draft ?? given ?? from?.draft ?? NEWEST;
    const told = isJsonObject(schema)
      ? namedDraft(schema, { place, inherited, ways: this.#ways }, (uri) => this.#metaAt(uri))
      : null;
    const { draft, keywords: standard } = told ?? { draft: inherited, keywords: outer?.keywords ?? inherited.keywords };
    const keywords = withDeclared(standard, this.options.vocabularies, this.options.keywords);
    const isAssumed = told === null && (outer?.isAssumed ?? (given === null && from?.isAssumed !== false));
    const fault = formFault('schema', schema, draft);
    if (fault !== null) throw faultAt(place, fault.text);
    const id = ownUri(schema, draft);
    const named = resolveUri(id ?? '', base);
    if (named === null) throw faultAt(`${place}/${draft.id}`, `${JSON.stringify(id)} is not a URI reference`);
    const names = { anchors: new Map(), dynamic: new Map() };
    return { uri: named.base, root: schema, draft, keywords, isAssumed, document, ...names };
  }

  /** The caller's own meta-schema at `uri`; null: there is none. */
  #metaAt(uri: string): SchemaDocument | null {
    const path = this.known.schemaAt(resolveUri(uri, '')?.base ?? uri)?.path;
    if (path === undefined) return null;
    return entryOf(this.metas, path, () => this.#read(path));
  }

  /** Records the places and names in `schema`. `isKnown`: false: it is data, which only a pointer leads to. */
  #scan(schema: unknown, at: SchemaPlace, levels: number, isKnown = true): void {
    if (!isJsonObject(schema) || this.places.has(schema)) return;
    if (levels > SUBSCHEMA_LEVELS)
      throw faultAt(nameOf(at), `subschemas are nested deeper than ${SUBSCHEMA_LEVELS} levels`);
    if (this.places.size >= SUBSCHEMAS) throw faultAt(nameOf(at), `there are more than ${SUBSCHEMAS} subschemas`);
    const resource = this.#resourceOf(schema, at);
    const { keywords } = resource;
    this.places.set(schema, resource === at.resource ? at : { resource, pointer: at.pointer });
    if (isKnown && resource !== at.resource) this.#claim(resource, nameOf(at));
    nameAnchors(schema, { resource, pointer: at.pointer });
    for (const keyword of Object.keys(schema)) {
      const row = Object.hasOwn(keywords, keyword) ? keywords[keyword]! : null;
      if (row === null) continue;
      const value = schema[keyword];
      // An annotation does not change a verdict: it is left out, with a warning.
      const place = { resource, pointer: at.pointer };
      const fault = row.role === 'annotation' ? null : faultOfForm(keyword, value, row, { ...place, ways: this.#ways });
      if (fault !== null) {
        // Without it, the rest can be checked.
        this.faults.push(fault);
        delete (schema as Record<string, unknown>)[keyword];
        continue;
      }
      if (row.role === 'reference' && !PLAIN_FRAGMENT.test(String(value))) this.#hasOuterReference = true;
      for (const [pointer, inner] of subschemasIn(row, value))
        this.#scan(inner, { resource, pointer: `${at.pointer}/${keyword}${pointer}` }, levels + 1, isKnown);
    }
    if (resource.draft.hasBooleanBounds) this.faults.push(...faultsOfBounds(schema, at));
  }

  /** The resource that `schema` belongs to: that of the schema around it, or one that begins here. */
  #resourceOf(schema: RawObject, at: SchemaPlace): Resource {
    const { resource: outer } = at;
    if (outer.root === schema) return outer;
    const named = typeof schema.$schema === 'string' ? (draftOf(schema.$schema) ?? outer.draft) : outer.draft;
    if (ownUri(schema, named) === null) return outer;
    const { document, uri: base } = outer;
    return this.#begin(schema, { document, base, outer, place: nameOf(at) });
  }
}

type Placed = SchemaPlace & { readonly ways: Ways };

/** The fault if the value of a keyword has not the form that the draft demands. */
function faultOfForm(keyword: string, value: unknown, { form }: DraftKeyword, at: Placed): PlacedFault | null {
  const { draft, isAssumed } = at.resource;
  const hasNumbers = typeof value === 'number' || form === 'some values';
  const fault = formFault(form, hasNumbers ? written(value, at, keyword) : value, draft);
  if (fault === null) return null;
  const hint = olderForm(keyword, value, isAssumed ? at.ways : null);
  const place = `${nameOf(at)}/${escapeToken(keyword)}${fault.pointer}`;
  return { place, message: `${fault.text}${hint}` };
}

/** Those of the bounds of draft-04 that are exclusive and are not there. */
function faultsOfBounds(schema: RawObject, at: SchemaPlace): PlacedFault[] {
  return BOOLEAN_BOUNDS.filter(
    ([exclusive, bound]) => schema[exclusive] !== undefined && schema[bound] === undefined,
  ).map(([exclusive, bound]) => ({
    place: `${nameOf(at)}/${exclusive}`,
    message: `expected "${bound}" beside it, which it is about`,
  }));
}

/** The value of a keyword with its numbers as the file writes them. */
function written(value: unknown, { resource, pointer }: SchemaPlace, keyword: string): unknown {
  const { numbers } = resource.document;
  return numbers === null ? value : withDecimals(value, atPointer(numbers, `${pointer}/${escapeToken(keyword)}`));
}

/** The arguments for a new resource. `outer`: the resource around it; `from`: one that refers to its file. */
interface Beginning {
  readonly document: SchemaDocument;
  readonly base: string;
  readonly outer?: Resource | null;
  readonly from?: Resource | null;
  readonly place: string;
}
