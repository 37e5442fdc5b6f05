/** The defaults that payloads are checked with, as if they were filled in: plain data, which threads can be given. */

export interface WantedDefaults {
  /** Null: none; payloads are checked as they are. */
  readonly texts: DefaultMap | null;
  /**
   * Defaults that are not filled in, but that reports mention as what `fill` would insert. Absent: reports mention
   * none.
   */
  readonly fixes?: DefaultMap;
}

export const NO_DEFAULTS: WantedDefaults = { texts: null };

/**
 * By place of a schema (`content-item.schema.json#/properties/active`): the JSON text of its `default`. In the order of
 * the files.
 */
export type DefaultMap = ReadonlyMap<string, string>;
