/**
 * The names of types and of drafts, as schemas and `--draft` have them. What is different in each draft is in `drafts.ts`; flags
 * are read at every start, and tables of keywords are not.
 */

export type DraftName = (typeof DRAFT_NAMES)[number];

/** The oldest first. */
export const DRAFT_NAMES = ['4', '6', '7', '2019-09', '2020-12'] as const;

/** Other names that users know for drafts. */
export const DRAFT_ALIASES = {
  '04': '4',
  '06': '6',
  '07': '7',
  'draft-04': '4',
  'draft-06': '6',
  'draft-07': '7',
  draft4: '4',
  draft6: '6',
  draft7: '7',
} as const;

/** The names that `type` can have. */
export const TYPE_NAMES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

/** A vocabulary that a schema can use if it is declared. */
export type VocabularyName = (typeof VOCABULARY_NAMES)[number];

export const VOCABULARY_NAMES = ['openapi'] as const;
