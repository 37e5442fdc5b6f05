/**
 * Schemas of tests and of people, as values of JSON that nothing has resolved.
 */

export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** True for a schema that is an object, which means that it has keywords. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}
