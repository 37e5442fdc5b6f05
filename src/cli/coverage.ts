/**
 * `paylint coverage`: what of a schema payloads exercise. Violations are counted and not reported.
 */

import { createJudge, loadJudgeModules } from '../engine/judge/judge.ts';
import { SchemaPlaces } from '../engine/judge/places.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { CoverageCounts, type CoverageDocument, coverageDocument, redactedCoverage } from '../report/coverage.ts';
import { COVERAGE_FORMATS, type CoverageFormat, coverageWriter, shareText } from '../report/coverage-formats.ts';
import type { ReportTarget } from '../report/report.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { type Io, tell } from '../source/io.ts';
import { shownPath } from '../source/path-text.ts';
import type { Reporter, Summary } from '../types.ts';
import { exitCode } from './exit.ts';
import { findSources, listFiles } from './find-sources.ts';
import type { CheckFlags } from './flags.ts';
import { resolveSettings } from './options.ts';
import { printConfig } from './print-config.ts';
import { type FormatChoice, formatChoices } from './report-choice.ts';
import { openOutput, reportFiles } from './reports.ts';
import { runJob } from './run-job.ts';
import { colorLevel } from './terminal.ts';
import { COVERAGE_FLAGS, type CoverageFlags } from './verb-flags.ts';

export async function coverage(paths: readonly string[], typed: CoverageFlags, io: Io): Promise<number | null> {
  const { format, ...others } = typed;
  const read = await resolveSettings<CoverageFlags>(others, io, COVERAGE_FLAGS);
  const { flags } = read;
  if (flags.printConfig) return printConfig(read, COVERAGE_FLAGS, io);
  const wanted = await chosenFormats(format);
  // Whether a payload is valid is up to the schemas, which are read from their files, as the places are.
  const reports = { targets: [], folder: io.cwd };
  const settings = { ...read, reports, schemas: read.files, bundled: false, checks: [] };
  const found = await findSources(paths, settings, io, { written: reportFiles(wanted, io.cwd), byConfig: true });
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

/** The values of `--format`; without one for standard output, `pretty` goes there. Throws UsageError. */
export async function chosenFormats(texts: readonly string[] = []): Promise<readonly FormatChoice<CoverageFormat>[]> {
  const wanted = await formatChoices(texts, COVERAGE_FORMATS, ' of coverage');
  return wanted.some(({ file }) => file === null) ? wanted : [{ name: 'pretty', file: null }, ...wanted];
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

  /** `stream`: for a report without a file. Throws WriteError. */
  async targets(wanted: readonly FormatChoice<CoverageFormat>[], stream: Io['stdout']): Promise<ReportTarget[]> {
    const [io, { color = null, quiet = false }] = [this.#io, this.#flags];
    const targets: ReportTarget[] = [];
    for (const { name, file } of wanted) {
      const write = await coverageWriter(name, {
        colorLevel: file === null ? colorLevel(color, io.env, stream) : 0,
        quiet,
      });
      const reporter: Reporter = (event) => (event.type === 'summary' ? write(this.#of(event.summary)) : '');
      targets.push({ reporter, output: await openOutput(file, io.cwd, stream, io) });
    }
    return targets;
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

  /** 1 if fewer places are reached than `min`, which standard error says. */
  code(min: number | undefined): 0 | 1 {
    if (this.#document === null || min === undefined) return 0;
    const { summary } = this.#document;
    if (summary.covered * 100 >= min * summary.places) return 0;
    tell([`${shareText(summary)} of the places are reached, fewer than --min ${min}%`], this.#io);
    return 1;
  }
}
