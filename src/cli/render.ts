/**
 * `paylint render`: NDJSON reports of any number of runs, shards and machines, as one report in any format.
 */
import { resolve } from 'node:path';
import { type Interrupted, SourceError, UsageError } from '../errors.ts';
import { openBytes } from '../input/bytes.ts';
import type { Io } from '../input/io.ts';
import { Turns } from '../input/turns.ts';
import { bundledSchema } from '../package.ts';
import { MergedReport, type ReportLine } from '../report/merge.ts';
import { plural } from '../report/numbers.ts';
import { Report } from '../report/report.ts';
import { createVerdictAjv } from '../schema/compile.ts';
import { loadSchemas } from '../schema/load.ts';
import type { ReportEvent, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { BaselineFile } from './baseline.ts';
import { exitCode } from './exit.ts';
import { refuseSharedFiles, withoutOwnOutput } from './own-output.ts';
import type { RenderFlags } from './render-flags.ts';
import { openReports, PRETTY, reportFiles } from './reports.ts';
import type { ReportChoices } from './settings.ts';

const LINE_FEED = 0x0a;
/** In bytes. A longer line is not a line of a report: messages are short, but a pointer can be as long as a payload. */
const MAX_LINE = 256 << 20;
/** Lines that are read at once, and events that are drawn. */
const AT_ONCE = 1000;

/** Resolves to the exit code of the merged result; null if there is nothing to do but to show the help. */
export async function render(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number | null> {
  if (paths.length === 0 && io.stdin.isTTY === true) return null;
  const reports = await reportsOf(flags, io);
  const sources = sourcesOf(paths.length === 0 ? ['-'] : paths, io);
  const files = reportFiles(reports);
  refuseSharedFiles(files, flags.baseline === undefined ? [] : [resolve(io.cwd, flags.baseline)], io);
  withoutOwnOutput(sources, paths, files, io);
  const merged = new MergedReport();
  try {
    const check = await lineCheck();
    for (const source of sources) await readReport(source, merged, check, io);
    const known = await openBaseline(flags, merged, io);
    const targets = await openReports({ flags, reports }, io, { stream: io.stdout });
    // Files are written to their end, even if standard output is lost.
    const outlives = targets.some(({ output }) => output.isOwned);
    const report = new Report(targets, () => {}, outlives, known?.baseline ?? null);
    const change = flags.redact ? (await import('../report/redact.ts')).redacted : null;
    const interrupted = await draw(merged, report, change, io);
    await report.close();
    if (interrupted !== null) throw interrupted;
    await known?.finish(flags.quiet === true, io);
    return codeOf(merged, known, flags, io);
  } finally {
    merged.close();
  }
}

/** Writes all events. After a signal, the summary comes at once, and says so; then the error is returned. */
async function draw(
  merged: MergedReport,
  report: Report,
  change: ((event: ReportEvent) => ReportEvent) | null,
  io: Io,
): Promise<Interrupted | null> {
  const turns = new Turns(io);
  let count = 0;
  for (const event of merged.events()) {
    report.event(change === null ? event : change(event));
    if (++count % AT_ONCE > 0) continue;
    await report.flush();
    const interrupted = await turns.tryToTake();
    if (interrupted === null) continue;
    report.event({ type: 'summary', summary: { ...merged.summary, interrupted: true } });
    return interrupted;
  }
  return null;
}

/** Null: none is wanted. Throws UsageError. */
async function openBaseline(
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
        'make the reports without --max-violations',
    );
  const { BaselineFile } = await import('./baseline.ts');
  // The files that were checked may be on another machine.
  const use = { updates: updateBaseline === true, seesFiles: false };
  return new BaselineFile(resolve(io.cwd, baseline), use, io);
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

/** A line, or what is wrong with it. */
type LineCheck = (text: string) => ReportLine | string;

async function readReport(source: Source, merged: MergedReport, check: LineCheck, io: Io): Promise<void> {
  const name = visible(source.name);
  const turns = new Turns(io);
  let number = 0;
  try {
    for await (const bytes of linesOf(source, io)) {
      if (++number % AT_ONCE === 0) await turns.take();
      if (bytes.length === 0) continue;
      const line = check(bytes.toString());
      if (typeof line === 'string') throw new UsageError(`${name}:${number}: ${line}`);
      merged.add(line, bytes);
    }
  } catch (error) {
    if (error instanceof SourceError) throw new UsageError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
  if (number === 0) throw new UsageError(`${name} is empty: it is not a report of paylint`);
  if (!merged.isComplete) {
    const why = 'it was cut off, or made with --quiet';
    throw new UsageError(`${name}:${number}: the report ends without a summary: ${why}`);
  }
}

/** The lines of a file, without their ends. */
async function* linesOf(source: Source, io: Io): AsyncGenerator<Buffer> {
  const reader = await openBytes(source, source.path === null ? io.stdin : null, io.interrupt);
  try {
    const chunk = Buffer.alloc(1 << 16);
    let rest: Buffer[] = [];
    let size = 0;
    for (;;) {
      const count = await reader.read(chunk, 0);
      if (count === 0) break;
      let from = 0;
      const end = chunk.subarray(0, count);
      for (let at = end.indexOf(LINE_FEED); at >= 0; at = end.indexOf(LINE_FEED, from)) {
        yield Buffer.concat([...rest, end.subarray(from, at)]);
        rest = [];
        size = 0;
        from = at + 1;
      }
      rest.push(Buffer.from(end.subarray(from)));
      size += count - from;
      if (size > MAX_LINE) throw new SourceError('it has a line that is too long for a report of paylint');
    }
    if (size > 0) yield Buffer.concat(rest);
  } finally {
    await reader.close();
  }
}

async function lineCheck(): Promise<LineCheck> {
  const set = loadSchemas(bundledSchema('report.schema.json'));
  const ajv = await createVerdictAjv(set);
  const fits = ajv.getSchema(`${set.entry.uri}#/$defs/line`)!; // it is part of the schema
  return (text) => {
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      return 'expected a line of an NDJSON report (--format ndjson), found text that is not JSON';
    }
    if (fits(line)) return line as ReportLine; // as the schema says
    const { type } = (typeof line === 'object' ? (line ?? {}) : {}) as { readonly type?: unknown };
    const part = ajv.getSchema(`${set.entry.uri}#/$defs/${String(type).replace(/\W/g, '')}`);
    if (!LINE_TYPES.includes(type) || part === undefined)
      return 'this is not a line of an NDJSON report of paylint';
    part(line);
    const [error] = part.errors ?? [];
    const where = error?.instancePath ? ` at ${visible(error.instancePath)}` : '';
    const rule = error === undefined ? '' : ` (${error.keyword} ${visible(JSON.stringify(error.params))})`;
    return `this ${String(type)} does not fit the report schema${where}${rule}`;
  };
}

const LINE_TYPES: readonly unknown[] = ['violation', 'fill', 'failure', 'source', 'summary'];

function codeOf(
  { summary, failsCheck }: MergedReport,
  known: BaselineFile | null,
  flags: RenderFlags,
  io: Io,
): number {
  const { failures, payloads: total, interrupted } = summary;
  const { errors: invalid, warnings } =
    known === null ? { errors: summary.invalid, warnings: summary.warnings } : known.baseline;
  const code = exitCode({ failures, total, invalid, warnings }, flags, { leftOutBy: [] }, io);
  if (code !== 0) return code;
  if (!interrupted) return failsCheck ? 1 : 0;
  io.stderr.write('paylint: a run was stopped early, so not everything was checked\n');
  return 2;
}
