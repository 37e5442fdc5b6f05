/** One run of a verb: from settings to the options, schemas and reports of `run`, and from its counts to the exit code. */

import type { Settings } from '../config/settings.ts';
import type { SchemaChoice } from '../engine/accept.ts';
import { withoutUndefined } from '../json/on-demand.ts';
import { PAYLOAD_BYTES, PAYLOAD_LEVELS } from '../limits.ts';
import { PRECOMPILED } from '../package.ts';
import { NO_DEFAULTS, type WantedDefaults } from '../repair/wanted-defaults.ts';
import type { Baseline } from '../report/baseline.ts';
import { Report, type ReportTarget } from '../report/report.ts';
import { budgetOf, NO_BUDGET, type Plan } from '../run/check/flow.ts';
import type { Counts } from '../run/counts.ts';
import type { Job } from '../run/job.ts';
import { run } from '../run/run.ts';
import type { Io } from '../source/io.ts';
import { visible } from '../words/escape.ts';
import { notCompared } from '../words/own-rules.ts';
import { type FoundSources, mayBeEmpty } from './find-sources.ts';
import { settingsDefaults } from './options.ts';
import { changedNames, isTextReport, openReports, shownViolations, showsOnly, wantsFixes } from './reports.ts';
import { ProgressLine } from './terminal.ts';

/** The parts of a job that a verb adds to what its settings say. */
export interface VerbJob
  extends Partial<Pick<Job, 'against' | 'ajv' | 'check' | 'coverage' | 'destination' | 'held' | 'removed'>> {
  readonly options?: Partial<Pick<Plan, 'advice' | 'covers' | 'engine' | 'outlet'>>;
  /** Absent: judged, and with defaults only if the flags say so. */
  readonly schemas?: Partial<Pick<SchemaChoice, 'reads' | 'defaults'>>;
  readonly report?: ReportParts;
  /** The summary says how many members `fill` adds, where a violation is fixable. */
  readonly countsFillable?: boolean;
  /** Payloads are compared as checks say. Absent: they are not, and a note says so. */
  readonly relates?: true;
}

interface ReportParts {
  /** Absent: standard output. */
  readonly stream?: Io['stdout'];
  /** Standard output carries the names of the files in which something is changed. */
  readonly listsNames?: boolean;
  /** Reports of their own kind, beside those of the settings. */
  readonly targets?: readonly ReportTarget[];
  readonly baseline?: Baseline | null;
}

/** Runs over `found`. Throws what `run` throws. */
export async function runJob(found: FoundSources, settings: Settings, verb: VerbJob, io: Io) {
  const { destination } = verb;
  const { stream = io.stdout, targets: own = [], listsNames = false, baseline = null } = verb.report ?? {};
  const progress = new ProgressLine(io, found.sources, settings.flags.quiet !== true);
  /** The reasons for a better verdict. */
  const lowered: string[] = [];
  const isPlain = settings.config.path === null && settings.flags.maxInvalid === undefined;
  const effects = isPlain ? null : await import('./lowered.ts');
  const filter = effects?.withEffects(baseline, settings, found, (clauses) => lowered.push(...clauses)) ?? baseline;
  const targets = await openReports(settings, stream, io).catch(async (error: unknown) => {
    await destination?.close();
    throw error;
  });
  targets.push(...own);
  if (listsNames) targets.push(changedNames(io));
  const report = new Report(targets, () => progress.clear(), destination?.writesFiles === true, filter);
  try {
    const job = await jobOf(found, settings, verb, io);
    const counts = await run(job, report, progress, io);
    if (settings.bundled && settings.flags.quiet !== true && hasNoKind(counts)) io.stderr.write(OF_NO_KIND);
    return counts;
  } finally {
    // If a run ends before its reports are complete, none of them is kept.
    await report.discard();
    // The progress line ends here, because a message or the shell's prompt follows on a new line.
    progress.clear();
    // Formats for programs have no summary in words.
    if (!isTextReport(settings) || settings.flags.quiet === true)
      for (const clause of lowered) io.stderr.write(`paylint: ${visible(clause)}\n`);
  }
}

/** Payloads, and all of no kind: they are probably not meant for the built-in schemas. */
function hasNoKind({ payloads, rules }: Counts): boolean {
  return payloads > 0 && rules.get('unknown-kind') === payloads;
}

const OF_NO_KIND =
  'paylint: note: no payload is of a built-in kind; --schema FILE, or "schema" in paylint.config.json, checks payloads by your own schema\n';

