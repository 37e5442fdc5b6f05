/**
 * Keywords that exist in other drafts, but not in the draft of a schema: there they assert nothing.
 */
import { DRAFTS, type Draft, type KeywordTable } from './drafts/index.ts';

/** What to write instead, by keyword. */
const INSTEAD: Readonly<Record<string, string>> = {
  dependentRequired: '"dependencies"',
  dependentSchemas: '"dependencies"',
  $recursiveRef: '"$ref"',
  $dynamicRef: '"$ref"',
  $recursiveAnchor: '"$dynamicAnchor"',
  prefixItems: '"items" with a list of schemas',
  additionalItems: '"items"',
  const: '"enum" with one value',
  // Those of draft-03, which paylint does not read.
  divisibleBy: '"multipleOf"',
  disallow: '"not"',
  extends: '"allOf"',
};
/** Those, and what no later draft than 2019-09 has. It asserts nothing by itself. */
const GONE = ['divisibleBy', 'disallow', 'extends', '$recursiveAnchor'];

/** Whether a keyword with these rows can reject a value, or leads to a keyword that can. */
export function asserts(keywords: KeywordTable, name: string): boolean {
  if (!Object.hasOwn(keywords, name)) return false;
  const { role } = keywords[name]!;
  return role !== 'identity' && role !== 'annotation';
}

/** True for a name that is not one of `keywords` and that asserts something in another draft. */
export function isOfOtherDraft(name: string, keywords: KeywordTable): boolean {
  if (Object.hasOwn(keywords, name)) return false;
  return GONE.includes(name) || DRAFTS.some((draft) => asserts(draft.keywords, name));
}

/** For such a name: what to write in a schema of `draft`, as the end of a sentence. */
export function insteadOf(name: string, draft: Draft): string {
  if (Object.hasOwn(INSTEAD, name)) return `did you mean ${INSTEAD[name]}?`;
  const other = DRAFTS.find(({ keywords }) => asserts(keywords, name)) ?? draft;
  return `"$schema": "${other.uri}" has it, ${draft.title} has nothing like it`;
}
