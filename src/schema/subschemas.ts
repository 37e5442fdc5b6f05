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

/**
 * Every value at the place of a subschema, with the tokens that lead to it. It does not check that the value is a
 * schema.
 */
export function* subschemasOf(
  schema: SchemaObject,
): Generator<[tokens: (string | number)[], inner: unknown]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      if (lists!.has(keyword)) for (const [i, item] of value.entries()) yield [[keyword, i], item];
    } else if (isSchemaObject(value)) {
      if (maps!.has(keyword)) for (const [name, item] of Object.entries(value)) yield [[keyword, name], item];
      else if (one!.has(keyword)) yield [[keyword], value];
    }
  }
}
