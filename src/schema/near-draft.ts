/**
 * Common mistakes about drafts: a `$schema` that is nearly right, and a list in `items` in a draft that has
 * `prefixItems` for it.
 */

import type { RawObject } from './document.ts';
import type { DraftName } from './draft-names.ts';

/** The year of a draft, or its number without a zero. */
const DRAFT = /(20\d\d)-?(\d\d)|draft[-/ ]?0?(\d)(?!\d)/i;

/** A URI of json-schema.org, or only the name of a draft. */
const ABOUT_DRAFTS = /^(?:(?:https?:)?\/\/)?(?:www\.)?json-?schema\.org\b|^[\w -]*$/i;

/** What to write in `$schema` for the draft that `text` nearly names: the URI of its meta-schema; null: none of `uris`. */
export function nearDraft(text: string, uris: Iterable<string>): string | null {
  const meant = ABOUT_DRAFTS.test(text) ? nameOf(text) : null;
  if (meant === null) return null;
  for (const uri of uris) if (nameOf(uri) === meant) return uri.includes('/draft-') ? `${uri}#` : uri;
  return null;
}

function nameOf(text: string): string | null {
  const found = DRAFT.exec(text);
  return found === null ? null : found.slice(1).join('');
}

/**
 * The end of a message about a value that the keyword could have in earlier drafts; '' for any other. `isAssumed`: the
 * schema does not name its draft.
 */
export function olderForm(keyword: string, value: unknown, isAssumed: boolean): string {
  const flag = (draft: DraftName): string => (isAssumed ? ` or --draft ${draft}` : '');
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
