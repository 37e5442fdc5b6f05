/**
 * The keywords of a schema, by what accept does with them.
 */
import { ARRAY_CODES, NUMBER_CODES, OBJECT_CODES, STRING_CODES } from '../keywords/codes.ts';
import { REQUIRING } from '../keywords/index.ts';
import { DIALECT, type DialectKeyword, keywordsWhere } from '../schema/dialect.ts';
import { oncePerNode } from '../schema/node.ts';
import { ITEM_KEYWORDS } from './arrays.ts';
import { BRANCH_KEYWORDS } from './branches.ts';
import { OBJECT_KEYWORDS } from './objects.ts';
import type { JsonType } from './shape.ts';

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

/** The keywords of one schema that matter. */
export interface SchemaKeywords {
  readonly own: readonly DialectKeyword[];
  readonly branches: readonly DialectKeyword[];
  /** `types`: the types whose values are unsure; null: all. */
  readonly unsupported: readonly { readonly types: readonly JsonType[] | null; readonly reason: string }[];
}

/** The keywords of `schema`. */
export const keywordsOf = oncePerNode((schema): SchemaKeywords => {
  const own: DialectKeyword[] = [];
  const branches: DialectKeyword[] = [];
  const unsupported: SchemaKeywords['unsupported'][number][] = [];
  for (const name of REJECTING) {
    if (schema[name] === undefined) continue;
    if (!SUPPORTED.has(name))
      unsupported.push({ types: DIALECT[name].about, reason: `the keyword "${name}"` });
    else if (BRANCHES.has(name)) branches.push(name);
    else own.push(name);
  }
  return { own, branches, unsupported };
});
