/**
 * What was typed, together with the config: the input of the verbs.
 */

import type { Config } from '../config/config.ts';
import type { LoadSchemas } from '../engines/accept.ts';
import type { FormatName } from '../report/formats.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Failure, Source } from '../types.ts';
import type { CheckFlags } from './flags.ts';

/** A report that is to be written. */
export interface ReportChoice {
  readonly name: FormatName;
  readonly file: string | null;
  /** It contains everything, whatever the flags for other reports are. */
  readonly whole?: true;
}

/** Which reports are written, and where to. */
export interface ReportChoices {
  readonly targets: readonly ReportChoice[];
  /** Files are relative to it: to the folder of the config, if it is the config that names them. */
  readonly folder: string;
}

/** Flags and config together. */
export interface Settings<Flags extends CheckFlags = CheckFlags> {
  /** Those that were typed, and those of the config. */
  readonly flags: Flags;
  /** Those that were typed. */
  readonly typed: Flags;
  readonly config: Config;
  readonly schemas: LoadSchemas;
  /** The same with the files that they are loaded from, which the bundled ones need not be read for. */
  readonly files: () => Promise<LoadedSchemas>;
  /** The schemas are the bundled ones, which are known to compile. */
  readonly bundled: boolean;
  readonly reports: ReportChoices;
  /** Absolute path of the baseline; null: there is none. */
  readonly baseline: string | null;
}

export interface Found {
  readonly sources: readonly Source[];
  readonly failures: readonly Failure[];
  /** If there are no sources: what leaves files out, each as a message names it. */
  readonly leftOutBy: readonly string[];
  /** Globs of the config's `kinds` that match no source. */
  readonly unmatchedKinds: readonly string[];
}
