/**
 * The type for the defaults of a schema set.
 */

/**
 * By place of a schema (`content-item.schema.json#/properties/active`): the JSON text of its `default`. In the order of
 * the files.
 */
export type DefaultMap = ReadonlyMap<string, string>;
