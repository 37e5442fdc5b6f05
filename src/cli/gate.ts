/**
 * A run that is a gate: its exit code says whether payloads are invalid, apart from what the baseline knows.
 */

import { UsageError } from '../errors.ts';
import { isSought } from '../run/check/levels.ts';
import type { Io } from '../source/io.ts';
import type { Rule } from '../types.ts';
import type { BaselineFile } from './baseline-file.ts';
import { exitCode } from './exit.ts';
import type { ValidateFlags } from './flags.ts';
import { type RunChoices, runJob } from './run-job.ts';
import type { FoundSources, Settings } from './settings.ts';

/** Runs over `found`, and resolves to the exit code. Throws UsageError, and what `runJob` throws. */
export async function runGate(
  found: FoundSources,
  settings: Settings<ValidateFlags>,
  choices: RunChoices,
  io: Io,
): Promise<number> {
  const { flags } = settings;
  const known = await openBaseline(settings, io);
  const counts = await runJob(found, settings, { ...choices, baseline: known?.baseline ?? null }, io);
  await known?.finish(flags.quiet === true, found.searched, io);
  return exitCode(known?.baseline.others(counts) ?? counts, flags, found, io);
}

/** Null: no baseline. Throws UsageError. */
async function openBaseline(
  { flags, config, baseline, checks, relations }: Settings<ValidateFlags>,
  io: Io,
): Promise<BaselineFile | null> {
  if (baseline === null) {
    if (flags.updateBaseline)
      throw new UsageError('--update-baseline needs --baseline FILE, or a baseline in the config');
    return null;
  }
  if (flags.bail)
    throw new UsageError(
      '--bail cannot be used with a baseline: it would stop at payloads whose violations are known',
    );
  const { BaselineFile } = await import('./baseline-file.ts');
  const asked = new Set(
    [...checks, ...relations].flatMap(({ id }) => [`check/${id}`, `check/${id}/evaluation`]),
  );
  const isOff = (rule: Rule): boolean =>
    !isSought(rule, { rules: config.rules, advice: flags.advice === true }) ||
    (rule.startsWith('check/') && !asked.has(rule)) ||
    (rule === 'format' && flags.assertFormats === false);
  return BaselineFile.open(baseline, { updates: flags.updateBaseline === true, isOff }, io);
}
