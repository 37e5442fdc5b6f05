/**
 * The keywords of a schema, by what accept does with them. Which keywords count depends on the draft.
 */
import type { SchemaObject, SchemaSet } from '../schema/load.ts';
import type { JsonType } from './shape.ts';

/** What a keyword needs: a function for branches, code for the types it applies to, or an examination. */
type Treatment =
  | 'branch'
  | 'assertion'
  /** It does not affect validity, or only together with another keyword, which looks at it. */
  | 'annotation'
  | { readonly unsupported: readonly JsonType[] | null };

/** The drafts in which a keyword counts: all, or those from 2019-09 on, or only one. */
type Drafts = 'all' | 'new' | '2020-12';

interface Keyword {
  readonly treatment: Treatment;
  readonly drafts?: Drafts;
}

const UNSUPPORTED = { treatment: { unsupported: null } } as const;
const assertions = (names: string, drafts: Drafts = 'all'): Record<string, Keyword> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { treatment: 'assertion', drafts }]));
const branches = (names: string): Record<string, Keyword> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { treatment: 'branch' }]));

/**
 * Every keyword that can reject a value in examine. All others are annotations. The last ones are asserted by Ajv and
 * its formats, although no draft has them.
 */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...assertions('type enum const'),
  ...assertions('minLength maxLength pattern format'),
  ...assertions('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...assertions('properties patternProperties additionalProperties propertyNames required'),
  ...assertions('minProperties maxProperties dependencies'),
  ...assertions('dependentRequired dependentSchemas', 'new'),
  ...assertions('items minItems maxItems uniqueItems contains'),
  ...assertions('prefixItems', '2020-12'),
  ...branches('$ref allOf anyOf oneOf not if'),
  // Mostly replaced by others before, see unevaluated.ts.
  unevaluatedProperties: { treatment: { unsupported: ['object'] }, drafts: 'new' },
  unevaluatedItems: { treatment: { unsupported: ['array'] }, drafts: 'new' },
  $dynamicRef: { treatment: 'branch', drafts: 'new' },
  $recursiveRef: { ...UNSUPPORTED, drafts: 'new' },
  nullable: UNSUPPORTED,
  discriminator: UNSUPPORTED,
  formatMinimum: UNSUPPORTED,
  formatMaximum: UNSUPPORTED,
  formatExclusiveMinimum: UNSUPPORTED,
  formatExclusiveMaximum: UNSUPPORTED,
};

/** The names of the keywords for which accept has code, in any draft. */
export const SUPPORTED: readonly string[] = Object.entries(KEYWORDS)
  .filter(([, { treatment }]) => typeof treatment === 'string')
  .map(([name]) => name);

/** The keywords of one schema that matter. */
export interface SchemaKeywords {
  readonly own: readonly string[];
  readonly branches: readonly string[];
  /** `types`: the types whose values are unsure; null: all. */
  readonly unsupported: readonly { readonly types: readonly JsonType[] | null; readonly reason: string }[];
}

const KNOWN = new WeakMap<SchemaObject, SchemaKeywords>();

/** The keywords of `schema` in the draft of the set. */
export function keywordsOf(schema: SchemaObject, { set }: { readonly set: SchemaSet }): SchemaKeywords {
  let known = KNOWN.get(schema);
  if (known === undefined) {
    known = sort(schema, set);
    KNOWN.set(schema, known);
  }
  return known;
}

function sort(schema: SchemaObject, { dialect }: SchemaSet): SchemaKeywords {
  const own: string[] = [];
  const applied: string[] = [];
  const unsupported: SchemaKeywords['unsupported'][number][] = [];
  for (const name of Object.keys(schema)) {
    const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]! : null;
    if (keyword === null || !counts(keyword.drafts ?? 'all', dialect)) continue;
    const { treatment } = keyword;
    if (treatment === 'assertion') own.push(name);
    else if (treatment === 'branch') applied.push(name);
    else if (treatment !== 'annotation')
      unsupported.push({ types: treatment.unsupported, reason: `the keyword "${name}"` });
  }
  return { own, branches: applied, unsupported };
}

function counts(drafts: Drafts, dialect: SchemaSet['dialect']): boolean {
  switch (drafts) {
    case 'all':
      return true;
    case 'new':
      return dialect !== 'draft-07';
    case '2020-12':
      return dialect === '2020-12';
  }
}
