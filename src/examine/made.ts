/**
 * Which missing objects `fill --deep` makes: those that the defaults of their schema alone make valid. It looks at the schema
 * only, and says no for a schema with keywords that it does not judge; `fill/defaults.ts` decides, by compiling the schema.
 */
import { isSchemaObject, type SchemaSet } from '../schema/load.ts';
import { isNode, type Schema } from '../schema/node.ts';
import { resolveRef } from '../schema/refs.ts';

/** Keywords that an object of the required members, with their defaults, cannot violate. */
const JUDGED = new Set([
  ...['$comment', '$id', 'title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
]);
const BESIDE_REF = new Set(['$ref', '$comment', 'title', 'description', 'examples', 'deprecated']);

/** True if `fill --deep` makes the object that `schema`, of a required member, is about. */
export function isMade(schema: unknown, set: SchemaSet, seen: Set<unknown> = new Set()): boolean {
  if (!isSchemaObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const keywords = Object.keys(schema);
  if (typeof schema.$ref === 'string' && keywords.every((keyword) => BESIDE_REF.has(keyword)))
    return isMade(resolveRef(set, schema), set, seen);
  if (schema.type !== 'object' || !keywords.every((keyword) => JUDGED.has(keyword))) return false;
  const { required = [], properties = {} } = schema;
  if (!Array.isArray(required) || !isSchemaObject(properties)) return false;
  return required.map(String).every((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isSchemaObject(member) || name in Object.prototype) return false;
    return member.default !== undefined || isMade(member, set, new Set(seen));
  });
}

/** Keywords of nodes that an object of the required members, with their defaults, cannot violate. */
const NODE_JUDGED = new Set(['id', 'origin', ...JUDGED]);
const NODE_BESIDE_REF = new Set(['id', 'origin', ...BESIDE_REF]);

/** The same for a node. */
export function isMadeBy(schema: Schema, seen: ReadonlySet<Schema> = new Set()): boolean {
  if (!isNode(schema) || seen.has(schema)) return false;
  const inside = new Set(seen).add(schema);
  const keywords = Object.keys(schema);
  const { $ref = [], type, required = [], properties = {} } = schema;
  if ($ref.length === 1 && keywords.every((keyword) => NODE_BESIDE_REF.has(keyword)))
    return isMadeBy($ref[0]!, inside);
  if (type !== 'object' || !keywords.every((keyword) => NODE_JUDGED.has(keyword))) return false;
  return required.every((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isNode(member) || name in Object.prototype) return false;
    return member.default !== undefined || isMadeBy(member, inside);
  });
}
