/**
 * The parts of an instance, as `openPaylint` makes them.
 */
import type { Judging } from '../check/levels.ts';
import type { FileRules } from '../config/config-schemas.ts';
import type { Examiner } from '../examine/examine.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Limits } from '../types.ts';
import type { Settings } from './instance-settings.ts';
import type { ReadySchemas } from './ready-schemas.ts';
import type { TextFiller } from './text-filler.ts';

/** The parts of an instance. */
export interface Parts {
  readonly set: LoadedSchemas;
  readonly warnings: readonly string[];
  readonly kind: string | null;
  readonly limits: Limits;
  /** The schemas are the bundled ones, which the guards use. */
  readonly areBundled: boolean;
  /** The level of the violations of each rule, and whether there is advice. */
  readonly judging: Required<Judging>;
  readonly files: FileRules;
  /** See `Settings`. */
  readonly baseline: Settings['baseline'];
  readonly reading: Settings['reading'];
  readonly schemas: ReadySchemas;
  readonly examiner: Examiner;
  /** Finds the kind of a payload without validating it. */
  readonly finder: Examiner;
  /** Check payloads after they are filled. */
  readonly fillers: Readonly<Record<'shallow' | 'deep', () => Fillers>>;
}

/** The filler, and the examiner for texts of which the filler is unsure. */
export interface Fillers {
  readonly filler: TextFiller;
  readonly examiner: Examiner;
}
