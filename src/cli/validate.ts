/**
 * `paylint validate`: report every violation.
 */
import { NO_DEFAULTS } from '../engines/schema-data.ts';
import type { Io } from '../input/io.ts';
import { exitCode } from './exit.ts';
import { VALIDATE_FLAGS, type ValidateFlags } from './flags.ts';
import { runJob } from './job.ts';
import { findSources, resolveSettings, settingsDefaults } from './options.ts';

/** Resolves to the exit code; null where there is nothing to do but to show the help. */
export async function validate(
  paths: readonly string[],
  typed: ValidateFlags,
  io: Io,
): Promise<number | null> {
  const settings = await resolveSettings(typed, io, VALIDATE_FLAGS);
  const { flags } = settings;
  const found = await findSources(paths, settings, io);
  if (found === null) return null;
  if (flags.listFiles) return (await import('./list-files.ts')).listFiles(found, flags, io);
  const defaults = flags.withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS;
  const counts = await runJob(
    found,
    settings,
    { defaults, outlet: null, destination: null, reportStream: io.stdout, advice: flags.advice === true },
    io,
  );
  return exitCode(counts, flags, found, io);
}
