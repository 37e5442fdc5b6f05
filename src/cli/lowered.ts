/**
 * Adds to the summary how the config helped the run to pass, and which of its globs match no file.
 */

import type { EventFilter } from '../report/report.ts';
import { loweredBy } from '../report/summary.ts';
import type { ConfigEffects, Summary } from '../types.ts';
import type { CheckFlags, GateFlags } from './flags.ts';
import type { Settings } from './settings.ts';

/**
 * Call it after `baseline` has changed the summary. `unmatched`: globs of `kinds`; `said` receives a clause for each
 * reason for a better verdict.
 */
export function withEffects(
  baseline: EventFilter | null,
  settings: Settings,
  unmatched: readonly string[],
  said: (lowered: readonly string[]) => void,
): EventFilter {
  let failsCheck = false;
  return {
    event(event) {
      if (event.type === 'source') failsCheck ||= event.source.wouldFill === 'check';
      const changed = baseline === null ? event : baseline.event(event);
      if (changed?.type !== 'summary') return changed;
      const effects = {
        ...effectsOn(changed.summary, settings, failsCheck),
        ...(unmatched.length === 0 ? {} : { unmatched }),
      };
      if (Object.keys(effects).length === 0 && changed.summary.off === undefined) return changed;
      const summary = { ...changed.summary, config: [{ file: settings.config.name, ...effects }] };
      said(loweredBy(summary));
      return { ...changed, summary };
    },
  };
}

/** The effects that made the run pass, or reduced its violations. */
function effectsOn(summary: Summary, settings: Settings, failsCheck: boolean): Omit<ConfigEffects, 'file'> {
  const {
    exitZero,
    allowEmpty,
    bail,
    maxWarnings = Number.POSITIVE_INFINITY,
  }: CheckFlags & GateFlags = settings.flags;
  const { typed, baseline, config } = settings;
  const { failures, payloads, invalid, warnings, known = 0 } = summary;
  const fails = invalid > 0 || warnings > maxWarnings;
  // Other causes of an exit code have precedence: a failure, a signal and `fill --check`.
  const decides = failures === 0 && !failsCheck && (!summary.interrupted || bail === true);
  return {
    ...(known > 0 && baseline !== null && typed.baseline === undefined ? { baseline: true } : {}),
    ...(config.vocabularies.length > 0 ? { vocabularies: config.vocabularies } : {}),
    ...(decides && exitZero && !typed.exitZero && fails ? { exitZero: true } : {}),
    ...(decides && allowEmpty && !typed.allowEmpty && payloads === 0 ? { allowEmpty: true } : {}),
  };
}
