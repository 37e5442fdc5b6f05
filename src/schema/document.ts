/**
 * Schema files as JSON, with the text of numbers that a double cannot hold; and the schema objects in them: the
 * resources that they belong to (JSON Schema 2020-12 core, section 4.3.5), what names one, and what is in it by the
 * table of keywords of its draft.
 */
import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { SchemaError, type SchemaFault } from '../errors.ts';
import { withNumberTexts } from '../json/decimal.ts';
import { escapeToken } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { memberCount, surelyUnique } from '../json/unique-names.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { AUTHORED_BYTES } from '../limits.ts';
import { bundledSchema } from '../package.ts';
import { readFileOrPipe } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import { jsonFault } from '../words/json-fault.ts';
import type { Draft, DraftKeyword, KeywordTable } from './drafts.ts';
import { faultAt, located, meantPath, schemaError } from './faults.ts';
import { INLINED } from './inlined.ts';

/** A schema object of a file. Its values are any JSON. */
export type RawObject = JsonObject;
export type RawSchema = boolean | RawObject;

export interface SchemaDocument {
  readonly path: string;
  /** How reports name it: relative to the folder of the schema that was asked for. */
  readonly name: string;
  readonly schema: RawSchema;
  /** The file's text, without a byte order mark. */
  readonly bytes: Buffer;
  /** False: an object may have the same name twice. */
  readonly hasUniqueNames: boolean;
  /** The same value with the text of each number that may have lost digits in a double; null: there is none. */
  readonly numbers: unknown;
}

/** Reads the schema file at `path` (absolute), called `name`. `content`: its bytes, if known. Throws SchemaError. */
export function readDocument(path: string, name: string, content?: Uint8Array): SchemaDocument {
  let bytes: Buffer;
  try {
    // A Buffer arrives from another thread as a plain Uint8Array.
    if (content !== undefined) bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    else bytes = inlined(path) ?? readFileOrPipe(path, AUTHORED_BYTES);
  } catch (cause) {
    throw unreadable(path, name, cause);
  }
  const text = bytes.subarray(byteOrderMark(bytes));
  const { schema, numbers, hasUniqueNames } = parse(bytes, { path, name });
  if (typeof schema !== 'boolean' && !isJsonObject(schema))
    throw faultyFile({ path, name }, 'this is not a JSON Schema: it must be an object, true or false');
  return { path, name, schema, bytes: text, hasUniqueNames, numbers };
}

/** A file, and how reports name it. */
type FileName = Pick<SchemaDocument, 'path' | 'name'>;

export function unreadable(path: string, name: string, cause: unknown): SchemaError {
  const message = `cannot read the schema: ${wordsFor(cause)}${meantPath(path)}`;
  return faultyFile({ path, name }, message);
}

function faultyFile(
  { path, name }: FileName,
  message: string,
  { line, column }: Pick<SchemaFault, 'line' | 'column'> = { line: null, column: null },
): SchemaError {
  return schemaError([{ path, file: name, line, column, place: null, message }]);
}

/** Whether there is a file at `path` (absolute), or a bundled schema that the program contains. */
export function isThere(path: string): boolean {
  return inlined(path) !== null || existsSync(path);
}

function inlined(path: string): Buffer | null {
  const name = basename(path);
  const text = path === bundledSchema(name) ? INLINED.get(name) : undefined;
  return text === undefined ? null : Buffer.from(text);
}

/** The bytes are scanned for a fault only if they are not JSON in UTF-8, because scanning takes longer. */
function parse(
  bytes: Buffer,
  file: FileName,
): Pick<SchemaDocument, 'numbers' | 'hasUniqueNames'> & { readonly schema: unknown } {
  let error: unknown;
  try {
    if (isUtf8(bytes)) {
      const text = bytes.toString('utf8', byteOrderMark(bytes));
      const schema: unknown = JSON.parse(text);
      if (MAYBE_INFINITE.test(text) && INFINITE_TOKEN.test(text)) refuseInfinity(bytes, file);
      const hasUniqueNames = surelyUnique(text, memberCount(schema));
      return { schema, numbers: withNumberTexts(text), hasUniqueNames };
    }
  } catch (cause) {
    error = cause;
  }
  if (error instanceof SchemaError) throw error;
  const fault = jsonFault(bytes);
  if (fault === null) throw error;
  throw faultyFile(file, fault.sentence, fault);
}

