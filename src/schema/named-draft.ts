/**
 * What `$schema` says about a schema: its draft, and its keywords. A meta-schema with vocabularies can turn some of
 * them off (JSON Schema 2020-12 core, section 8.1.2). And common mistakes about drafts: a `$schema` that is nearly
 * right, and forms of keywords that another draft has.
 */
import { escapeToken } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { RawObject, SchemaDocument } from './document.ts';
import {
  DRAFTS,
  type Draft,
  type DraftKeyword,
  draftOf,
  isVocabulary,
  type KeywordTable,
  writtenUri,
} from './drafts.ts';
import { faultAt } from './faults.ts';
import { looksLikeSchema, noKeyword } from './known-keywords.ts';
import type { DraftName } from './names.ts';
import type { Ways } from './ways.ts';

export interface NamedDraft {
  readonly draft: Draft;
  readonly keywords: KeywordTable;
}

/** The meta-schema for a URI (without fragment) among the files that the caller makes known; null: there is none. */
export type FindMeta = (uri: string) => SchemaDocument | null;

/**
 * What the `$schema` of `schema` says; null: there is none. `place`: file and pointer of the schema; `inherited`: the
 * draft of a meta-schema that names none. Throws SchemaError.
 */
export function namedDraft(
  schema: RawObject,
  { place, inherited, ways }: { readonly place: string; readonly inherited: Draft; readonly ways: Ways },
  findMeta: FindMeta,
): NamedDraft | null {
  const { $schema } = schema;
  if (typeof $schema !== 'string') return null;
  const draft = draftOf($schema);
  if (draft !== null) return { draft, keywords: draft.keywords };
  const meta = findMeta($schema.replace(/#$/, ''));
  if (meta === null) {
    if (!looksLikeSchema(schema)) throw noKeyword(place.slice(0, place.indexOf('#') + 1), ways);
    throw faultAt(`${place}/$schema`, `${JSON.stringify($schema)} is not supported; ${advice($schema, ways)}`);
  }
  return ofMetaSchema(meta, inherited, findMeta);
}

function advice($schema: string, ways: Ways): string {
  const meant = ABOUT_DRAFTS.test($schema) ? nameOf($schema) : null;
  const near = meant === null ? undefined : DRAFTS.find(({ uri }) => nameOf(uri) === meant);
  if (near !== undefined) return `write ${writtenUri(near)}`;
  const titles = DRAFTS.map(({ title }) => title);
  const supported = `paylint supports ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
  const isOfOthers = URL.canParse($schema) && !/^https?:\/\/json-schema\.org\//.test($schema);
  return isOfOthers ? `${supported}; if it is a meta-schema of your own, ${ways.ref} makes it known` : supported;
}

/** What a meta-schema says of schemas that name it: their draft, perhaps through other ones, and their vocabularies. */
function ofMetaSchema(meta: SchemaDocument, inherited: Draft, findMeta: FindMeta): NamedDraft {
  const seen = new Set<SchemaDocument>();
  let draft: Draft | null = null;
  for (let at: SchemaDocument | null = meta; draft === null && at !== null && !seen.has(at); ) {
    seen.add(at);
    const named = isJsonObject(at.schema) ? at.schema.$schema : null;
    if (typeof named !== 'string') break;
    draft = draftOf(named);
    at = findMeta(named.replace(/#$/, ''));
  }
  const its = draft ?? inherited;
  const vocabularies = isJsonObject(meta.schema) ? meta.schema.$vocabulary : null;
  const keywords = isJsonObject(vocabularies) ? withVocabularies(its, vocabularies, meta.name) : its.keywords;
  return { draft: its, keywords };
}

/** The keywords that belong to some vocabularies. Throws SchemaError for a required one that is unknown. */
function withVocabularies({ keywords }: Draft, vocabularies: RawObject, name: string): KeywordTable {
  const uris = Object.keys(vocabularies);
  const unknown = uris.find((uri) => vocabularies[uri] === true && !isVocabulary(uri));
  if (unknown !== undefined) {
    const place = `${name}#/$vocabulary/${escapeToken(unknown)}`;
    throw faultAt(place, 'the schema needs this vocabulary, and paylint does not know it');
  }
  const isUsed = ({ vocabulary }: DraftKeyword): boolean =>
    vocabulary === null || uris.some((uri) => isVocabulary(uri) && uri.includes(`/vocab/${vocabulary}`));
  return Object.fromEntries(Object.entries(keywords).filter(([, row]) => isUsed(row)));
}

/** The year of a draft, or its number without a zero. */
const DRAFT = /(20\d\d)-?(\d\d)|draft[-/ ]?0?(\d)(?!\d)/i;

/** A URI of json-schema.org, or only the name of a draft. */
const ABOUT_DRAFTS = /^(?:(?:https?:)?\/\/)?(?:www\.)?json-?schema\.org\b|^[\w -]*$/i;

function nameOf(text: string): string | null {
  return DRAFT.exec(text)?.slice(1).join('') ?? null;
}

/** The end of a message about a value that earlier drafts allow; else ''. `ways`: null: a draft is named. */
export function olderForm(keyword: string, value: unknown, ways: Ways | null): string {
  const flag = (draft: DraftName): string => (ways === null ? '' : ` or ${ways.draft(draft)}`);
  if (keyword === 'items' && Array.isArray(value))
    return `; since 2020-12 a list of schemas is "prefixItems": write that, or name an earlier draft with "$schema"${flag('7')}`;
  if (/^exclusiveM(?:ax|in)imum$/.test(keyword) && typeof value === 'boolean')
    return `; since draft-06 it is the bound itself: write that, or name draft-04 with "$schema"${flag('4')}`;
  return '';
}

/** The newest draft that a schema looks like, because of a keyword that later drafts do not have. */
export interface Sign {
  readonly keyword: string;
  readonly draft: DraftName;
}

/** The sign that a schema is of an earlier draft than 2020-12; null: there is none. */
export function signOf(schema: RawObject): Sign | null {
  const { id, $id } = schema;
  if (typeof id === 'string' && $id === undefined && /^#|^[a-z][a-z\d+.-]+:|\.json$/i.test(id))
    return { keyword: 'id', draft: '4' };
  for (const [keyword, draft] of SIGNS) if (schema[keyword] !== undefined) return { keyword, draft };
  return null;
}

/** The oldest first. */
const SIGNS: readonly (readonly [string, DraftName])[] = [
  ['definitions', '7'],
  ['dependencies', '7'],
  ['$recursiveRef', '2019-09'],
  ['$recursiveAnchor', '2019-09'],
];
