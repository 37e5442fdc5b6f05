/**
 * `paylint compare`: payloads by two schemas in one pass. Those that the old one accepts and the new one rejects are
 * reported as invalid; all others are only counted.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import type { Io } from '../input/io.ts';
import type { Destination } from '../outlet/outlet.ts';
import { StreamDestination } from '../outlet/stream-destination.ts';
import { findSources, listFiles } from './find-sources.ts';
import { runGate } from './gate.ts';
import { oldSchemas } from './old-schemas.ts';
import { resolveSettings, schemasOf } from './options.ts';
import { outputFile } from './outputs.ts';
import { printConfig } from './print-config.ts';
import type { Settings } from './settings.ts';
import { COMPARE_FLAGS, type CompareFlags } from './verb-flags.ts';

/** Resolves to the exit code; null if only the help is to be shown. */
export async function compare(paths: readonly string[], typed: CompareFlags, io: Io): Promise<number | null> {
  const { against, rejects } = typed;
  if (against === undefined) throw new UsageError('--against OLD is missing: the schema to compare with');
  if (rejects === '-')
    throw new UsageError('--rejects -: the report goes to standard output; name a file, such as /dev/stderr');
  const settings = grouped(await resolveSettings(typed, io, COMPARE_FLAGS));
  const { flags, config } = settings;
  if (flags.printConfig) return printConfig(settings, COMPARE_FLAGS, io);
  if (schemasOf(flags, config).length > 0)
    throw new UsageError('the config has several schemas, and compare takes one: --schema NEW is missing');
  const written = rejects === undefined ? [] : [resolve(io.cwd, rejects)];
  const old = await oldSchemas(against, settings, written, io);
  const found = await findSources(paths, settings, io, { written, others: old.paths, byConfig: true });
  if (found === null) return null;
  if (flags.listFiles) return listFiles(found, flags, io);
  const sources = found.sources.map(old.asRead);
  const output = await rejectsTo(rejects, io);
  const choices = { defaults: NO_DEFAULTS, ...output, reportStream: io.stdout, against: old.against };
  return runGate({ ...found, sources }, settings, choices, io);
}

/** `pretty` shows what breaks by its causes. */
function grouped(settings: Settings<CompareFlags>): Settings<CompareFlags> {
  return { ...settings, reports: { ...settings.reports, grouped: true } };
}

/** The payloads before a signal are written nowhere else, so they are kept. */
async function rejectsTo(
  file: string | undefined,
  io: Io,
): Promise<{
  readonly outlet: { readonly type: 'rejects' } | null;
  readonly destination: Destination | null;
}> {
  if (file === undefined) return { outlet: null, destination: null };
  return {
    outlet: { type: 'rejects' },
    destination: new StreamDestination([await outputFile(file, true, io)]),
  };
}
