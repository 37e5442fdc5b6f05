/**
 * The reports of a run: which formats, where each goes, and what they need to know of every violation.
 */

import { normalize, resolve } from 'node:path';
import { budgetOf, NO_BUDGET } from '../check/budget.ts';
import type { RunOptions } from '../check/run-options.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { createOutputFile, Output } from '../output/output.ts';
import {
  createReporter,
  createStatsReporter,
  FORMAT_NAMES,
  FORMATS,
  type FormatName,
  isFormatName,
} from '../report/formats.ts';
import type { ReportTarget } from '../report/report.ts';
import type { ReportStyle } from '../types.ts';
import { visible } from '../words/escape.ts';
import { colorLevel } from './color.ts';
import type { ReportFile, ReportPlan, Settings } from './settings.ts';
import { showsUnicode } from './unicode.ts';

/** Columns assumed where there is no terminal. */
const DEFAULT_WIDTH = 100;

/** The formats and where each goes; the files are made anew at once. `stream`: where the report goes without a file. */
export async function openReports(settings: Settings, io: Io, stream: Io['stdout']): Promise<ReportTarget[]> {
  const { flags } = settings;
  const { targets, folder } = settings.reports;
  const style = (machine: boolean, name: FormatName, file: string | null): ReportStyle => ({
    colorLevel: machine || file !== null ? 0 : colorLevel(flags.color ?? null, io.env, stream),
    unicode: file !== null || showsUnicode(io.env, stream),
    width: (file === null && stream.isTTY ? stream.columns : undefined) ?? DEFAULT_WIDTH,
    quiet: flags.quiet === true,
    stats: flags.stats === true,
    maxViolations: flags.maxViolations ?? FORMATS[name].defaultMaxViolations,
  });
  const opened: ReportTarget[] = [];
  for (const { name, file } of targets) {
    const reporter = await createReporter(name, style(FORMATS[name].machine, name, file));
    const output =
      file === null ? new Output(stream, nameOf(stream, io)) : await createOutputFile(file, folder);
    opened.push({ reporter, output });
  }
  // A machine format has no place for the counts.
  if (flags.stats && targets.every(({ name, file }) => FORMATS[name].machine || file !== null)) {
    const reporter = await createStatsReporter({
      ...style(true, 'pretty', null),
      unicode: showsUnicode(io.env, io.stderr),
      width: io.stderr.columns ?? DEFAULT_WIDTH,
    });
    opened.push({ reporter, output: new Output(io.stderr, 'standard error') });
  }
  return opened;
}

function nameOf(stream: Io['stdout'], io: Io): string {
  return stream === io.stderr ? 'standard error' : 'standard output';
}

/** Whether the report that has no file is for people, and not for programs. */
export function isTextReport({ reports: { targets } }: Settings): boolean {
  return targets.some(({ name, file }) => file === null && !FORMATS[name].machine);
}

/** How many violations the reports show, and how much of them. */
export function shownViolations({
  flags,
  reports: { targets },
}: Settings): Pick<RunOptions, 'excerpts' | 'budget'> {
  const shownBy = ({ name }: ReportFile): number => flags.maxViolations ?? FORMATS[name].defaultMaxViolations;
  const framed = targets.filter(({ name }) => FORMATS[name].frames);
  const excerpts = framed.length > 0;
  const countsOthers = flags.stats !== true && targets.every((target) => shownBy(target) > 0);
  // Only formats with code frames, or all of them, can be done without more violations.
  const caps = (countsOthers ? targets : framed).map(shownBy);
  const isCapped = caps.length > 0 && caps.every((shown) => shown > 0);
  return { excerpts, budget: isCapped ? budgetOf(Math.max(...caps), countsOthers) : NO_BUDGET };
}

/** Whether all reports are `ndjson`, and whole: then any thread can draw them. */
export function isOnlyNdjson({ flags, reports: { targets } }: Settings): boolean {
  const { stats, maxViolations = 0 } = flags;
  return !stats && maxViolations === 0 && targets.every(({ name }) => name === 'ndjson');
}

/** Whether a report shows every member that is filled in. */
export function wantsFills({ flags, reports: { targets } }: Settings): boolean {
  return flags.quiet !== true && targets.some(({ name }) => FORMATS[name].fills);
}

/** Absolute paths. */
export function reportFiles({ targets, folder }: ReportPlan): string[] {
  return targets.flatMap(({ file }) => (file === null ? [] : [resolve(folder, file)]));
}

/**
 * `texts`: what `--format` or the config says: `pretty`, `ndjson=report.ndjson` …. Without one for standard output, `pretty` goes there.
 * Throws UsageError.
 */
export async function planReports(texts: readonly string[], folder: string): Promise<ReportPlan> {
  const targets: ReportFile[] = [];
  for (const text of texts) targets.push(await parseTarget(text));
  const files = targets.flatMap(({ file }) => (file === null ? [] : [normalize(file)]));
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`two formats go to ${visible(twice)}`);
  const direct = targets.filter(({ file }) => file === null);
  if (direct.length > 1) {
    throw new UsageError(
      'only one format can go to standard output; give the others a file: --format NAME=FILE',
    );
  }
  return { targets: direct.length === 1 ? targets : [{ name: 'pretty', file: null }, ...targets], folder };
}

async function parseTarget(text: string): Promise<ReportFile> {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const file = equals < 0 ? null : text.slice(equals + 1);
  if (file === '') throw new UsageError(`--format ${visible(text)}: the name of the file is missing`);
  if (isFormatName(name)) return { name, file };
  const { nearMiss } = await import('../words/near.ts');
  const near = nearMiss(name, FORMAT_NAMES);
  const hint = near === null ? `there are ${FORMAT_NAMES.join(', ')}` : `did you mean "${near}"?`;
  throw new UsageError(`there is no format "${visible(name)}"; ${hint}`);
}
