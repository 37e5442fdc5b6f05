/**
 * `paylint filter`: the valid payloads, or the invalid ones, to standard output, byte for byte; the report goes to standard error.
 */
import { NO_DEFAULTS } from '../engines/schema-data.ts';
import type { Io } from '../input/io.ts';
import { StreamDestination } from '../outlet/stream.ts';
import { Output } from '../output/output.ts';
import { exitCode } from './exit.ts';
import type { FilterFlags } from './flags.ts';
import { runJob } from './job.ts';
import { listFiles } from './list-files.ts';
import { findSources, resolveSettings, settingsDefaults } from './options.ts';

/** Resolves to the exit code; null if there is nothing to do but to show the help. */
export async function filter(paths: readonly string[], flags: FilterFlags, io: Io): Promise<number | null> {
  const settings = await resolveSettings(flags, io);
  const found = await findSources(paths, settings, io);
  if (found === null) return null;
  if (flags.listFiles) return listFiles(found, flags, io);
  const defaults = flags.withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS;
  const outlet = { type: 'filter', invert: flags.invert === true } as const;
  const destination = new StreamDestination(new Output(io.stdout, 'standard output'));
  const choices = { defaults, outlet, destination, reportStream: io.stderr };
  return exitCode(await runJob(found, settings, choices, io), flags, found, io);
}
