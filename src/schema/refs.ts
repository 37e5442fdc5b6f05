/**
 * Follows a `$ref` from schema to schema, without compiling anything.
 */
import { atPointer } from '../json/pointer.ts';
import { isSchemaObject, type LegacySet, PLAIN_FRAGMENT, type Schema, type SchemaObject } from './legacy.ts';

/** By files and schema: where its `$ref` leads to. */
const TARGETS = new WeakMap<LegacySet['documents'], Map<SchemaObject, Schema | undefined>>();

/** The schema that the `$ref` of `schema` leads to; undefined if it leads to no subschema of the loaded files. */
export function resolveRef(set: LegacySet, schema: SchemaObject): Schema | undefined {
  if (typeof schema.$ref !== 'string') return undefined;
  let targets = TARGETS.get(set.documents);
  if (targets === undefined) {
    targets = new Map();
    TARGETS.set(set.documents, targets);
  }
  if (targets.has(schema)) return targets.get(schema);
  const target = resolve(set, schema, schema.$ref);
  targets.set(schema, target);
  return target;
}

/**
 * The schema that the `$dynamicRef` of `schema` leads to, whatever the schemas were on the way to it; undefined if that
 * depends on them. JSON Schema 2020-12, section 8.2.3.2.
 */
export function resolveDynamicRef(set: LegacySet, schema: SchemaObject): Schema | undefined {
  const { $dynamicRef } = schema;
  if (typeof $dynamicRef !== 'string') return undefined;
  const target = resolve(set, schema, $dynamicRef);
  const name = isSchemaObject(target) ? target.$dynamicAnchor : undefined;
  const isRoot = set.documents.some((document) => document.schema === target);
  // Ajv does not follow a reference to a schema that is not the root of a document.
  if (!isRoot || $dynamicRef !== `#${String(name)}`) return undefined;
  return set.identifiers.dynamic.get(String(name))?.length === 1 ? target : undefined;
}

/** The schema that a reference in `schema` leads to; undefined if it leads to nothing in the loaded files. */
export function resolve(set: LegacySet, schema: SchemaObject, reference: string): Schema | undefined {
  const { bases, targets } = set.identifiers;
  const place = set.locations.get(schema);
  const from = set.documents.find(({ name }) => place?.startsWith(`${name}#`) === true);
  if (from === undefined) return undefined;
  const { wanted, fragment } = partsOf(reference, bases.get(schema) ?? from.uri);
  const document = set.documents.find(({ uri, aliases }) => uri === wanted || aliases.includes(wanted));
  if (fragment !== '' && !fragment.startsWith('/'))
    return targets.get(`${document?.uri ?? wanted}#${fragment}`);
  const root = document?.schema ?? targets.get(wanted);
  if (root === undefined) return undefined;
  const target = atPointer(root, fragment);
  return typeof target === 'boolean' || set.locations.has(target as object) ? (target as Schema) : undefined;
}

/** `wanted`: the URI without fragment. `base`: absolute, without fragment. */
function partsOf(reference: string, base: string): { readonly wanted: string; readonly fragment: string } {
  if (PLAIN_FRAGMENT.test(reference)) return { wanted: base, fragment: reference.slice(1) };
  const { href, hash } = new URL(reference, base);
  return { wanted: href.split('#')[0]!, fragment: decodeURIComponent(hash.slice(1)) };
}
