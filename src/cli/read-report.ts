/** NDJSON reports: a line must fit their schema, be consistent with those before it, and not be given twice. */
import { isUtf8 } from 'node:buffer';
import type { RenderFlags } from '../config/verb-flags.ts';
import type { Log, Step } from '../engine/judge/walk.ts';
import { SourceError, UsageError } from '../errors.ts';
import { memberCount } from '../json/unique-names.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { REPORT_LEVELS, REPORT_LINE_BYTES } from '../limits.ts';
import { bundledSchema } from '../package.ts';
import type { MergedReport } from '../report/merge.ts';
import {
  ConsistencyCheck,
  judgeOf,
  lineOf,
  RenderInputs,
  type ReportLine,
  ReportLines,
} from '../report/report-lines.ts';
import { loadSchemas } from '../schema/load.ts';
import { type Io, printMessages, Turns } from '../source/io.ts';
import { chunksOf, openBytes } from '../source/open-bytes.ts';
import type { Source, Summary } from '../types.ts';
import { visible } from '../words/escape.ts';
import { endedLines } from '../write/spool.ts';

const LINES_AT_ONCE = 1000;

/** Why a report cannot be used, by its summary; null: it can. */
export type Refusal = (summary: Summary) => string | null;

/**
 * Resolves to what the user should know of the reports, in a clause; null: nothing. Throws UsageError for what is not a report,
 * contradicts itself, or is refused by `refusal`.
 */
export async function readReports(
  sources: readonly Source[],
  merged: MergedReport,
  refusal: Refusal,
  io: Io,
): Promise<string | null> {
  const check = await lineCheck();
  const given = new RenderInputs();
  for (const source of sources) await readReport(source, { merged, check, given, refusal }, io);
  const missing = given.missing();
  if (missing !== null) throw new UsageError(visible(missing));
  return given.mixed();
}

/** `mixed`: a clause about the versions of the reports; null: none. */
export function sayMixed(mixed: string | null, { quiet }: Pick<RenderFlags, 'quiet'>, io: Io): void {
  if (mixed !== null && quiet !== true) printMessages([`note: ${visible(mixed)}`], io);
}

interface ReportReading {
  readonly merged: MergedReport;
  readonly check: LineCheck;
  readonly given: RenderInputs;
  readonly refusal: Refusal;
}

async function readReport(source: Source, { merged, check, given, refusal }: ReportReading, io: Io): Promise<void> {
  const turns = new Turns(io);
  let agreement = new ConsistencyCheck();
  let count = 0;
  let last = 0;
  const take = (line: ReportLine, bytes: Buffer, place: string): void => {
    const contradiction = agreement.add(line);
    if (contradiction !== null)
      throw new UsageError(visible(`${place}: the report contradicts itself: ${contradiction}`));
    // A file may have several reports.
    if (line.type === 'summary') agreement = new ConsistencyCheck();
    const unusable = line.type === 'summary' ? refusal(line) : null;
    if (unusable !== null) throw new UsageError(visible(`${place}: ${unusable}`));
    const wrong = given.add(line, place);
    if (wrong !== null) throw new UsageError(visible(wrong));
    merged.add(line, bytes);
    if (!merged.isCountable) throw new UsageError(visible(`${place}: the reports count more than can be added up`));
  };
  const lines = linesOf(source, io);
  const known = new ReportLines();
  try {
    for await (const raw of lines) {
      if (++count % LINES_AT_ONCE === 0) await turns.take();
      const bytes = count === 1 ? raw.subarray(byteOrderMark(raw)) : raw;
      if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 0x0d)) continue;
      last = count;
      const line = check(bytes, known);
      const place = `${source.name}:${count}`;
      if (line === null) continue;
      if (typeof line !== 'string') take(line, bytes, place);
      else throw new UsageError(visible(`${place}: ${line}`));
    }
  } catch (error) {
    if (error instanceof SourceError)
      throw new UsageError(`${visible(source.name)}: ${error.message}`, { cause: error });
    throw error;
  }
  if (last === 0) throw new UsageError(`${visible(source.name)} is empty: it is not a report of paylint`);
  if (!merged.isComplete)
    throw new UsageError(`${visible(source.name)}:${last}: the report ends without a summary: it was cut off`);
}

async function* linesOf(source: Source, io: Io): AsyncGenerator<Buffer> {
  const reader = await openBytes(source, source.path === null ? io.stdin : null, io.interrupt);
  const rest: Buffer[] = [];
  for await (const chunk of chunksOf(reader, 1 << 16)) {
    // Copies: lines may be kept, and the chunk is not to be kept with them.
    for (const line of endedLines(chunk, rest)) yield Buffer.from(line.subarray(0, -1));
    const size = rest.reduce((sum, { length }) => sum + length, 0);
    if (size > REPORT_LINE_BYTES) throw new SourceError('it has a line that is too long for a report of paylint');
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

/** A valid line, or the reason why it is invalid; null: it is of a type that a later version has, and passed over. */
type LineCheck = (bytes: Buffer, known: ReportLines) => ReportLine | string | null;

async function lineCheck(): Promise<LineCheck> {
  const set = loadSchemas(bundledSchema('report.open.schema.json'));
  const judge = await judgeOf(set);
  const stepOf = (name: string): Step => {
    const place = `${set.entry.name}#/$defs/${name}`;
    return judge.stepOf(set.nodes.find(({ origin }) => origin.place === place)!); // the place is in the schema
  };
  const fits = stepOf('line');
  return (bytes, known) => {
    if (!isUtf8(bytes)) return 'this line is not UTF-8';
    const text = bytes.toString();
    if (text.startsWith('{"coverageVersion"'))
      return 'this is a document of coverage, which render reads from files only';
    const violation = known.find(text);
    if (violation !== null) return lineOf(violation);
    const line = parsed(text);
    if (typeof line === 'string') return line;
    if (!Object.hasOwn(line, '__proto__') && judge.judge(fits, line, { size: bytes.length })) {
      const { type } = line as { readonly type: string }; // the schema guarantees it
      if (type in Object.prototype) return 'this is not a line of an NDJSON report of paylint';
      if (!LINE_TYPES.some((one) => one === type)) return null;
      const fitting = line as ReportLine; // the schema guarantees it
      if (fitting.type === 'violation') known.add(text, fitting);
      return fitting;
    }
    const { type } = line as { readonly type?: unknown };
    const name = LINE_TYPES.find((one) => one === type);
    if (name === undefined) return 'this is not a line of an NDJSON report of paylint';
    let why = '';
    const log: Log = {
      add({ facts }) {
        if (why === '') why = `${judge.walk.pointer} (${facts.rule} ${JSON.stringify(facts.params)})`;
      },
    };
    judge.judge(stepOf(name), line, { size: bytes.length }, log);
    if (why.startsWith('/reportVersion ')) return 'this report is of another version of paylint: use that to merge it';
    return `this ${name} does not fit the report schema${why.startsWith('/') ? ` at ${why}` : why}`;
  };
}

const LINE_TYPES = ['violation', 'fill', 'prune', 'failure', 'source', 'summary'] as const;

function parsed(text: string): object | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return 'expected a line of an NDJSON report (--format ndjson), found text that is not JSON';
  }
  if (typeof line !== 'object' || line === null) return 'this is not a line of an NDJSON report of paylint';
  // A short text cannot have as many levels.
  if (text.length > 2 * REPORT_LEVELS && Number.isNaN(memberCount(line, REPORT_LEVELS)))
    return `this line has more than ${REPORT_LEVELS} levels of objects and arrays`;
  return line;
}
