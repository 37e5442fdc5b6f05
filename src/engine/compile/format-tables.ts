/**
 * The automata of formats as text (see `toText`), by pattern. They are made when the package is built: the build
 * replaces this module. Here the map is empty, so the patterns of formats are compiled like those of a schema.
 */
export const FORMAT_TABLES: ReadonlyMap<string, string> = new Map();
