/** The command line together with the config: the input of the verbs. */
import type { Config } from '../config/config.ts';
import type { LoadSchemas } from '../engine/accept.ts';
import type { FormatName } from '../report/report-formats.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Check, Failure, Relation, Source } from '../types.ts';
import type { CheckFlags } from './flags.ts';

export interface ReportChoice {
  readonly name: FormatName;
  readonly file: string | null;
  /** It contains all violations, regardless of the flags for other reports. */
  readonly whole?: true;
  /** If it is text: it has the summary alone. */
  readonly summaryOnly?: true;
}

export const PRETTY: ReportChoice = { name: 'pretty', file: null };

/** The message about two formats. `where`: `standard output`. */
export function onlyOne(where: string): string {
  return `only one format can go to ${where}; give the others a file: --format NAME=FILE`;
}

export interface ReportChoices {
  readonly targets: readonly ReportChoice[];
  /** Files are relative to it. It is the folder of the config if the config names the files. */
  readonly folder: string;
  /** Payloads are tests. Absent: false. */
  readonly tests?: boolean;
  /** `pretty` shows violations by what is wrong. Absent: one by one. */
  readonly grouped?: boolean;
}

export interface Settings<Flags extends CheckFlags = CheckFlags> {
  /** Those that were typed, and those of the config. */
  readonly flags: Flags;
  readonly typed: Flags;
  readonly config: Config;
  readonly schemas: LoadSchemas;
  /** The same with their files, which need not be read for the bundled schemas. */
  readonly files: () => Promise<LoadedSchemas>;
  /** The schemas are the bundled ones, which are known to compile. */
  readonly bundled: boolean;
  /** Those of the config, and with `--advice` those of the kinds. */
  readonly checks: readonly Check[];
  /** The checks that compare payloads. */
  readonly relations: readonly Relation[];
  readonly reports: ReportChoices;
  /** Absolute path of the baseline; null: there is none. */
  readonly baseline: string | null;
}

export interface FoundSources {
  readonly sources: readonly Source[];
  readonly failures: readonly Failure[];
  /** Absolute paths of the folders that were searched; that of a glob is the one before its first wildcard. */
  readonly searched: readonly string[];
  /** If there are no sources: the options that excluded files, as messages name them. */
  readonly leftOutBy: readonly string[];
  /** No PATH was given: the sources are the files of the config, or standard input, which is empty. Absent: neither. */
  readonly from?: 'config' | 'empty input';
}
