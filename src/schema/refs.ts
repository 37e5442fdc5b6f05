/**
 * Follows a `$ref` from schema to schema, without compiling anything.
 */
import { atPointer, type Schema, type SchemaObject, type SchemaSet } from './load.ts';

/**
 * The schema that the `$ref` of `schema` leads to; undefined if it leads to no subschema of the loaded files, as with
 * an anchor or a base URI set by a subschema's `$id`.
 */
export function resolveRef(set: SchemaSet, schema: SchemaObject): Schema | undefined {
  const place = set.locations.get(schema);
  const from = set.documents.find(({ name }) => place?.startsWith(`${name}#`) === true);
  if (from === undefined || typeof schema.$ref !== 'string') return undefined;
  const url = new URL(schema.$ref, from.uri);
  const fragment = decodeURIComponent(url.hash.slice(1));
  const wanted = url.href.split('#')[0]!;
  const document = set.documents.find(({ uri, aliases }) => uri === wanted || aliases.includes(wanted));
  if (document === undefined || (fragment !== '' && !fragment.startsWith('/'))) return undefined;
  const target = atPointer(document.schema, fragment);
  return typeof target === 'boolean' || set.locations.has(target as object) ? (target as Schema) : undefined;
}
