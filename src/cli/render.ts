/** `paylint render`: NDJSON reports of any number of runs, shards and machines, as one report in any format. */
import { resolve } from 'node:path';
import type { RenderFlags } from '../config/verb-flags.ts';
import { MissingPath, UsageError, unlessFailed } from '../errors.ts';
import { MergedReport, redacted } from '../report/merge.ts';
import { Report } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import { headOf } from '../source/open-bytes.ts';
import { isFile } from '../source/read-file.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';
import type { BaselineFile } from './baseline-file.ts';
import { exitCode, gateOf } from './exit.ts';
import { refuseSharedFiles, withoutOwnOutput } from './own-output.ts';
import { type Refusal, readReports, sayMixed } from './read-report.ts';
import { openReports, reportFiles, reportsFor } from './reports.ts';

const EVENTS_AT_ONCE = 1000;

/** Resolves to the exit code of the merged result. */
export async function render(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number> {
  if (paths.length === 0 && io.stdin.isTTY === true)
    throw new MissingPath('a report is missing, and standard input is a terminal');
  if (paths.some((path) => isCoverage(resolve(io.cwd, path)))) {
    const { renderCoverage } = await import('./coverage.ts');
    return renderCoverage(paths, flags, io);
  }
  if (flags.min !== undefined) throw new UsageError('--min is for documents of paylint coverage');
  const reports = await reportsFor(flags.format ?? [], io.cwd, io);
  const sources = sourcesOf(paths.length === 0 ? ['-'] : paths, io);
  const files = reportFiles(reports.targets, reports.folder);
  refuseSharedFiles(files, flags.baseline === undefined ? [] : [resolve(io.cwd, flags.baseline)], io);
  withoutOwnOutput(sources, paths, files, io);
  const merged = new MergedReport();
  try {
    sayMixed(await readReports(sources, merged, refusalFor(flags), io), flags, io);
    const known = await baselineOf(flags, merged, io);
    const { compare } = merged.summary;
    const grouped = compare !== undefined && compare.judge === undefined;
    const targets = await openReports({ flags, reports: { ...reports, grouped } }, io.stdout, io);
    // Files are written to their end, even if the reader of standard output has gone.
    const outlives = targets.some(({ output }) => output.isOwned);
    const baseline = known?.baseline ?? null;
    const lowered = flags.maxInvalid === undefined ? null : await import('./lowered.ts');
    const filter = lowered?.withTolerance(baseline, gateOf(flags), merged.failsCheck) ?? baseline;
    const report = new Report(targets, () => {}, outlives, filter);
    try {
      await draw(merged, report, flags.redact === true, io);
      await report.close();
    } finally {
      await report.discard();
    }
    // The files that were checked may be on another machine.
    await known?.finish(flags.quiet === true, []);
    const { failures, payloads, invalid, warnings, unread: cut, interrupted: isCut = false } = merged.summary;
    const { failsCheck: wouldChange } = merged;
    const counts = { failures, payloads, invalid, warnings, unread: cut?.sources ?? 0, wouldChange, isCut };
    return exitCode(baseline?.others(counts) ?? counts, flags, { leftOutBy: [] }, io);
  } finally {
    merged.close();
  }
}

function isCoverage(path: string): boolean {
  // Reading it gives the error.
  const head = isFile(path) ? unlessFailed(() => headOf(path).toString('latin1')) : null;
  return head?.startsWith('{"coverageVersion":') === true;
}

/** Throws Interrupted after a signal, without reports: the counts of a part of them are not known. */
async function draw(merged: MergedReport, report: Report, redacts: boolean, io: Io): Promise<void> {
  const turns = new Turns(io);
  let count = 0;
  for (const event of merged.events()) {
    report.event(redacts ? redacted(event) : event);
    if (++count % EVENTS_AT_ONCE > 0) continue;
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
