/**
 * Keywords that assert nothing where they are: those of other drafts, those that mean something only beside another
 * keyword, and a root of only annotations, or of definitions without references to them, which accepts everything,
 * although it may look strict.
 */
import { basename } from 'node:path';
import { formatPointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { quote } from '../words/escape.ts';
import { type RawObject, subschemasIn } from './document.ts';
import { DRAFTS, type Draft, type KeywordTable } from './drafts.ts';

/** By keyword: what is missing beside it, as the end of a sentence; null: nothing is. */
type Missing = (schema: RawObject) => string | null;

const needs =
  (...names: readonly string[]): Missing =>
  (schema) =>
    names.some((name) => schema[name] !== undefined)
      ? null
      : `without ${names.map((name) => quote(name)).join(' or ')}`;

/** A keyword for what another one leaves over: it leaves nothing, unless it is `false`, which allows nothing either. */
const nothingAfter =
  (name: string, what: string): Missing =>
  (schema) => {
    const other = schema[name];
    return other === undefined || other === false || Array.isArray(other)
      ? null
      : `beside ${quote(name)}, which leaves no ${what} over`;
  };

const MISSING: Readonly<Record<string, Missing>> = {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: needs('if'),
  else: needs('if'),
  if: needs('then', 'else'),
  minContains: needs('contains'),
  maxContains: needs('contains'),
  additionalItems: ({ items }) => (Array.isArray(items) ? null : 'without a list of schemas in "items"'),
  unevaluatedItems: nothingAfter('items', 'item'),
  unevaluatedProperties: nothingAfter('additionalProperties', 'member'),
};

/**
 * Why the keyword called `name`, which the draft of the schema has, asserts nothing there; null: it does, or is `true`.
 * `hasUnevaluated`: `unevaluatedProperties` or `unevaluatedItems` is somewhere in the schemas: they ask `if` by itself, too.
 */
export function idleFault(name: string, schema: RawObject, hasUnevaluated: boolean): string | null {
  if (!Object.hasOwn(MISSING, name) || schema[name] === true) return null;
  if (name === 'if' && hasUnevaluated) return null;
  const missing = MISSING[name]!(schema);
  return missing === null ? null : `${quote(name)} asserts nothing ${missing}`;
}

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

const DEFINITIONS = ['$defs', 'definitions'] as const;

/** Keywords that assert something only beside one of the listed others. */
const NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['then', 'else']],
  ['then', ['if']],
  ['else', ['if']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]);

/** True if a keyword of `schema` can reject a value. `keywords`: those of its draft. */
export function assertsAnything(schema: RawObject, keywords: KeywordTable): boolean {
  return Object.keys(schema).some((name) => {
    if (!asserts(keywords, name)) return false;
    const needed = NEEDS.get(name);
    return needed === undefined || needed.some((other) => schema[other] !== undefined);
  });
}

/**
 * What is probably missing in a root that asserts nothing, as a question; null if there is no definition to refer to.
 * `file`: its name.
 */
export function missingReference(root: RawObject, file: string, keywords: KeywordTable): string | null {
  const places = DEFINITIONS.flatMap((keyword) => {
    const definitions = root[keyword];
    return isJsonObject(definitions) ? Object.keys(definitions).map((name) => [keyword, name] as const) : [];
  });
  const used = new Set(places.flatMap((place) => referencesOf(root, place, keywords)));
  const named = new Set([root.title, basename(file).replace(/\..*/, '')].map(lettersOf));
  // Prefer a definition that is named like the schema, or that no other definition needs.
  const ranked = places
    .map((place) => ({ place, reference: `#${formatPointer(place)}` }))
    .map(({ place, reference }) => ({
      reference,
      rank: named.has(lettersOf(place[1])) ? 0 : used.has(reference) ? 2 : 1,
    }))
    .sort((a, b) => a.rank - b.rank);
  const [first, second] = ranked;
  if (first === undefined) return null;
  const text = quote(first.reference);
  const isSure = second === undefined || first.rank < second.rank;
  return isSure ? `is "$ref": ${text} missing?` : `is a "$ref" missing, to ${text} or another definition?`;
}

function lettersOf(name: unknown): string {
  return typeof name === 'string' ? name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') : '';
}

/** What a definition refers to, apart from itself. */
function referencesOf(
  root: RawObject,
  [keyword, name]: readonly [string, string],
  keywords: KeywordTable,
): string[] {
  const own = `#${formatPointer([keyword, name])}`;
  const found: string[] = [];
  const rest: unknown[] = [(root[keyword] as RawObject)[name]]; // an object, as its name was found in it
  while (rest.length > 0) {
    const schema = rest.pop();
    if (!isJsonObject(schema)) continue;
    if (typeof schema.$ref === 'string' && schema.$ref !== own) found.push(schema.$ref);
    for (const [inside, value] of Object.entries(schema))
      if (Object.hasOwn(keywords, inside))
        for (const [, inner] of subschemasIn(keywords[inside]!, value)) rest.push(inner);
  }
  return found;
}
