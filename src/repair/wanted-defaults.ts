/** How payloads are repaired before they are checked: plain data, which threads can be given. */

export interface WantedDefaults {
  /** The defaults that are filled in. Null: none. */
  readonly texts: DefaultMap | null;
  /** Defaults that reports mention as what `fill` would insert. Absent: none. */
  readonly fixes?: DefaultMap;
  /** What takes out the members that the schemas do not allow: the run, or, as fixes, only its reports. Absent: nothing. */
  readonly prunes?: 'payloads' | 'reports';
}

export const NO_DEFAULTS: WantedDefaults = { texts: null };

/** The JSON text of `default` by the place of its schema (`x.schema.json#/properties/active`), in file order. */
export type DefaultMap = ReadonlyMap<string, string>;
