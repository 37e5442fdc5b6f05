/**
 * A schema whose root asserts nothing accepts everything, although it may look strict: it has only annotations, or
 * definitions without references to them.
 */

import { basename } from 'node:path';
import { formatPointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { quote } from '../words/escape.ts';
import type { RawObject } from './document.ts';
import type { KeywordTable } from './drafts/index.ts';
import { asserts } from './keyword-drafts.ts';
import { subschemasIn } from './raw-schema.ts';

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
