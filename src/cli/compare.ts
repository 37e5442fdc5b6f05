/**
 * `paylint compare`: payloads by two schemas in one pass, or by two judges. Those that the old one accepts and the new
 * one rejects are reported as invalid; all others are only counted.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import type { Io } from '../source/io.ts';
import { StreamDestination } from '../write/outlets/stream-destination.ts';
import { findSources, listFiles } from './find-sources.ts';
import { runGate } from './gate.ts';
import { oldSchemas } from './old-schemas.ts';
import { resolveSettings, schemasOf } from './options.ts';
import { outputFile } from './outputs.ts';
import { printConfig } from './print-config.ts';
import type { RunChoices } from './run-job.ts';
import type { FoundSources, Settings } from './settings.ts';
import { COMPARE_FLAGS, type CompareFlags } from './verb-flags.ts';

/** Resolves to the exit code; null if only the help is to be shown. */
export async function compare(paths: readonly string[], typed: CompareFlags, io: Io): Promise<number | null> {
  const { against, rejects } = typed;
  if (against === undefined) throw new UsageError('--against OLD is missing: the schema to compare with');
  if (rejects === '-')
    throw new UsageError('--rejects -: the report goes to standard output; name a file, such as /dev/stderr');
  // What is compared is schemas: a payload that fails a check fails it whatever they say.
  const settings = { ...(await resolveSettings(typed, io, COMPARE_FLAGS)), checks: [] };
  const { flags, config } = settings;
  if (flags.printConfig) return printConfig(settings, COMPARE_FLAGS, io);
  if (schemasOf(flags, config).length > 0)
    throw new UsageError('the config has several schemas, and compare takes one: --schema NEW is missing');
  const written = rejects === undefined ? [] : [resolve(io.cwd, rejects)];
  const old = against === AJV ? null : await oldSchemas(against, settings, written, io);
  const found = await findSources(paths, settings, io, { written, others: old?.paths ?? [], byConfig: true });
  if (found === null) return null;
  if (flags.listFiles) return listFiles(found, flags, io);
  if (old === null) return compareJudges(found, settings, rejects, io);
  const sources = found.sources.map(old.asRead);
  const choices = { ...(await choicesFor(rejects, io)), against: old.against, compares: 'schemas' } as const;
  return runGate({ ...found, sources }, grouped(settings), choices, io);
}

/** A file of this name is `./ajv`. */
const AJV = 'ajv';

async function compareJudges(
  found: FoundSources,
  settings: Settings<CompareFlags>,
  rejects: string | undefined,
  io: Io,
): Promise<number> {
  const { ajvJudge } = await import('./compare-ajv.ts');
  const { check, close } = await ajvJudge(settings, io);
  try {
    const choices = { ...(await choicesFor(rejects, io)), check, compares: 'judges' } as const;
    return await runGate(found, settings, choices, io);
  } finally {
    await close();
  }
}

/** `pretty` shows what breaks by its causes. */
function grouped(settings: Settings<CompareFlags>): Settings<CompareFlags> {
  return { ...settings, reports: { ...settings.reports, grouped: true } };
}

/** `rejects`: a file. The payloads before a signal are written nowhere else, so they are kept. */
async function choicesFor(rejects: string | undefined, io: Io): Promise<RunChoices> {
  const choices = { defaults: NO_DEFAULTS, reportStream: io.stdout };
  if (rejects === undefined) return { ...choices, outlet: null, destination: null };
  const destination = new StreamDestination([await outputFile(rejects, true, io)]);
  return { ...choices, outlet: { type: 'rejects' }, destination };
}
