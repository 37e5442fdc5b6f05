/** Every keyword that can give a violation, in one table, from which lists are derived; and what is said of a violation. */
import { type AssertingKeyword, keywordsWhere } from '../schema/dialect.ts';
import type { Keywords, SchemaNode } from '../schema/node.ts';
import { quote } from '../words/escape.ts';
import type { Found } from '../words/value-text.ts';
import { ALTERNATIVES } from './alternatives.ts';
import { ITEMS, WHOLE_ARRAY } from './items.ts';
import type { About, Family, Keyword, Requirement, Seen, Suggested } from './keyword.ts';
import { ARRAY_LENGTHS, OBJECT_LENGTHS, STRING_LENGTHS } from './lengths.ts';
import { DEPRECATED, NAMES, OTHER_MEMBERS, UNEVALUATED_ITEMS } from './members.ts';
import { NUMBERS } from './numbers.ts';
import type { SchemaFacts, SchemaParams } from './params.ts';
import { DEPENDENTS, REQUIRED } from './required.ts';
import { TEXTS } from './texts.ts';
import { TYPE, VALUES } from './values.ts';

/** In the order in which `explain` lists them: every keyword that judges values. Their params are in `params.ts`. */
export const KEYWORDS: Family<SchemaParams> = {
  ...TYPE,
  ...REQUIRED,
  ...VALUES,
  ...OTHER_MEMBERS,
  ...STRING_LENGTHS,
  ...NUMBERS,
  ...TEXTS,
  ...ARRAY_LENGTHS,
  ...ITEMS,
  ...UNEVALUATED_ITEMS,
  ...WHOLE_ARRAY,
  ...OBJECT_LENGTHS,
  ...NAMES,
  ...DEPENDENTS,
  ...ALTERNATIVES,
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

type SchemaRule = keyof SchemaParams;

/** The facts of some rules, for functions that take those of any. */
interface RuleFacts<R extends SchemaRule> {
  readonly rule: R;
  readonly params: SchemaParams[R];
}

/** What is known of the rule: a keyword of a draft, or one of the caller, which has no more than a name. */
export function rowOf<R extends SchemaRule>(rule: R): Keyword<SchemaParams[R]> {
  if (Object.hasOwn(KEYWORDS, rule)) return KEYWORDS[rule];
  return { text: null, sentence: () => `the keyword ${quote(rule)} does not allow this value` };
}

export function sentence<R extends SchemaRule>({ rule, params }: RuleFacts<R>, found: Found): string {
  return rowOf(rule).sentence(params, found);
}

/** A member that is missing; `because`: the one that requires it, if it is not required anyway. */
interface MissingMember {
  readonly missing: string;
  readonly because: string | null;
}

/** The facts that `node`, which has the keyword, gives. `member`: the one that the keyword requires; else null. */
export function stated(keyword: string, node: SchemaNode, member: MissingMember | null): SchemaFacts {
  const rule = keyword as SchemaRule; // one that judges a value by itself
  const { missing, because } = member ?? {};
  const required = because == null ? { missing } : { missing, because };
  const params = member === null ? KEYWORDS[rule].ofSchema?.(node) : required;
  return { rule, params: params ?? {} } as SchemaFacts; // what is not there comes from the payload
}

/** The facts with the params that come from the payload. */
export function completed<R extends SchemaRule>({ rule, params }: RuleFacts<R>, seen: Seen): SchemaFacts {
  return { rule, params: rowOf(rule).ofPayload?.(params, seen) ?? params } as SchemaFacts; // of the same rule
}

/** The facts without text of the payload. */
export function withoutText(facts: SchemaFacts): SchemaFacts {
  const { rule } = facts;
  return rowOf(rule).anchor === 'name' ? ({ rule, params: {} } as SchemaFacts) : facts; // such params may be absent
}

/** The name of the member that a violation is about, which is payload text; null: it is about a value. */
export function nameIn<R extends SchemaRule>({ rule, params }: RuleFacts<R>): string | null {
  return rowOf(rule).nameIn?.(params) ?? null;
}

/** What was probably meant; null: there is no guess. */
export function suggestion<R extends SchemaRule>({ rule, params }: RuleFacts<R>, about: About): Suggested | null {
  return rowOf(rule).suggest?.(params, about) ?? null;
}
