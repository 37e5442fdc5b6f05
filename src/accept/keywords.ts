/**
 * The keywords of a schema, by what accept does with them.
 */
import { DIALECT, type DialectKeyword, keywordsWhere } from '../schema/dialect.ts';
import { oncePer, type SchemaNode } from '../schema/node.ts';
import { ARRAY_KEYWORDS } from './arrays.ts';
import { BRANCH_KEYWORDS } from './branches.ts';
import { OBJECT_KEYWORDS } from './objects.ts';
import { SCALAR_KEYWORDS } from './scalars.ts';
import type { JsonType } from './shape.ts';

/** The keywords for which accept has code. */
export const SUPPORTED: ReadonlySet<DialectKeyword> = new Set([
  ...SCALAR_KEYWORDS,
  ...OBJECT_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...BRANCH_KEYWORDS,
]);

const BRANCHES: ReadonlySet<DialectKeyword> = new Set(BRANCH_KEYWORDS);

/** Those that can reject a value. A keyword that only modifies another one is read by the code for the other one. */
const REJECTING = keywordsWhere(({ role }) => role !== 'beside');

/** The keywords of one schema that matter. */
export interface SchemaKeywords {
  readonly own: readonly string[];
  readonly branches: readonly string[];
  /** `types`: the types whose values are unsure; null: all. */
  readonly unsupported: readonly { readonly types: readonly JsonType[] | null; readonly reason: string }[];
}

/** The keywords of `schema`. */
export const keywordsOf = oncePer((schema: SchemaNode): SchemaKeywords => {
  const own: string[] = [];
  const branches: string[] = [];
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
