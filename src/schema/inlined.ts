/**
 * The schemas that come with paylint, as texts inside the program. There are none here: the build puts them into the library, which other
 * bundlers may move away from the schema files.
 */

/** By file name. */
export const INLINED: ReadonlyMap<string, string> = new Map();
