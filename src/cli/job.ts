/**
 * What the verbs that read payloads have in common: flags and sources in, a run, its counts out.
 */
import { type AcceptSource, lazyAccept } from '../engines/engines.ts';
import { Output } from '../output/output.ts';
import { PRECOMPILED } from '../package.ts';
import { createNames } from '../report/names.ts';
import { Report } from '../report/report.ts';
import type { Counts } from '../run/counts.ts';
import { type FillJob, type Job, run } from '../run/run.ts';
import type { Io } from '../types.ts';
import type { CheckFlags } from './flags.ts';
import { type ChosenDefaults, engineOptions, type Found, type Settings } from './options.ts';
import { Progress } from './progress.ts';
import { isOnlyNdjson, openReports, type ShownViolations, shownViolations } from './reports.ts';

export interface RunChoices {
  /** The defaults with which payloads are judged as if they were filled in; null: as they are. */
  readonly chosen: ChosenDefaults | null;
  readonly fill: FillJob | null;
  /** Where the report goes that has no file. */
  readonly reportStream: Io['stdout'];
  /** Standard output carries the names of the files in which something is filled in. */
  readonly listsNames?: boolean;
}

/** Runs over `found`. Throws what `run` throws. */
export async function runJob(found: Found, settings: Settings, choices: RunChoices, io: Io): Promise<Counts> {
  const { flags, schemas } = settings;
  const { chosen, fill, reportStream } = choices;
  const progress = new Progress(io, found.sources, flags.quiet !== true);
  const targets = await openReports(settings, io, reportStream);
  if (choices.listsNames) {
    const reporter = createNames(io.stdout.isTTY === true);
    targets.push({ reporter, output: new Output(io.stdout, 'standard output') });
  }
  const outlives = fill?.target.writesFiles === true;
  const report = new Report(targets, () => progress.clear(), outlives);
  const job: Job = {
    ...found,
    schemas,
    engineOptions: engineOptions(flags, chosen),
    accept: acceptFor(settings, chosen),
    precompiled: settings.bundled ? PRECOMPILED.kinds : null,
    threads: flags.threads ?? null,
    bail: flags.bail === true,
    fill,
    drawn: isOnlyNdjson(settings),
    options: { ...checkOptions(flags), ...shownViolations(settings) },
  };
  // However it ends, a message or the shell's prompt comes next, on a line of its own.
  return run(job, report, progress, io).finally(() => progress.end());
}

function acceptFor({ schemas, bundled }: Settings, chosen: ChosenDefaults | null): AcceptSource {
  if (chosen === null) return lazyAccept(schemas, null, bundled ? PRECOMPILED.accept : null);
  return lazyAccept(schemas, chosen.defaults, null, chosen.choice?.exact);
}

function checkOptions(flags: CheckFlags): Omit<Job['options'], keyof ShownViolations> {
  return {
    framing: flags.input ?? null,
    whole: flags.whole === true,
    maxBytes: flags.maxPayloadBytes,
    redact: flags.redact === true,
  };
}
