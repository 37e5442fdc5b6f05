/**
 * When something is compiled: one table, with the reasons. Until then, payloads are judged and explained without compiling.
 */
import type { SchemaSet } from '../schema/set.ts';

/**
 * `FirstPayloads` (first.ts): to compile the functions of a schema takes as long as to judge some payloads, and the code that
 * compiles must be loaded.
 */
export const FIRST = {
  /** Payloads of a run that are judged first. If they are small, more are, until they have `bytes` together. */
  payloads: 4,
  bytes: 1 << 13,
  /** A source with one payload of more bytes is left to compiled functions. */
  onePayload: 1 << 17,
} as const;

/** Subschemas of a small schema, at most. */
const SMALL = 150;

/** Invalid payloads of a run, by whether the schema is small, after which the functions that note violations are compiled. */
export function notesAfter({ nodes }: SchemaSet): number {
  return nodes.length > SMALL ? 5000 : 300;
}

/** Texts of the library after which its engine is compiled: it is one for all calls, and most instances judge many. */
export const TEXTS = 8;

/** The same for the functions that note violations of texts. */
export function notesAfterTexts({ nodes }: SchemaSet): number {
  return nodes.length > SMALL ? 5000 : 50;
}
