/** Adds to the summary what helped the run to pass: invalid payloads that are tolerated, and the config. */

import type { Settings } from '../config/settings.ts';
import type { EventFilter } from '../report/report.ts';
import { loweredBy } from '../report/summary.ts';
import { type Exit, exitOf, type Gate } from '../run/exit.ts';
import type { ConfigEffects, Summary } from '../types.ts';
import { gateOf } from './exit.ts';
import type { FoundSources } from './find-sources.ts';

/** `baseline` changes the summary first. `report` receives a clause for each reason for a better verdict. */
export function withEffects(
  baseline: EventFilter | null,
  settings: Settings,
  found: Pick<FoundSources, 'from'>,
  report: (lowered: readonly string[]) => void,
): EventFilter {
  const { typed, config } = settings;
  const gate = gateOf(settings.flags);
  const file = typed.maxInvalid === undefined ? config.name : null;
  return changing(baseline, (before, failsCheck) => {
    const exit = exitOf(countsIn(before, failsCheck, settings.flags.bail === true), gate);
    const files = found.from === 'config' ? { files: true as const } : {};
    const effects = { ...files, ...effectsOn(before, exit, settings) };
    const has = config.path !== null && (Object.keys(effects).length > 0 || before.off !== undefined);
    const summary = {
      ...before,
      ...toleratedIn(before, exit, gate, file),
      ...notToleratedIn(before, gate),
      ...(has ? { config: [{ file: config.name, ...effects }] } : {}),
    };
    const { tolerated: _, ...others } = summary;
    report(loweredBy(settings.flags.quiet && file === null ? others : summary));
    return summary;
  });
}

/** For merged reports: the gate is about their sums. */
export function withTolerance(baseline: EventFilter | null, gate: Gate, failsCheck: boolean): EventFilter {
  return changing(baseline, (summary) => {
    const exit = exitOf(countsIn(summary, failsCheck, false), gate);
    return { ...summary, ...toleratedIn(summary, exit, gate, null), ...notToleratedIn(summary, gate) };
  });
}

/** `change` gets the summary, and whether `fill --check` fails the run. */
function changing(
  baseline: EventFilter | null,
  change: (summary: Summary, failsCheck: boolean) => Summary,
): EventFilter {
  let failsCheck = false;
  return {
    event(event) {
      // `--check` found something to change.
      if (event.type === 'source') failsCheck ||= [event.source.wouldFill, event.source.wouldPrune].includes('check');
      const changed = baseline === null ? event : baseline.event(event);
      if (changed?.type !== 'summary') return changed;
      return { ...changed, summary: change(changed.summary, failsCheck) };
    },
  };
}

function countsIn(summary: Summary, wouldChange: boolean, bails: boolean) {
  const { payloads, invalid, violations, failures, warnings, unread, interrupted } = summary;
  // With a baseline, payloads may have violations that are only counted.
  const others = { invalid: Math.max(invalid, Math.min(violations, 1)), isCut: interrupted === true && !bails };
  return { payloads, failures, warnings, unread: unread?.sources ?? 0, wouldChange, ...others };
}

/** Sources for which what is invalid is not tolerated. */
function notToleratedIn({ unread, payloads, invalid }: Summary, { maxInvalid }: Gate): Pick<Summary, 'unread'> {
  if (unread === undefined || maxInvalid === undefined) return {};
  const isTolerated = exitOf({ payloads, invalid, failures: 0 }, { maxInvalid }).code === 0;
  return isTolerated ? { unread: { ...unread, maxInvalid } } : {};
}

/** `file`: the config that says it; null: it was typed. */
function toleratedIn(
  { invalid }: Summary,
  { by }: Exit,
  { maxInvalid }: Gate,
  file: string | null,
): Pick<Summary, 'tolerated'> {
  if (maxInvalid === undefined || !by.includes('maxInvalid')) return {};
  return { tolerated: { invalid, maxInvalid, ...(file === null ? {} : { config: file }) } };
}

function effectsOn(summary: Summary, { by }: Exit, settings: Settings): Omit<ConfigEffects, 'file'> {
  const { baseline, config, flags, typed } = settings;
  const { known = 0 } = summary;
  const off = Object.keys(config.ownFormats).filter((name) => config.ownFormats[name] === false);
  return {
    ...(known > 0 && baseline !== null && typed.baseline === undefined ? { baseline: true } : {}),
    ...(config.vocabularies.length > 0 ? { vocabularies: config.vocabularies } : {}),
    ...(off.length > 0 ? { formats: off } : {}),
    ...(by.includes('exitZero') && !typed.exitZero ? { exitZero: true } : {}),
    ...(by.includes('mayBeEmpty') && flags.allowEmpty && !typed.allowEmpty ? { allowEmpty: true } : {}),
  };
}
