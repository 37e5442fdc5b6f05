/**
 * The keywords of a schema, by what accept does with them. Which keywords count depends on the draft.
 */
import { isKeywordOf } from '../schema/keyword-drafts.ts';
import type { SchemaObject, SchemaSet } from '../schema/load.ts';
import type { JsonType } from './shape.ts';

/** What a keyword needs: a function for branches, code for the types it applies to, or an examination. */
type Treatment =
  | 'branch'
  | 'assertion'
  /** It does not affect validity, or only together with another keyword, which looks at it. */
  | 'annotation'
  | { readonly unsupported: readonly JsonType[] | null };

const UNSUPPORTED = { unsupported: null } as const;
const assertions = (names: string): Record<string, Treatment> =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'assertion']));
const branches = (names: string): Record<string, Treatment> =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'branch']));

/**
 * Every keyword that can reject a value in examine. All others are annotations. The last ones are asserted by Ajv and
 * its formats, although no draft has them.
 */
const KEYWORDS: Readonly<Record<string, Treatment>> = {
  ...assertions('type enum const'),
  ...assertions('minLength maxLength pattern format'),
  ...assertions('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...assertions('properties patternProperties additionalProperties propertyNames required'),
  ...assertions('minProperties maxProperties dependencies'),
  ...assertions('dependentRequired dependentSchemas'),
  ...assertions('items minItems maxItems uniqueItems contains'),
  ...assertions('prefixItems'),
  ...branches('$ref allOf anyOf oneOf not if'),
  // Mostly replaced by others before, see unevaluated.ts.
  unevaluatedProperties: { unsupported: ['object'] },
  unevaluatedItems: { unsupported: ['array'] },
  $dynamicRef: 'branch',
  $recursiveRef: UNSUPPORTED,
  nullable: UNSUPPORTED,
  discriminator: UNSUPPORTED,
  formatMinimum: UNSUPPORTED,
  formatMaximum: UNSUPPORTED,
  formatExclusiveMinimum: UNSUPPORTED,
  formatExclusiveMaximum: UNSUPPORTED,
};

/** The names of the keywords for which accept has code, in any draft. */
export const SUPPORTED: readonly string[] = Object.entries(KEYWORDS)
  .filter(([, treatment]) => typeof treatment === 'string')
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
    const treatment = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]! : null;
    if (treatment === null || !isKeywordOf(dialect, name)) continue;
    if (treatment === 'assertion') own.push(name);
    else if (treatment === 'branch') applied.push(name);
    else if (treatment !== 'annotation')
      unsupported.push({ types: treatment.unsupported, reason: `the keyword "${name}"` });
  }
  return { own, branches: applied, unsupported };
}
