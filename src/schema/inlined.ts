/**
 * The bundled schemas as texts inside the program. This file has none: the build puts them into the library, because
 * other bundlers may move it away from the schema files.
 */

/** By file name. */
export const INLINED: ReadonlyMap<string, string> = new Map();

/** Puts them there where they are a file of their own. */
export async function loadInlined(): Promise<void> {}
