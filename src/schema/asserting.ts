/**
 * What asserts nothing, although it may look strict. A root with only annotations, or definitions without references to
 * them, accepts everything. A keyword may mean something only beside another one, or say what the other one says already.
 */

import { basename } from 'node:path';
import { formatPointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { quote } from '../words/escape.ts';
import { DIALECT, type DialectKeyword } from './dialect.ts';
import { type RawObject, subschemasIn } from './document.ts';
import type { KeywordTable } from './drafts.ts';
import { asserts } from './known-keywords.ts';

const DEFINITIONS = ['$defs', 'definitions'] as const;

/** True if a keyword of `schema` can reject a value. `keywords`: those of its draft. */
export function assertsAnything(schema: RawObject, keywords: KeywordTable): boolean {
  return Object.keys(schema).some((name) => asserts(keywords, name) && neededBeside(name, schema) === null);
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
function referencesOf(root: RawObject, [keyword, name]: readonly [string, string], keywords: KeywordTable): string[] {
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

/** The keywords of which the one called `name` needs one beside it, if there is none in `schema`; else null. */
function neededBeside(name: string, schema: RawObject): readonly string[] | null {
  const needed = Object.hasOwn(DIALECT, name) ? DIALECT[name as DialectKeyword].needs : undefined;
  return needed === undefined || needed.some((other) => schema[other] !== undefined) ? null : needed;
}

/** Keywords for what another one leaves over: it leaves nothing, unless it is `false`, which allows nothing either. */
const LEFTOVERS: Readonly<Record<string, readonly [other: string, what: string]>> = {
  unevaluatedItems: ['items', 'item'],
  unevaluatedProperties: ['additionalProperties', 'member'],
};

/**
 * Why the keyword called `name`, which the draft of the schema has, asserts nothing there; null: it does, or is `true`.
 * `hasUnevaluated`: `unevaluatedProperties` or `unevaluatedItems` is somewhere in the schemas: they ask `if` by itself, too.
 */
export function idleFault(name: string, schema: RawObject, hasUnevaluated: boolean): string | null {
  if (schema[name] === true || (name === 'if' && hasUnevaluated)) return null;
  const why = idleReason(name, schema);
  return why === null ? null : `${quote(name)} asserts nothing ${why}`;
}

function idleReason(name: string, schema: RawObject): string | null {
  const needed = neededBeside(name, schema);
  if (needed !== null) return `without ${needed.map((other) => quote(other)).join(' or ')}`;
  if (name === 'additionalItems') return Array.isArray(schema.items) ? null : 'without a list of schemas in "items"';
  if (!Object.hasOwn(LEFTOVERS, name)) return null;
  const [other, what] = LEFTOVERS[name]!;
  const value = schema[other];
  if (value === undefined || value === false || Array.isArray(value)) return null;
  return `beside ${quote(other)}, which leaves no ${what} over`;
}
