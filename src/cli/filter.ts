/** `paylint filter`: the valid payloads, or the invalid ones, byte for byte. The report goes to standard error. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import { StreamDestination } from '../run/outlets/stream-destination.ts';
import type { Io } from '../source/io.ts';
import { exitCode } from './exit.ts';
import { findSources, listFiles } from './find-sources.ts';
import { resolveSettings, settingsDefaults } from './options.ts';
import { outputFile, standardOutput } from './outputs.ts';
import { printConfig } from './print-config.ts';
import { runJob } from './run-job.ts';
import type { Settings } from './settings.ts';
import { FILTER_FLAGS, type FilterFlags } from './verb-flags.ts';

export async function filter(paths: readonly string[], typed: FilterFlags, io: Io): Promise<number> {
  checkFlags(typed, io);
  const resolved = await resolveSettings(typed, io, FILTER_FLAGS, 'filter');
  const { flags } = resolved;
  if (flags.printConfig) return printConfig(resolved, FILTER_FLAGS, 'filter', io);
  const { invert, rejects, reasons, withDefaults } = flags;
  const settings = withReasons(quietly(resolved), reasons, io);
  const written = rejects === undefined ? [] : [resolve(io.cwd, rejects)];
  const found = await findSources(paths, settings, io, { written });
  if (flags.listFiles) return listFiles(found, flags, io);
  const defaults = withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS;
  const outlet = {
    type: 'filter',
    invert: invert === true,
    rejects: rejects !== undefined,
    reasons: reasons !== undefined,
  } as const;
  const targets = [standardOutput(io)];
  // The rejected payloads before a signal are written nowhere else, so they are kept.
  if (rejects !== undefined) targets.push(await outputFile(rejects, { keepsPart: true }, io));
  const destination = new StreamDestination(targets);
  const choices = { defaults, outlet, destination, reportStream: io.stderr };
  return exitCode(await runJob(found, settings, choices, io), flags, found, io);
}

function checkFlags({ invert, rejects, reasons }: FilterFlags, io: Io): void {
  if (rejects === '' || reasons === '')
    throw new UsageError(`${rejects === '' ? '--rejects' : '--reasons'}: the name of the file is missing`);
  if (rejects === '-' || reasons === '-') {
    throw new UsageError(
      `${rejects === '-' ? '--rejects' : '--reasons'} -: standard output has payloads; name a file, such as /dev/stderr`,
    );
  }
  if (invert && reasons !== undefined) {
    throw new UsageError(
      '--reasons says what is wrong with the payloads that are left out, and with --invert these are valid; --format ndjson=FILE reports all',
    );
  }
  if (rejects !== undefined && reasons !== undefined && resolve(io.cwd, rejects) === resolve(io.cwd, reasons))
    throw new UsageError('--rejects and --reasons name the same file');
}

/** With `--quiet`, a text on standard error is the summary alone: what is wrong is in the payloads that are left out. */
function quietly<Flags extends FilterFlags>(settings: Settings<Flags>): Settings<Flags> {
  if (settings.flags.quiet !== true) return settings;
  const targets = settings.reports.targets.map((target) =>
    target.file === null ? { ...target, summaryOnly: true as const } : target,
  );
  return { ...settings, reports: { ...settings.reports, targets } };
}

function withReasons(settings: Settings, file: string | undefined, io: Io): Settings {
  if (file === undefined) return settings;
  const { targets, folder } = settings.reports;
  const reasons = { name: 'ndjson', file: resolve(io.cwd, file), whole: true } as const;
  return { ...settings, reports: { targets: [...targets, reasons], folder } };
}
