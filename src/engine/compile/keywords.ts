/** The keywords of a schema, by what accept does with them. */
import { memoizedWeakly } from '../../json/on-demand.ts';
import type { JsonType } from '../../json/vocabulary.ts';
import { ARRAY_CODES, NUMBER_CODES, OBJECT_CODES, STRING_CODES } from '../../keywords/codes.ts';
import { REQUIRING } from '../../keywords/index.ts';
import { DIALECT, type DialectKeyword, keywordsWhere } from '../../schema/dialect.ts';
import type { SchemaNode } from '../../schema/node.ts';
import { ITEM_KEYWORDS } from './arrays.ts';
import { BRANCH_KEYWORDS } from './branches.ts';
import { OBJECT_KEYWORDS } from './objects.ts';

/** The keywords for which accept has code. */
export const SUPPORTED: ReadonlySet<DialectKeyword> = new Set([
  ...(['type', 'enum', 'const'] as const),
  ...OBJECT_KEYWORDS,
  ...REQUIRING,
  ...ITEM_KEYWORDS,
  ...[...STRING_CODES, ...NUMBER_CODES, ...ARRAY_CODES, ...OBJECT_CODES].flatMap(({ keywords }) => keywords),
  ...BRANCH_KEYWORDS,
]);

const BRANCHES: ReadonlySet<DialectKeyword> = new Set(BRANCH_KEYWORDS);

/** Those that can reject a value. A keyword that only modifies another one is read by the code for the other one. */
const REJECTING = keywordsWhere(({ role }) => role !== 'beside');

/** The keywords of a schema that matter: those that apply schemas to the value itself are `branches`. */
export const keywordsOf = memoizedWeakly((schema: SchemaNode) => {
  const all = REJECTING.filter((name) => schema[name] !== undefined);
  const isBranch = (name: DialectKeyword): boolean => BRANCHES.has(name);
  return { own: all.filter((name) => !isBranch(name)), branches: all.filter(isBranch) };
});

/** Why values of a type, or (null) of some type, are unsure because of a keyword; null: there is no such keyword. */
export function unsupportedIn(schema: SchemaNode, type: JsonType | null): string | null {
  const keyword = keywordsOf(schema).own.find((name) => {
    const about: readonly JsonType[] | null = DIALECT[name].about;
    return !SUPPORTED.has(name) && (type === null || about === null || about.includes(type));
  });
  return keyword === undefined ? null : `the keyword "${keyword}"`;
}