async function jobOf(found: FoundSources, settings: Settings, verb: VerbJob, io: Io): Promise<Job> {
  const { reads } = verb.schemas ?? {};
  const defaults =
    verb.schemas?.defaults ?? (settings.flags.withDefaults ? await settingsDefaults(settings, false) : NO_DEFAULTS);
  const options = Object.freeze({
    ...runOptions(settings, verb, defaults),
    ...(await relationsFor(settings, verb, io)),
    syntaxOnly: reads !== undefined,
  });
  const { sources, failures } = found;
  const { against, ajv, check, coverage, removed, destination = null, held = null } = verb;
  const { shard: part } = settings.flags;
  const shard = part && `${part.index}/${part.count}`;
  const job = {
    ...{ sources, failures },
    ...withoutUndefined({ against, ajv, check, coverage, removed, shard }),
    schemas: schemasOf(settings, reads === undefined ? await withFixes(settings, defaults) : defaults, reads),
    options,
    mayBeEmpty: mayBeEmpty(settings.flags),
    hints: settings.flags.quiet !== true,
    threads: settings.flags.threads ?? null,
    destination,
    held,
  };
  if (verb.countsFillable !== true) return job;
  const filling = async (): Promise<SchemaChoice> => schemasOf(settings, await settingsDefaults(settings, false));
  return {
    ...job,
    fillable: async (fixable) => (await import('../run/fillable.ts')).fillableIn(fixable, job, filling, io),
  };
}

async function relationsFor(
  { relations, flags }: Settings,
  { relates, schemas }: VerbJob,
  io: Io,
): Promise<Pick<Plan, 'relations'>> {
  if (relations.length === 0 || schemas?.reads !== undefined) return {};
  if (relates) {
    const { relationsOf } = await import('../run/check/related-values.ts');
    return relationsOf(relations);
  }
  if (!flags.quiet) io.stderr.write(`paylint: note: ${notCompared(relations, 'validate')}\n`);
  return {};
}

/** If payloads are not repaired but a report shows what `fill` and `prune` would do, with the defaults for that. */
async function withFixes(settings: Settings, defaults: WantedDefaults): Promise<WantedDefaults> {
  if (defaults.texts !== null || defaults.prunes !== undefined || !wantsFixes(settings)) return defaults;
  const { readAllowedDefaults } = await import('../repair/defaults.ts');
  const fixes = await readAllowedDefaults(await settings.files(), settings.bundled);
  return { texts: null, fixes, prunes: 'reports' };
}

/** `reads`: payloads need only be well formed. */
function schemasOf(
  { schemas, bundled }: Settings,
  defaults: WantedDefaults,
  reads?: SchemaChoice['reads'],
): SchemaChoice {
  const precompiled = bundled && (reads ?? 'kinds') === 'kinds' ? PRECOMPILED : null;
  const isInterpreted = !bundled && defaults.texts === null;
  return {
    load: schemas,
    precompiled,
    defaults,
    ...(reads === undefined ? { interpreted: isInterpreted } : { reads }),
  };
}

/** Whether `filter` may leave violations that it does not show uncounted: that is so if there is only a `pretty` report. */
function needsOnlyVerdicts(settings: Settings, { options, report }: VerbJob, { texts }: WantedDefaults): boolean {
  const { outlet, advice } = options ?? {};
  if (outlet?.type !== 'filter' || outlet.reasons || advice || report?.baseline || texts) return false;
  const levels = Object.values(settings.config.rules);
  return levels.every((level) => level === 'error') && showsOnly(settings, 'pretty');
}

function runOptions(settings: Settings, verb: VerbJob, defaults: WantedDefaults): Plan {
  const { outlet = null, advice = false, engine = 'plain', covers } = verb.options ?? {};
  const baseline = verb.report?.baseline ?? null;
  const { flags } = settings;
  return {
    framing: flags.input ?? null,
    whole: flags.whole === true,
    maxBytes: flags.maxPayloadBytes ?? PAYLOAD_BYTES,
    maxDepth: flags.maxDepth ?? PAYLOAD_LEVELS,
    redact: flags.redact === true,
    bail: flags.bail === true,
    ...shownViolations(settings),
    ...(needsOnlyVerdicts(settings, verb, defaults) ? { verdicts: true } : {}),
    // A baseline has to see each violation.
    ...(baseline === null ? {} : { budget: NO_BUDGET, each: true, examples: false }),
    outlet,
    engine,
    // Violations are only counted.
    ...(covers === undefined ? {} : { covers, budget: budgetOf(0, true) }),
    rules: settings.config.rules,
    advice,
    ...(settings.checks.length === 0 || verb.schemas?.reads !== undefined ? {} : { checks: settings.checks }),
  };
}
