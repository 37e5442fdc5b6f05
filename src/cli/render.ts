/**
 * `paylint render`: NDJSON reports of any number of runs, shards and machines, as one report in any format.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { MergedReport, redacted } from '../report/merge.ts';
import { type EventFilter, Report } from '../report/report.ts';
import type { GateCounts } from '../run/exit.ts';
import { type Io, Turns } from '../source/io.ts';
import { headOf } from '../source/open-bytes.ts';
import { isFile } from '../source/read-file.ts';
import type { ReportEvent, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';
import type { BaselineFile } from './baseline-file.ts';
import { exitCode, gateOf } from './exit.ts';
import { refuseSharedFiles, withoutOwnOutput } from './own-output.ts';
import { type Refusal, readReports } from './read-report.ts';
import { openReports, reportFiles } from './reports.ts';
import { PRETTY, type ReportChoices } from './settings.ts';
import type { RenderFlags } from './verb-flags.ts';

/** Events that are passed to the reports together. */
const AT_ONCE = 1000;

/** Resolves to the exit code of the merged result; null if only the help is to be shown. */
export async function render(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number | null> {
  if (paths.length === 0 && io.stdin.isTTY === true) return null;
  if (paths.some((path) => isCoverage(resolve(io.cwd, path)))) {
    const { renderCoverage } = await import('./coverage.ts');
    return renderCoverage(paths, flags, io);
  }
  if (flags.min !== undefined) throw new UsageError('--min is for documents of paylint coverage');
  const reports = await reportsOf(flags, io);
  const sources = sourcesOf(paths.length === 0 ? ['-'] : paths, io);
  const files = reportFiles(reports.targets, reports.folder);
  refuseSharedFiles(files, flags.baseline === undefined ? [] : [resolve(io.cwd, flags.baseline)], io);
  withoutOwnOutput(sources, paths, files, io);
  const merged = new MergedReport();
  try {
    await readReports(sources, merged, refusalFor(flags), io);
    const known = await baselineOf(flags, merged, io);
    const { compare } = merged.summary;
    const grouped = compare !== undefined && compare.judge === undefined;
    const targets = await openReports({ flags, reports: { ...reports, grouped } }, io.stdout, io);
    // Files are written to their end, even if the reader of standard output has gone.
    const outlives = targets.some(({ output }) => output.isOwned);
    const filter = await filterOf(merged, known, flags);
    const report = new Report(targets, () => {}, outlives, filter);
    const change = flags.redact ? redacted : null;
    try {
      await draw(merged, report, change, io);
      await report.close();
    } finally {
      await report.discard();
    }
    // The files that were checked may be on another machine.
    await known?.finish(flags.quiet === true, []);
    return exitCode(countsOf(merged, known), flags, { leftOutBy: [] }, io);
  } finally {
    merged.close();
  }
}

/** Whether the file at `path` is a document of coverage. */
function isCoverage(path: string): boolean {
  try {
    return isFile(path) && headOf(path).toString('latin1').startsWith('{"coverageVersion":');
  } catch {
    return false; // reading it gives the error
  }
}

/**
 * Writes all events. After a signal, throws Interrupted without reports: the counts of a part of the reports are not
 * known.
 */
async function draw(
  merged: MergedReport,
  report: Report,
  change: ((event: ReportEvent) => ReportEvent) | null,
  io: Io,
): Promise<void> {
  const turns = new Turns(io);
  let count = 0;
  for (const event of merged.events()) {
    report.event(change === null ? event : change(event));
    if (++count % AT_ONCE > 0) continue;
    await report.flush();
    await turns.take();
  }
}

/** The reports that a baseline cannot be compared with. */
function refusalFor({ baseline, updateBaseline }: RenderFlags): Refusal {
  return ({ known, interrupted }) => {
    if (baseline === undefined) return null;
    if (known !== undefined)
      return 'this report was made with a baseline, so it does not list what that has; make it without --baseline';
    return updateBaseline && interrupted ? 'this run was stopped early, and --update-baseline needs whole runs' : null;
  };
}

/** Null: no baseline. Throws UsageError. */
async function baselineOf(
  { baseline, updateBaseline }: RenderFlags,
  merged: MergedReport,
  io: Io,
): Promise<BaselineFile | null> {
  if (baseline === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline needs --baseline FILE');
    return null;
  }
  const { cut } = merged;
  if (cut !== null)
    throw new UsageError(
      `${visible(cut.file)} has ${plural(cut.hidden, 'violation')} that the reports count and do not list, and a baseline has to see each; ` +
        'make the reports without --max-violations, ' +
        'and with --input for files whose content has another framing than their name says',
    );
  const { openBaseline } = await import('./baseline-file.ts');
  const use = { updates: updateBaseline === true, isOff: null };
  return openBaseline(resolve(io.cwd, baseline), use, io);
}

async function reportsOf({ format }: RenderFlags, io: Io): Promise<ReportChoices> {
  if (format === undefined) return { targets: [PRETTY], folder: io.cwd };
  const { chooseReports } = await import('./report-choice.ts');
  return chooseReports(format, io.cwd, io.env);
}

function sourcesOf(paths: readonly string[], io: Io): readonly Source[] {
  if (paths.filter((path) => path === '-').length > 1)
    throw new UsageError('- (standard input) can be given only once');
  return paths.map((path) => ({
    name: path === '-' ? '<stdin>' : path,
    path: path === '-' ? null : resolve(io.cwd, path),
    regular: false,
    framing: 'lines',
    kind: null,
  }));
}

/** The filter for the events of the reports; null: none. */
async function filterOf(
  { failsCheck }: MergedReport,
  known: BaselineFile | null,
  flags: RenderFlags,
): Promise<EventFilter | null> {
  if (flags.maxInvalid === undefined) return known?.baseline ?? null;
  const { withTolerance } = await import('./lowered.ts');
  return withTolerance(known?.baseline ?? null, gateOf(flags), failsCheck);
}

function countsOf({ summary, failsCheck }: MergedReport, known: BaselineFile | null): GateCounts {
  const { failures, payloads, invalid, warnings, interrupted } = summary;
  const counts = { failures, payloads, invalid, warnings, wouldFill: failsCheck, isCut: interrupted === true };
  return known?.baseline.others(counts) ?? counts;
}
