/**
 * A schema whose root asserts nothing accepts everything, although it looks as if it did not: it has definitions that nothing leads to, or
 * annotations only.
 */
import { formatPointer } from '../json/pointer.ts';
import { quote } from '../words/escape.ts';
import { isKeywordOf } from './keyword-drafts.ts';
import { ASSERTING } from './known-keywords.ts';
import type { Dialect } from './load.ts';
import { isSchemaObject, type SchemaObject, subschemasOf } from './subschemas.ts';

const DEFINITIONS = ['$defs', 'definitions'] as const;

/** Keywords that assert something only beside one of others. */
const NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['then', 'else']],
  ['then', ['if']],
  ['else', ['if']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]);

/** True if a keyword of `schema` can reject a value in that draft. */
export function assertsAnything(schema: SchemaObject, dialect: Dialect): boolean {
  return Object.keys(schema).some((name) => {
    if (!ASSERTING.has(name) || DEFINITIONS.some((one) => one === name) || !isKeywordOf(dialect, name))
      return false;
    const needed = NEEDS.get(name);
    return needed === undefined || needed.some((other) => schema[other] !== undefined);
  });
}

/** What is probably missing in a root that asserts nothing, as a question; null if there is no definition to refer to. */
export function missingReference(root: SchemaObject): string | null {
  const places = DEFINITIONS.flatMap((keyword) => {
    const definitions = root[keyword];
    return isSchemaObject(definitions)
      ? Object.keys(definitions).map((name) => [keyword, name] as const)
      : [];
  });
  const references = places.map((place) => `#${formatPointer(place)}`);
  const used = new Set(places.flatMap((place) => referencesOf(root, place)));
  // The one that no other definition needs.
  const [reference, another] = [...references].sort((a, b) => Number(used.has(a)) - Number(used.has(b)));
  if (reference === undefined) return null;
  const text = quote(reference);
  const isSure = another === undefined || (!used.has(reference) && used.has(another));
  return isSure ? `is "$ref": ${text} missing?` : `is a "$ref" missing, to ${text} or another definition?`;
}

/** What a definition refers to, apart from itself. */
function referencesOf(root: SchemaObject, [keyword, name]: readonly [string, string]): string[] {
  const own = `#${formatPointer([keyword, name])}`;
  const found: string[] = [];
  const rest: unknown[] = [(root[keyword] as SchemaObject)[name]]; // an object, as its name was found in it
  while (rest.length > 0) {
    const schema = rest.pop();
    if (!isSchemaObject(schema)) continue;
    if (typeof schema.$ref === 'string' && schema.$ref !== own) found.push(schema.$ref);
    for (const [, inner] of subschemasOf(schema)) rest.push(inner);
  }
  return found;
}
