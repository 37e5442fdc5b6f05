/**
 * The names of types in schemas. The types of the library name them, without the tables of keywords.
 */

/** The names that `type` can have. */
export const TYPE_NAMES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];
