/**
 * Which missing objects `fill --deep` makes: those that the defaults of their schema alone make valid. Looks at the
 * schema only, and says no for keywords that it does not support; `fill/defaults.ts` decides, by compiling the schema.
 */
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';

const ANNOTATIONS = ['$comment', 'title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
const OWN = ['id', 'origin'];
/** Keywords that an object of the required members, with their defaults, cannot violate. */
const JUDGED = new Set([
  ...OWN,
  ...ANNOTATIONS,
  ...['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
]);
const BESIDE_REF = new Set([...OWN, ...ANNOTATIONS, '$ref']);

/**
 * True if `fill --deep` makes the object for `schema`, of a required member. `has`: whether a member has a default that
 * is filled in; `around`: the schemas that contain it.
 */
export function isMade(
  schema: Schema,
  has: (member: SchemaNode) => boolean,
  around: ReadonlySet<Schema> = new Set(),
): boolean {
  if (!isNode(schema) || around.has(schema)) return false;
  const inside = new Set(around).add(schema);
  const keywords = Object.keys(schema);
  const { $ref = [], type, required = [], properties = {} } = schema;
  if ($ref.length === 1 && keywords.every((keyword) => BESIDE_REF.has(keyword)))
    return isMade($ref[0]!, has, inside);
  if (type !== 'object' || !keywords.every((keyword) => JUDGED.has(keyword))) return false;
  return required.every((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isNode(member)) return false;
    return has(member) || isMade(member, has, inside);
  });
}
