/**
 * A run that is a gate: its exit code says whether payloads are invalid, apart from what the baseline knows.
 */
import { isAdvice, levelOf } from '../check/levels.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import type { Rule } from '../types.ts';
import type { BaselineFile } from './baseline-file.ts';
import type { ValidateFlags } from './flags.ts';
import { exitCode, type RunChoices, runJob } from './run-job.ts';
import type { Found, Settings } from './settings.ts';

/** Runs over `found`, and resolves to the exit code. Throws UsageError, and what `runJob` throws. */
export async function runGate(
  found: Found,
  settings: Settings<ValidateFlags>,
  choices: RunChoices,
  io: Io,
): Promise<number> {
  const { flags } = settings;
  const known = await openBaseline(settings, io);
  const counts = await runJob(found, settings, { ...choices, baseline: known?.baseline ?? null }, io);
  if (known === null) return exitCode(counts, flags, found, io);
  await known.finish(flags.quiet === true, found.searched, io);
  const { errors, warnings } = known.baseline;
  const { payloads, failures } = counts;
  return exitCode({ payloads, failures, invalid: errors, warnings }, flags, found, io);
}

/** Null: no baseline. Throws UsageError. */
async function openBaseline(
  { flags, config, baseline }: Settings<ValidateFlags>,
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
  const isOff = (rule: Rule): boolean =>
    levelOf(rule, config.rules) === 'off' ||
    (isAdvice(rule) && !flags.advice) ||
    (rule === 'format' && flags.assertFormats === false);
  return BaselineFile.open(baseline, { updates: flags.updateBaseline === true, isOff }, io);
}
