/**
 * Schema objects as files write them: the resources that they belong to (JSON Schema 2020-12 core, section 4.3.5), what
 * names one, and what is in it by the table of keywords of its draft.
 */
import { SchemaError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { RawObject, RawSchema, SchemaDocument } from './document.ts';
import type { Draft, DraftKeyword, KeywordTable } from './drafts.ts';

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

/** What a reference finds that leads nowhere. */
export interface Nothing {
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
export function subschemasIn(
  { form }: DraftKeyword,
  value: unknown,
): (readonly [pointer: string, schema: unknown])[] {
  if (typeof value !== 'object' || value === null || !form.startsWith('schema')) return [];
  if (Array.isArray(value)) return value.map((inner, i) => [`/${i}`, inner]);
  if (!form.endsWith('by name') && !form.endsWith('by pattern')) return [['', value]];
  return Object.entries(value).map(([name, inner]) => [`/${escapeToken(name)}`, inner]);
}

/** Records the names of a schema in its resource. Throws SchemaError if another schema of the resource has the name. */
export function nameAnchors(schema: RawObject, at: Place): void {
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
export function nameOf({ resource, pointer }: Place): string {
  return `${resource.document.name}#${pointer}`;
}