const MAYBE_INFINITE = /\d[eE]\+?0*\d{3}|\d{309}/;
/** The same where a token can begin: strings such as hashes have such digits, too. */
const INFINITE_TOKEN = /(?:^|[[,:\s])[\d.-]*\d(?:[eE]\+?0*\d{3}|\d{308})/;

/** JavaScript reads a number beyond the range of a double as Infinity, which no keyword can compare with. */
function refuseInfinity(bytes: Buffer, { path, name }: FileName): void {
  const { notes } = scan(bytes, byteOrderMark(bytes), bytes.length, Number.POSITIVE_INFINITY);
  const note = notes.find(({ rule }) => rule === 'number-out-of-range');
  if (note === undefined) return;
  const fault = { place: `${name}#${note.pointer}`, message: 'this number is beyond the range of a double' };
  throw schemaError(located([fault], [{ path, name, bytes }]));
}

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

export interface SchemaPlace {
  readonly resource: Resource;
  /** From the root of its document (RFC 6901). */
  readonly pointer: string;
}

export interface Target {
  readonly schema: RawSchema;
  readonly resource: Resource;
  /** The name of the anchor that it was found by; null: by a pointer, or as a whole. */
  readonly anchor: string | null;
}

export interface Reference {
  readonly keyword: string;
  readonly text: string;
  /** File and pointer of the keyword, for messages. */
  readonly place: string;
}

/** What a reference finds that leads nowhere. */
export interface Unresolved {
  /** Absolute, without fragment; null: the text is no URI reference, or begins with `#`. */
  readonly uri: string | null;
  /** The resource that has no such place; null: there is none for the URI. */
  readonly resource: Resource | null;
  readonly fragment?: string;
}

/** True for a schema in which only `$ref` counts. */
export function isAlone(schema: RawObject, draft: Draft): boolean {
  return draft.isRefAlone && schema.$ref !== undefined;
}

/** The URI reference by which a schema begins a resource; null: it does not. */
export function ownUri(schema: RawSchema, draft: Draft): string | null {
  const id = isJsonObject(schema) ? schema[draft.id] : undefined;
  return typeof id !== 'string' || id.startsWith('#') || isAlone(schema as RawObject, draft) ? null : id;
}

/** The schemas in the value of a keyword, each with the pointer to it from there. */
export function subschemasIn({ form }: DraftKeyword, value: unknown): (readonly [pointer: string, schema: unknown])[] {
  if (typeof value !== 'object' || value === null || !form.startsWith('schema')) return [];
  if (Array.isArray(value)) return value.map((inner, i) => [`/${i}`, inner]);
  if (!form.endsWith('by name') && !form.endsWith('by pattern')) return [['', value]];
  return Object.entries(value).map(([name, inner]) => [`/${escapeToken(name)}`, inner]);
}

/** Records the names of a schema in its resource. Throws SchemaError if another schema of the resource has the name. */
export function nameAnchors(schema: RawObject, at: SchemaPlace): void {
  const { draft, keywords, dynamic, root, anchors } = at.resource;
  const { [draft.id]: id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
  const isNamed = [id, $anchor, $dynamicAnchor, $recursiveAnchor].some((name) => name !== undefined);
  if (!isNamed || isAlone(schema, draft)) return;
  const name = (anchor: string, keyword: string): void => {
    const other = anchors.get(anchor);
    if (other !== undefined && other !== schema)
      throw faultAt(`${nameOf(at)}/${keyword}`, `another schema is called ${JSON.stringify(`#${anchor}`)}, too`);
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
export function nameOf({ resource, pointer }: SchemaPlace): string {
  return `${resource.document.name}#${pointer}`;
}
