/** The defaults that payloads are checked with, as if they were filled in: plain data, which threads can be given. */

export interface WantedDefaults {
  /** Null: none; payloads are checked as they are. */
  readonly texts: DefaultMap | null;
  /** Defaults that reports mention as what `fill` would insert. Absent: none. */
  readonly fixes?: DefaultMap;
}

export const NO_DEFAULTS: WantedDefaults = { texts: null };

/** The JSON text of `default` by the place of its schema (`x.schema.json#/properties/active`), in file order. */
export type DefaultMap = ReadonlyMap<string, string>;
