/** `paylint validate`: a gate, whose exit code says whether payloads are invalid, apart from what the baseline knows. */

import { VALIDATE_FLAGS, type ValidateFlags } from '../config/flags.ts';
import { checksOf, type Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import type { Baseline } from '../report/baseline.ts';
import type { Counts } from '../run/counts.ts';
import type { GateCounts } from '../run/exit.ts';
import type { Io } from '../source/io.ts';
import type { Rule } from '../types.ts';
import { isSought } from '../words/rule-levels.ts';
import type { BaselineFile } from './baseline-file.ts';
import type { FoundSources } from './find-sources.ts';
import { runVerb } from './payload-verb.ts';

export function validate(paths: readonly string[], typed: ValidateFlags, io: Io): Promise<number> {
  const watchFault = typed.updateBaseline ? '--watch and --update-baseline do not go together' : null;
  const verb = { name: 'validate', groups: VALIDATE_FLAGS, paths, typed, watchFault };
  return runVerb(verb, io, async (settings, world) => {
    const { flags, config } = settings;
    return {
      ...{ settings, byConfig: true },
      async run(found, job) {
        const [first] = flags.shard === undefined ? [] : ((await checksOf(config, false))?.relations ?? []);
        if (first !== undefined)
          throw new UsageError(
            `--shard: check/${first.id} compares all payloads, and reports of shards do not say with which: check all of them in one run`,
          );
        const options = { advice: flags.advice === true };
        const run = (baseline: Baseline | null) =>
          job({ options, report: { baseline }, countsFillable: true, relates: true });
        return runGate(found, settings, run, world);
      },
    };
  });
}

/** `run`: gets the baseline; null: there is none. Resolves to the counts without what it knows. Throws UsageError. */
export async function runGate(
  { searched }: FoundSources,
  settings: Settings<ValidateFlags>,
  run: (baseline: Baseline | null) => Promise<Counts>,
  io: Io,
): Promise<GateCounts> {
  const known = await baselineOf(settings, io);
  const counts = await run(known?.baseline ?? null);
  await known?.finish(settings.flags.quiet === true, searched);
  return known?.baseline.others(counts) ?? counts;
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
