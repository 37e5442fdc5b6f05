/**
 * What an instance is made of, as `openPaylint` makes it.
 */
import type { Judging } from '../check/levels.ts';
import type { Schemas } from '../engines/accept.ts';
import type { Examiner } from '../examine/examine.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Limits } from '../types.ts';
import type { FileRules, Settings } from './settings.ts';
import type { TextCodes } from './text-codes.ts';
import type { TextFiller } from './text-filler.ts';

/** The parts of an instance. */
export interface Parts {
  readonly set: LoadedSchemas;
  readonly warnings: readonly string[];
  readonly kind: string | null;
  readonly limits: Limits;
  /** The schemas are those of the guards. */
  readonly areBundled: boolean;
  /** How bad the violations of each rule are, and whether there is advice. */
  readonly judging: Required<Judging>;
  readonly files: FileRules;
  /** See `Settings`. */
  readonly baseline: Settings['baseline'];
  readonly reading: Settings['reading'];
  readonly schemas: Schemas;
  /** The code of the engines for payloads of a kind; null: of any kind. */
  readonly codesOf: (kind: string | null) => TextCodes;
  readonly examiner: Examiner;
  /** It finds the kind of a payload, and does not judge it. */
  readonly finder: Examiner;
  /** They check payloads as they are once filled. */
  readonly fillers: Readonly<Record<'shallow' | 'deep', () => Fillers>>;
}

/** What fills, and decides where the other is unsure. */
export interface Fillers {
  readonly filler: TextFiller;
  readonly examiner: Examiner;
}
