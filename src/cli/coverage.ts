/**
 * `paylint coverage`: what of a schema payloads exercise. Violations are counted and not reported.
 */

import { resolve } from 'node:path';
import { createJudge, loadJudgeModules } from '../engine/judge/judge.ts';
import { SchemaPlaces } from '../engine/judge/places.ts';
import { UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { bundledSchema } from '../package.ts';
import {
  CoverageCounts,
  type CoverageDocument,
  coverageDocument,
  mergedCoverage,
  redactedCoverage,
} from '../report/coverage.ts';
import { COVERAGE_FORMATS, type CoverageFormat, coverageWriter, shareText } from '../report/coverage-formats.ts';
import type { ReportTarget } from '../report/report.ts';
import { RenderInputs } from '../report/report-lines.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { type Io, tell } from '../source/io.ts';
import { shownPath } from '../source/path-text.ts';
import { readLimited } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Summary } from '../types.ts';
import { visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { Output } from '../write/stream-output.ts';
import { exitCode } from './exit.ts';
import { findSources, listFiles } from './find-sources.ts';
import type { CheckFlags } from './flags.ts';
import { resolveSettings } from './options.ts';
import { textFile } from './outputs.ts';
import { refuseSharedFiles } from './own-output.ts';
import { printConfig } from './print-config.ts';
import { onlyOne } from './reports.ts';
import { runJob } from './run-job.ts';
import { colorLevel, showsUnicode } from './terminal.ts';
import { COVERAGE_FLAGS, type CoverageFlags, type Percent, type RenderFlags } from './verb-flags.ts';

/** Resolves to the exit code; null if only the help is to be shown. */
export async function coverage(paths: readonly string[], typed: CoverageFlags, io: Io): Promise<number | null> {
  const { format, ...others } = typed;
  const read = await resolveSettings<CoverageFlags>(others, io, COVERAGE_FLAGS);
  const { flags } = read;
  if (flags.printConfig) return printConfig(read, COVERAGE_FLAGS, io);
  const wanted = chosenFormats(format);
  // Whether a payload is valid is up to the schemas, which are read from their files, as the places are.
  const reports = { targets: [], folder: io.cwd };
  const settings = { ...read, reports, schemas: read.files, bundled: false, checks: [] };
  const found = await findSources(paths, settings, io, { written: filesOf(wanted, io), byConfig: true });
  if (found === null) return null;
  if (flags.listFiles) return listFiles(found, flags, io);
  const kind = flags.kind ?? null;
  const counts = await countsFor(await settings.files(), kind);
  const report = new CoverageReport(() => [counts], flags, io);
  const run = {
    ...{ defaults: NO_DEFAULTS, outlet: null, destination: null, reportStream: io.stdout },
    ...{ coverage: counts, covers: { kind } },
    targets: await report.targets(wanted, io.stdout),
  };
  const done = await runJob(found, settings, run, io);
  const code = exitCode({ ...done, invalid: 0, warnings: 0 }, flags, found, io);
  return code === 0 ? report.code(flags.min) : code;
}

/** What is counted of the places of the schemas of `kind`; null: of all kinds. */
export async function countsFor(set: LoadedSchemas, kind: string | null): Promise<CoverageCounts> {
  const judge = createJudge(await loadJudgeModules(set));
  return new CoverageCounts(new SchemaPlaces(set, kind, judge).all, set.documents);
}

interface CoverageChoice {
  readonly name: CoverageFormat;
  /** Null: standard output. */
  readonly file: string | null;
}

/** The values of `--format`; without one for standard output, `pretty` goes there. Throws UsageError. */
export function chosenFormats(texts: readonly string[] = []): readonly CoverageChoice[] {
  const wanted = texts.map((text): CoverageChoice => {
    const [, asked = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text)!; // it matches every text
    const name = COVERAGE_FORMATS.find((one) => one === asked);
    if (file === '') throw new UsageError(`--format ${visible(text)}: the name of the file is missing`);
    if (name !== undefined) return { name, file: file === undefined || file === '-' ? null : file };
    const near = nearMiss(asked, COVERAGE_FORMATS);
    const hint = near === null ? `there are ${COVERAGE_FORMATS.join(', ')}` : `did you mean "${near}"?`;
    throw new UsageError(`there is no format "${visible(asked)}" of coverage; ${hint}`);
  });
  if (wanted.filter(({ file }) => file === null).length > 1) throw new UsageError(onlyOne('standard output'));
  const files = wanted.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`two formats go to ${visible(twice)}`);
  const isDirect = wanted.some(({ file }) => file === null);
  return isDirect ? wanted : [{ name: 'pretty', file: null }, ...wanted];
}

function filesOf(wanted: readonly CoverageChoice[], { cwd }: Io): string[] {
  return wanted.flatMap(({ file }) => (file === null ? [] : [resolve(cwd, file)]));
}

/** Writes the document of a run in the formats that were asked for, once the run is over. */
export class CoverageReport {
  readonly #counts: () => readonly CoverageCounts[];
  readonly #flags: CheckFlags;
  readonly #io: Io;
  #document: CoverageDocument | null = null;

  /** `counts`: of each set of schemas, when all is counted. */
  constructor(counts: () => readonly CoverageCounts[], flags: CheckFlags, io: Io) {
    this.#counts = counts;
    this.#flags = flags;
    this.#io = io;
  }

