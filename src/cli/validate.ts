/**
 * `paylint validate`: report every violation.
 */
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import type { Io } from '../source/io.ts';
import { findSources, listFiles, tellFiles } from './find-sources.ts';
import { VALIDATE_FLAGS, type ValidateFlags } from './flags.ts';
import { runGate } from './gate.ts';
import { resolveSettings, settingsDefaults } from './options.ts';
import type { Settings } from './settings.ts';
import type { RoundFiles } from './watch.ts';

/** Resolves to the exit code; null if only the help is to be shown. */
export async function validate(
  paths: readonly string[],
  typed: ValidateFlags,
  io: Io,
): Promise<number | null> {
  if (!typed.watch || typed.printConfig || typed.listFiles) return validateOnce(paths, typed, io, null);
  if (typed.updateBaseline) throw new UsageError('--watch and --update-baseline do not go together');
  const { watch } = await import('./watch.ts');
  return watch((files) => validateOnce(paths, typed, io, files), paths, typed, io);
}

/** `files`: told of what is read and written; null: there is no watch. */
async function validateOnce(
  paths: readonly string[],
  typed: ValidateFlags,
  io: Io,
  files: RoundFiles | null,
): Promise<number | null> {
  const settings = await resolveSettings(typed, io, VALIDATE_FLAGS);
  const { flags } = settings;
  if (flags.printConfig) return (await import('./print-config.ts')).printConfig(settings, VALIDATE_FLAGS, io);
  const found = await findSources(paths, settings, io, { byConfig: true });
  if (found === null) return null;
  if (files !== null) await tellFiles(files, found, settings, io);
  if (flags.listFiles) return listFiles(found, flags, io);
  if (flags.shard !== undefined) await refuseShard(settings);
  const defaults = flags.withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS;
  const choices = {
    defaults,
    outlet: null,
    destination: null,
    reportStream: io.stdout,
    advice: flags.advice === true,
    relates: true as const,
    files,
  };
  return runGate(found, settings, choices, io);
}

/** Throws UsageError if the config has checks that ask for all payloads. */
async function refuseShard({ config }: Settings): Promise<void> {
  if (config.checks === null) return;
  const { readChecks } = await import('../config/checks.ts');
  const [first] = readChecks(config, false).relations;
  if (first !== undefined)
    throw new UsageError(
      `--shard: check/${first.id} compares all payloads, and reports of shards do not say with which: check all of them in one run`,
    );
}
