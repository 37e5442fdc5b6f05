/** `paylint validate`: a gate, whose exit code says whether payloads are invalid, apart from what the baseline knows. */
import { checksOf } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import type { Io } from '../source/io.ts';
import type { Rule } from '../types.ts';
import { isSought } from '../words/rule-levels.ts';
import type { BaselineFile } from './baseline-file.ts';
import { exitCode } from './exit.ts';
import { findSources, listFiles, watchFound } from './find-sources.ts';
import { VALIDATE_FLAGS, type ValidateFlags } from './flags.ts';
import { resolveSettings, settingsDefaults } from './options.ts';
import { type RunChoices, runJob } from './run-job.ts';
import type { FoundSources, Settings } from './settings.ts';
import type { Watched } from './watch.ts';

export async function validate(paths: readonly string[], typed: ValidateFlags, io: Io): Promise<number> {
  if (!typed.watch || typed.printConfig || typed.listFiles) return validateOnce(paths, typed, io, null);
  if (typed.updateBaseline) throw new UsageError('--watch and --update-baseline do not go together');
  const { watch } = await import('./watch.ts');
  return watch((files, world) => validateOnce(paths, typed, world, files), paths, typed, io);
}

/** `files`: told of what is read and written; null: there is no watch. */
async function validateOnce(
  paths: readonly string[],
  typed: ValidateFlags,
  io: Io,
  files: Watched | null,
): Promise<number> {
  const settings = await resolveSettings(typed, io, VALIDATE_FLAGS, 'validate');
  const { flags } = settings;
  if (flags.printConfig)
    return (await import('./print-config.ts')).printConfig(settings, VALIDATE_FLAGS, 'validate', io);
  const notStdin = flags.watch ? '--watch watches files' : null;
  const found = await findSources(paths, settings, io, { byConfig: true, notStdin });
  if (files !== null) await watchFound(files, found, settings, io);
  if (flags.listFiles) return listFiles(found, flags, io);
  const [first] = flags.shard === undefined ? [] : ((await checksOf(settings.config, false))?.relations ?? []);
  if (first !== undefined)
    throw new UsageError(
      `--shard: check/${first.id} compares all payloads, and reports of shards do not say with which: check all of them in one run`,
    );
  const defaults = flags.withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS;
  return runGate(found, settings, { defaults, countsFillable: true, advice: flags.advice === true, relates: true }, io);
}

/** Runs over `found`, and resolves to the exit code. Throws UsageError, and what `runJob` throws. */
export async function runGate(
  found: FoundSources,
  settings: Settings<ValidateFlags>,
  choices: RunChoices,
  io: Io,
): Promise<number> {
  const { flags } = settings;
  const known = await baselineOf(settings, io);
  const counts = await runJob(found, settings, { ...choices, baseline: known?.baseline ?? null }, io);
  await known?.finish(flags.quiet === true, found.searched);
  return exitCode(known?.baseline.others(counts) ?? counts, flags, found, io);
}

/** Null: no baseline. Throws UsageError. */
async function baselineOf(
  { flags, config, baseline, checks, relations }: Settings<ValidateFlags>,
  io: Io,
): Promise<BaselineFile | null> {
  if (baseline === null) {
    if (flags.updateBaseline)
      throw new UsageError('--update-baseline needs --baseline FILE, or a baseline in the config');
    return null;
  }
  if (flags.bail)
    throw new UsageError('--bail cannot be used with a baseline: it would stop at payloads whose violations are known');
  const { openBaseline } = await import('./baseline-file.ts');
  const asked = new Set([...checks, ...relations].flatMap(({ id }) => [`check/${id}`, `check/${id}/evaluation`]));
  const isOff = (rule: Rule): boolean =>
    !isSought(rule, { rules: config.rules, advice: flags.advice === true }) ||
    (rule.startsWith('check/') && !asked.has(rule)) ||
    (rule === 'format' && flags.assertFormats === false);
  return openBaseline(baseline, { updates: flags.updateBaseline === true, isOff }, io);
}
