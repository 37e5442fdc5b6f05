/** The reports of a run: the formats, their outputs, and the data that they need of every violation. */
import { resolve } from 'node:path';
import type { CheckFlags } from '../config/flags.ts';
import { onlyOne, PRETTY, type ReportChoice, type ReportChoices, type Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import type { ReportTarget } from '../report/report.ts';
import { createReporter, FORMATS, type FormatName } from '../report/report-formats.ts';
import { budgetOf, NO_BUDGET, type Plan } from '../run/check/flow.ts';
import { withCommands } from '../source/ci-log.ts';
import type { Io } from '../source/io.ts';
import type { ReportEvent, Reporter, ReportStyle } from '../types.ts';
import { visible } from '../words/escape.ts';
import { Output } from '../write/stream-output.ts';
import { descriptorOf, textFile } from './outputs.ts';
import { colorLevel, widthOf } from './terminal.ts';

/** The reports for values of `--format` or of the config, whose files are relative to `folder`. Throws UsageError. */
export async function reportsFor(formats: readonly string[], folder: string, { env }: Io): Promise<ReportChoices> {
  if (formats.length === 0) return { targets: [PRETTY], folder };
  const { chooseReports } = await import('./report-choice.ts');
  return chooseReports(formats, folder, env);
}

/** The files are created at once. Throws UsageError for two formats in one stream, and WriteError. */
export async function openReports(
  settings: Pick<Settings, 'reports'> & { readonly flags: CheckFlags },
  stream: Io['stdout'],
  io: Io,
): Promise<ReportTarget[]> {
  const { flags } = settings;
  const { folder, grouped = false, tests = false } = settings.reports;
  const targets = apart(settings.reports, stream, io);
  const ci = targets.some(({ name }) => FORMATS[name].hosted) ? await import('./report-choice.ts') : null;
  const repository = ci?.repositoryOf(io);
  const style = (machine: boolean, choice: ReportChoice): ReportStyle => ({
    colorLevel: machine || choice.file !== null ? 0 : colorLevel(flags.color ?? null, io.env, stream),
    width: widthOf(choice.file === null ? stream : {}, io.env),
    quiet: flags.quiet === true && !choice.whole && (machine || !choice.summaryOnly),
    summaryOnly: choice.summaryOnly === true,
    hidesFills: flags.fix === true,
    stats: flags.stats === true,
    grouped,
    tests,
    maxViolations: mostShown(choice, flags),
    ...(repository === undefined ? {} : { repository }),
  });
  const opened: ReportTarget[] = [];
  try {
    for (const target of targets) {
      const { name, file } = target;
      const { machine } = FORMATS[name];
      const made = await createReporter(name, style(machine, target));
      const summary: Reporter = (event) => (event.type === 'summary' ? made(event) : '');
      const reporter = target.summaryOnly && !machine ? summary : made;
      const own = name === 'github' ? withCommands(stream) : stream;
      opened.push({ reporter, output: await openOutput(file, folder, own, io) });
    }
  } catch (error) {
    for (const { output } of opened) await output.discard();
    throw error;
  }
  if (targets.some(({ name }) => name === 'github')) {
    const summary = await ci?.openStepSummary(style(true, { name: 'github', file: null }), io);
    if (summary) opened.push(summary);
  }
  // A machine format has no place for the counts.
  if (flags.stats && targets.every(({ name, file }) => FORMATS[name].machine || file !== null)) {
    const { createStats } = await import('../report/stats.ts');
    const width = widthOf(io.stderr, io.env);
    const reporter = await createStats({ ...style(true, { name: 'pretty', file: null }), width });
    opened.push({ reporter, output: new Output(io.stderr, 'standard error') });
  }
  return opened;
}

/** One report for each stream: the default `pretty` is left out for another format. Throws UsageError for two others. */
function apart({ targets, folder }: ReportChoices, stream: Io['stdout'], io: Io): readonly ReportChoice[] {
  const numbers = targets.map(({ file }) =>
    file === null ? (stream === io.stderr ? 2 : 1) : descriptorOf(file, folder),
  );
  const isTaken = (number: number | null, i: number): boolean => number !== null && numbers.lastIndexOf(number) > i;
  const chosen = targets.filter((target, i) => target !== PRETTY || !isTaken(numbers[i]!, i));
  const clash = targets.findIndex((target, i) => target !== PRETTY && isTaken(numbers[i]!, i));
  if (clash < 0) return chosen;
  const where = ['standard output', 'standard error'][numbers[clash]! - 1] ?? targets[clash]!.file!; // others are files
  throw new UsageError(onlyOne(visible(where)));
}

/**
 * The report of `fill --quiet` and `prune --quiet`: the files in which something was changed, escaped on a terminal and
 * one per line.
 */
export function changedNames({ stdout }: Io): ReportTarget {
  const isTerminal = stdout.isTTY === true;
  const shown = (name: string): string => (isTerminal ? visible(name) : name);
  const reporter = (event: ReportEvent): string =>
    event.type === 'source' && (event.source.filled || event.source.pruned) ? `${shown(event.source.file)}\n` : '';
  return { reporter, output: new Output(isTerminal ? stdout : withCommands(stdout), 'standard output') };
}

/** Of a report: `file` in `folder`, or `stream` if it is null. Throws WriteError. */
export async function openOutput(file: string | null, folder: string, stream: Io['stdout'], io: Io): Promise<Output> {
  if (file !== null) return textFile(file, folder, io);
  // The other stream is not used here, because opening it takes longer than checking a small file.
  return new Output(stream, withCommands(stream) === withCommands(io.stdout) ? 'standard output' : 'standard error');
}

/** Whether the report without a file is for people, not for programs. */
export function isTextReport({ reports: { targets } }: Settings): boolean {
  return targets.some(({ name, file }) => file === null && !FORMATS[name].machine);
}

/** How many violations a report shows; 0: all. One in a file is never cut. */
function mostShown({ name, file, whole }: ReportChoice, { maxViolations }: CheckFlags): number {
  return whole || file !== null ? 0 : (maxViolations ?? FORMATS[name].defaultMaxViolations);
}

export function shownViolations({
  flags,
  reports: { targets, grouped = false },
}: Settings): Pick<Plan, 'examples' | 'excerpts' | 'inFile' | 'budget'> {
  // Groups are counted, so they need every violation.
  const shownBy = (choice: ReportChoice): number =>
    grouped && choice.name === 'pretty' ? 0 : mostShown(choice, flags);
  const frames = targets.map(({ name }) => FORMATS[name].frames);
  const excerpts = frames.includes(true) || (frames.includes('near') && 'near');
  const inFile = targets.some(({ name }) => FORMATS[name].inFile);
  const detailed = targets.filter(({ name }) => FORMATS[name].frames || FORMATS[name].inFile);
  const countsOthers = flags.stats !== true && targets.every((target) => shownBy(target) > 0);
  // If a report needs every violation, only the slow details are limited: code frames, and places and fixes in files.
  const caps = (countsOthers ? targets : detailed).map(shownBy);
  const isCapped = caps.length > 0 && caps.every((shown) => shown > 0);
  const budget = isCapped ? budgetOf(Math.max(...caps), countsOthers) : NO_BUDGET;
  const examples = grouped && targets.every(({ name }) => name === 'pretty' || !FORMATS[name].frames);
  return { ...(examples ? { examples } : {}), excerpts, ...(inFile ? { inFile } : {}), budget };
}

/** Whether all reports are of this format, and none is whole. */
export function showsOnly({ flags, reports: { targets } }: Settings, only: FormatName): boolean {
  return flags.stats !== true && targets.every(({ name, file, whole }) => name === only && file === null && !whole);
}

/** Whether a report shows what `fill` would insert, and `prune` remove. */
export function wantsFixes({ reports: { targets } }: Settings): boolean {
  return targets.some(({ name }) => FORMATS[name].inFile);
}

/** Whether a report shows every member that is filled in or removed. */
export function wantsChanges({ flags, reports: { targets } }: Settings): boolean {
  return flags.quiet !== true && targets.some(({ name }) => FORMATS[name].fills);
}

/** Absolute paths. */
export function reportFiles(targets: readonly { readonly file: string | null }[], folder: string): string[] {
  return targets.flatMap(({ file }) => (file === null ? [] : [resolve(folder, file)]));
}
