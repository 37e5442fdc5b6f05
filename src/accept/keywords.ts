/**
 * The keywords of a schema, by what accept does with them.
 */
import type { SchemaNode } from '../schema/node.ts';
import type { JsonType } from './shape.ts';

/** What a keyword needs: a function for branches, code for the types it applies to, or an examination. */
type Treatment =
  | 'branch'
  | 'assertion'
  /** It does not affect validity, or only together with another keyword, which looks at it. */
  | 'annotation'
  | { readonly unsupported: readonly JsonType[] | null };

const UNSUPPORTED = { unsupported: null } as const;
const all = (names: string, treatment: Treatment): Record<string, Treatment> =>
  Object.fromEntries(names.split(' ').map((name) => [name, treatment]));

/**
 * Every keyword that can reject a value in examine. All others are annotations. The last ones are those of ajv-formats,
 * which no draft has.
 */
const KEYWORDS: Readonly<Record<string, Treatment>> = {
  ...all('type enum const', 'assertion'),
  ...all('minLength maxLength pattern format', 'assertion'),
  ...all('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', 'assertion'),
  ...all('properties patternProperties additionalProperties propertyNames required', 'assertion'),
  ...all('minProperties maxProperties dependentRequired dependentSchemas', 'assertion'),
  ...all('prefixItems items minItems maxItems uniqueItems contains', 'assertion'),
  ...all('$ref allOf anyOf oneOf not if', 'branch'),
  // Mostly replaced by others before, see unevaluated.ts.
  unevaluatedProperties: { unsupported: ['object'] },
  unevaluatedItems: { unsupported: ['array'] },
  formatMinimum: UNSUPPORTED,
  formatMaximum: UNSUPPORTED,
  formatExclusiveMinimum: UNSUPPORTED,
  formatExclusiveMaximum: UNSUPPORTED,
};

/** The names of the keywords for which accept has code. */
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

const KNOWN = new WeakMap<SchemaNode, SchemaKeywords>();

/** The keywords of `schema`. */
export function keywordsOf(schema: SchemaNode): SchemaKeywords {
  let known = KNOWN.get(schema);
  if (known === undefined) {
    known = sort(schema);
    KNOWN.set(schema, known);
  }
  return known;
}

function sort(schema: SchemaNode): SchemaKeywords {
  const own: string[] = [];
  const applied: string[] = [];
  const unsupported: SchemaKeywords['unsupported'][number][] = [];
  for (const name of Object.keys(schema)) {
    const treatment = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]! : 'annotation';
    if (treatment === 'assertion') own.push(name);
    else if (treatment === 'branch') applied.push(name);
    else if (treatment !== 'annotation')
      unsupported.push({ types: treatment.unsupported, reason: `the keyword "${name}"` });
  }
  return { own, branches: applied, unsupported };
}
