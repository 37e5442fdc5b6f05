/**
 * What an examiner is made from: plain data, which threads can be given.
 */
import type { Choice } from '../fill/choose.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';

/** The defaults that payloads are checked with, as if they were filled in. */
export interface WantedDefaults {
  /** Null: none; payloads are checked as they are. */
  readonly texts: DefaultMap | null;
  /** Which of them are wanted, and at which places; absent: all. */
  readonly choice?: Choice | undefined;
  /** Defaults that are not filled in: they are for what reports say that `fill` would insert. Absent: no report does. */
  readonly fixes?: DefaultMap;
}

export const NO_DEFAULTS: WantedDefaults = { texts: null };

/** `Set`: the schemas, or for threads what they are loaded from. */
export interface SchemaData<Set = SchemaSet> {
  readonly set: Set;
  /** Files made from the schemas when paylint was built; null if there are none. */
  readonly precompiled: PrecompiledFiles | null;
  readonly defaults: WantedDefaults;
}
