/**
 * Mistakes about drafts that almost every schema author makes once: a `$schema` that is nearly right, and `items` with a list in a draft
 * that has `prefixItems` for it.
 */

/** The year of a draft, or its number without a zero. */
const DRAFT = /(20\d\d)-?(\d\d)|draft[-/ ]?0?(\d)(?!\d)/i;

/** A URI of json-schema.org, or only the name of a draft. */
const ABOUT_DRAFTS = /^(?:(?:https?:)?\/\/)?(?:www\.)?json-?schema\.org\b|^[\w -]*$/i;

/** How `$schema` names the draft that `text` nearly names, by the URI of its meta-schema; null: none of `uris`. */
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

/** The end of a message about the value of a keyword; '' if it is not such a list. */
export function listHint(keyword: string, value: unknown): string {
  if (keyword !== 'items' || !Array.isArray(value)) return '';
  return '; since 2020-12 a list of schemas is "prefixItems": write that, or name an earlier draft with "$schema"';
}