  /** `stream`: for a report without a file. */
  async targets(wanted: readonly CoverageChoice[], stream: Io['stdout']): Promise<ReportTarget[]> {
    const outputs = await openOutputs(wanted, this.#flags, stream, this.#io);
    return outputs.map(({ write, output }) => ({
      reporter: (event) => (event.type === 'summary' ? write(this.#of(event.summary)) : ''),
      output,
    }));
  }

  #of({ payloads, valid, invalid, failures, elapsedMs, interrupted, shard }: Summary): CoverageDocument {
    const counts = this.#counts();
    const document = coverageDocument(
      counts.flatMap((one) => one.schemas((path) => shownPath(path, this.#io.cwd))),
      {
        ...{ payloads, valid, invalid, failures, elapsedMs },
        ...(interrupted ? { interrupted } : {}),
        ...(shard === undefined ? {} : { shard }),
        uncounted: counts.reduce((sum, { uncounted }) => sum + uncounted, 0),
      },
    );
    this.#document ??= this.#flags.redact ? redactedCoverage(document) : document;
    return this.#document;
  }

  /** 1 if fewer places are reached than `min`. */
  code(min: Percent | undefined): 0 | 1 {
    return this.#document === null ? 0 : codeOf(this.#document, min, this.#io);
  }
}

/** 1 if fewer places are reached than `min`, which standard error says. */
export function codeOf({ summary }: CoverageDocument, min: Percent | undefined, io: Io): 0 | 1 {
  const { covered, places } = summary;
  if (min === undefined || BigInt(covered) * 100n * min.scale >= min.digits * BigInt(places)) return 0;
  tell([`${shareText(summary)} of the places are reached, fewer than --min ${min.text}`], io);
  return 1;
}

/** What makes the text of a document, and where it goes. */
interface CoverageOutput {
  readonly write: (document: CoverageDocument) => string;
  readonly output: Output;
}

/** Throws WriteError. */
export async function openOutputs(
  wanted: readonly CoverageChoice[],
  flags: Pick<CheckFlags, 'color' | 'quiet'>,
  stream: Io['stdout'],
  io: Io,
): Promise<readonly CoverageOutput[]> {
  const outputs: CoverageOutput[] = [];
  for (const { name, file } of wanted) {
    const level = file === null ? colorLevel(flags.color ?? null, io.env, stream) : 0;
    const unicode = file !== null || showsUnicode(io.env, stream);
    const write = await coverageWriter(name, { colorLevel: level, quiet: flags.quiet === true, unicode });
    const output =
      file === null
        ? new Output(stream, stream === io.stdout ? 'standard output' : 'standard error')
        : await textFile(file, io.cwd, io);
    outputs.push({ write, output });
  }
  return outputs;
}

const MOST_BYTES = 256 << 20;

/** Resolves to the exit code of the merged result. Throws UsageError. */
export async function renderCoverage(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number> {
  const wanted = chosenFormats(flags.format);
  const files = wanted.flatMap(({ file }) => (file === null ? [] : [resolve(io.cwd, file)]));
  refuseSharedFiles(
    files,
    paths.map((path) => resolve(io.cwd, path)),
    io,
  );
  const documents = await readDocuments(paths, io);
  const merged = mergedCoverage(documents);
  const shown = flags.redact ? redactedCoverage(merged) : merged;
  const targets = await openOutputs(wanted, flags, io.stdout, io);
  try {
    for (const { write, output } of targets) output.write(write(shown));
    for (const { output } of targets) await output.close();
  } finally {
    for (const { output } of targets) await output.discard();
  }
  const { payloads, failures, interrupted = false } = merged.summary;
  const code = exitCode({ payloads, failures, invalid: 0, isCut: interrupted }, flags, { leftOutBy: [] }, io);
  return code === 0 ? codeOf(merged, flags.min, io) : code;
}

/** Throws UsageError for what is no such document, is given twice, or is a share without the others. */
async function readDocuments(paths: readonly string[], { cwd }: Io): Promise<readonly CoverageDocument[]> {
  const set = loadSchemas(bundledSchema('coverage.schema.json'));
  const judge = createJudge(await loadJudgeModules(set));
  const step = judge.stepOf(set.kinds[0]!.schema); // the only kind
  const given = new RenderInputs();
  const known = new Map<string, string>();
  const texts = new Map<string, string>();
  const refuse = (wrong: string | null): void => {
    if (wrong !== null) throw new UsageError(visible(wrong));
  };
  const documents = paths.map((path) => {
    const fail = (why: string): UsageError =>
      new UsageError(`${visible(path)}: ${why}; coverage can be merged with coverage only`);
    if (path === '-') throw fail('standard input cannot be read here');
    let text: string;
    try {
      text = readLimited(resolve(cwd, path), MOST_BYTES).toString();
    } catch (cause) {
      throw new UsageError(`cannot read ${visible(path)}: ${wordsFor(cause)}`, { cause });
    }
    const value = parsed(text);
    if (!judge.judge(step, value, { size: text.length }))
      throw fail('this is no document of paylint coverage --format json');
    const document = value as CoverageDocument; // its schema says so
    refuse(given.addShare(document.summary.shard, path));
    if (texts.has(text)) refuse(`${path}: the document is given twice: ${texts.get(text)} is the same`);
    texts.set(text, path);
    for (const { file, places } of document.schemas)
      for (const { pointer, line, sort, value } of places) {
        const [name, there] = [`${file}#${pointer}`, JSON.stringify([line, sort, value])];
        if ((known.get(name) ?? there) !== there)
          refuse(`${path}: ${name} is not as in the others: the schemas differ`);
        known.set(name, there);
      }
    return document;
  });
  refuse(given.missing());
  return documents;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
