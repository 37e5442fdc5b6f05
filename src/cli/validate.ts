/**
 * `paylint validate`: report every violation; the sink that keeps nothing.
 */
import type { Io } from '../types.ts';
import { exitCode } from './exit.ts';
import type { ValidateFlags } from './flags.ts';
import { runJob } from './job.ts';
import { findSources, resolveSettings, settingsDefaults } from './options.ts';

/** Resolves to the exit code; null where there is nothing to do but to show the help. */
export async function validate(
  paths: readonly string[],
  flags: ValidateFlags,
  io: Io,
): Promise<number | null> {
  const settings = await resolveSettings(flags, io);
  const found = await findSources(paths, settings, io);
  if (found === null) return null;
  if (flags.listFiles) return (await import('./list-files.ts')).listFiles(found, flags, io);
  const chosen = flags.withDefaults ? await settingsDefaults(settings, false) : null;
  const counts = await runJob(found, settings, { chosen, fill: null, reportStream: io.stdout }, io);
  return exitCode(counts, flags, io);
}
