/** Every keyword that can give a violation, with its description. Lists of keywords are derived from this one. */
import { type AssertingKeyword, keywordsWhere } from '../schema/dialect.ts';
import type { Keywords } from '../schema/node.ts';
import { ALTERNATIVES, CONDITIONS } from './alternatives.ts';
import { DEPRECATED } from './deprecated.ts';
import { CONTAINS, ITEMS, UNIQUE } from './items.ts';
import type { Family, Requirement } from './keyword.ts';
import { ARRAY_LENGTHS, OBJECT_LENGTHS, STRING_LENGTHS } from './lengths.ts';
import { ADDITIONAL, NAMES, UNEVALUATED_ITEMS, UNEVALUATED_MEMBERS } from './members.ts';
import { BOUNDS, MULTIPLES } from './numbers.ts';
import type { SchemaParams } from './params.ts';
import { DEPENDENTS, REQUIRED } from './required.ts';
import { TEXTS } from './texts.ts';
import { TYPE, VALUES } from './values.ts';

/** In the order in which `explain` lists them: every keyword that judges values. Their params are in `params.ts`. */
export const KEYWORDS: Family<SchemaParams> = {
  ...TYPE,
  ...REQUIRED,
  ...VALUES,
  ...ADDITIONAL,
  ...UNEVALUATED_MEMBERS,
  ...STRING_LENGTHS,
  ...BOUNDS,
  ...MULTIPLES,
  ...TEXTS,
  ...ARRAY_LENGTHS,
  ...ITEMS,
  ...UNEVALUATED_ITEMS,
  ...UNIQUE,
  ...CONTAINS,
  ...OBJECT_LENGTHS,
  ...NAMES,
  ...DEPENDENTS,
  ...ALTERNATIVES,
  ...CONDITIONS,
  ...DEPRECATED,
} satisfies Readonly<Record<AssertingKeyword, object>>;

/** The keywords that require members. */
export const REQUIRING = keywordsWhere(
  ({ role, about }) => role === 'asserts' && about?.includes('object') === true,
).filter((keyword) => KEYWORDS[keyword as AssertingKeyword].requires !== undefined) as AssertingKeyword[]; // they assert

/** The members that a schema requires, by all of its keywords. */
export function requirementsOf(node: Keywords): Requirement[] {
  return REQUIRING.flatMap((keyword) => KEYWORDS[keyword].requires!(node));
}
