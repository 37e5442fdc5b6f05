/**
 * The places of subschemas in a schema: the keywords of draft-07, 2019-09 and 2020-12 whose values are schemas. The
 * value of any other keyword is data, in which a `$ref` means nothing.
 */

export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** True for a schema that is an object, which means that it has keywords. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

/** Keywords with a schema, or (`items` before 2020-12) a list of schemas. */
const ONE =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties';
const LISTS = 'allOf anyOf items oneOf prefixItems';
const MAPS = '$defs definitions dependencies dependentSchemas patternProperties properties';

const [one, lists, maps] = [ONE, LISTS, MAPS].map((keywords) => new Set(keywords.split(' ')));

/** A value at the place of a subschema, with the tokens that lead to it. */
export type Placed = readonly [tokens: readonly (string | number)[], inner: unknown];

/** What `subschemasOf` found: a start asks several times, and schemas do not change. */
const known = new WeakMap<SchemaObject, readonly Placed[]>();

/**
 * Every value at the place of a subschema. It does not check that the value is a schema. A list, because a generator
 * takes longer for the many small schemas of a large one.
 */
export function subschemasOf(schema: SchemaObject): readonly Placed[] {
  let found = known.get(schema);
  if (found === undefined) {
    found = findSubschemas(schema);
    known.set(schema, found);
  }
  return found;
}

function findSubschemas(schema: SchemaObject): readonly Placed[] {
  const found: Placed[] = [];
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      if (lists!.has(keyword)) for (let i = 0; i < value.length; i++) found.push([[keyword, i], value[i]]);
    } else if (maps!.has(keyword)) {
      const members = value as SchemaObject;
      for (const name of Object.keys(members)) found.push([[keyword, name], members[name]]);
    } else if (one!.has(keyword)) found.push([[keyword], value]);
  }
  return found;
}
