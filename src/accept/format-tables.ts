/**
 * The automata of formats, made when the package is built, see `toText`: by pattern. Here are none: from source, the
 * patterns are compiled like those of a schema. The build replaces this module.
 */
export const FORMAT_TABLES: ReadonlyMap<string, string> = new Map();
