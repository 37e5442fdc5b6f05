/** `paylint coverage`: what of a schema payloads exercise. Violations are counted and not reported. */
import { resolve } from 'node:path';
import type { CheckFlags } from '../config/flags.ts';
import { COVERAGE_FLAGS, type CoverageFlags, type Percent, type RenderFlags } from '../config/verb-flags.ts';
import { UsageError } from '../errors.ts';
import { bundledSchema } from '../package.ts';
import {
  type CoverageCounts,
  type CoverageDocument,
  countsFor,
  coverageDocument,
  mergedCoverage,
  redactedCoverage,
} from '../report/coverage.ts';
import { COVERAGE_FORMATS, type CoverageFormat, coverageWriter, shareText } from '../report/coverage-formats.ts';
import type { ReportTarget } from '../report/report.ts';
import { judgeOf, RenderInputs } from '../report/report-lines.ts';
import { loadSchemas } from '../schema/load.ts';
import { type Io, printMessages } from '../source/io.ts';
import { shownPath } from '../source/path-text.ts';
import { readLimited } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Reporter, Summary } from '../types.ts';
import { visible } from '../words/escape.ts';
import { exitCode } from './exit.ts';
import { refuseSharedFiles } from './own-output.ts';
import { runVerb } from './payload-verb.ts';
import { sayMixed } from './read-report.ts';
import { type FormatChoice, formatChoices } from './report-choice.ts';
import { openOutput, reportFiles } from './reports.ts';
import { colorLevel } from './terminal.ts';

export function coverage(paths: readonly string[], typed: CoverageFlags, io: Io): Promise<number> {
  const { format, ...given } = typed;
  return runVerb({ name: 'coverage', groups: COVERAGE_FLAGS, paths, typed, given }, io, async (resolved) => {
    const wanted = await chosenFormats(format);
    const { flags, files } = resolved;
    const reports = { targets: [], folder: io.cwd };
    return {
      // Whether a payload is valid is up to the schemas, which are read from their files, as the places are.
      settings: { ...resolved, reports, schemas: files, bundled: false },
      ...{ written: reportFiles(wanted, io.cwd), byConfig: true },
      async run(_, job) {
        const kind = flags.kind ?? null;
        const counts = await countsFor(await files(), { kind });
        const report = await coverageReport(() => [counts], { wanted, stream: io.stdout }, flags, io);
        const options = { engine: 'covering', covers: { kind } } as const;
        const done = await job({ coverage: counts, options, report: { targets: report.targets } });
        return { ...done, invalid: 0, warnings: 0, after: report.code };
      },
    };
  });
}

/** The values of `--format`; without one for standard output, `pretty` goes there. Throws UsageError. */
export async function chosenFormats(texts: readonly string[] = []): Promise<readonly FormatChoice<CoverageFormat>[]> {
  const wanted = await formatChoices(texts, COVERAGE_FORMATS, ' of coverage');
  return wanted.some(({ file }) => file === null) ? wanted : [{ name: 'pretty', file: null }, ...wanted];
}

/** `counts`: when all is counted; `stream`: for a report without a file; `code`: of run and coverage. Throws WriteError. */
export async function coverageReport(
  counts: () => readonly CoverageCounts[],
  { wanted, stream }: { readonly wanted: readonly FormatChoice<CoverageFormat>[]; readonly stream: Io['stdout'] },
  flags: CheckFlags & CoverageFlags,
  io: Io,
) {
  let document: CoverageDocument | null = null;
  const targets: ReportTarget[] = [];
  for (const { file, write } of await writersFor(wanted, flags, stream, io)) {
    const reporter: Reporter = (event) => {
      if (event.type !== 'summary') return '';
      document ??= documentOf(event.summary, counts(), flags, io);
      return write(document);
    };
    targets.push({ reporter, output: await openOutput(file, io.cwd, stream, io) });
  }
  const code = (others: number): number => (document === null ? others : others || codeOf(document, flags.min, io));
  return { targets, code };
}

function documentOf(summary: Summary, counts: readonly CoverageCounts[], { redact }: CheckFlags, { cwd }: Io) {
  const { payloads, valid, invalid, failures, elapsedMs, interrupted, shard } = summary;
  const schemas = counts.flatMap((one) => one.schemas((path) => shownPath(path, cwd)));
  const document = coverageDocument(schemas, {
    ...(counts.some(({ tests }) => tests) ? { tests: true } : {}),
    ...{ payloads, valid, invalid, failures, elapsedMs },
    ...(interrupted ? { interrupted } : {}),
    ...(shard === undefined ? {} : { shard }),
    uncounted: counts.reduce((sum, { uncounted }) => sum + uncounted, 0),
  });
  return redact ? redactedCoverage(document) : document;
}

/** 1 if fewer places are reached than `min`, which standard error says. */
function codeOf({ summary }: CoverageDocument, min: Percent | undefined, io: Io): 0 | 1 {
  const { covered, places } = summary;
  if (min === undefined || BigInt(covered) * 100n * min.scale >= min.digits * BigInt(places)) return 0;
  printMessages([`${shareText(summary)} of the places are reached, fewer than --min ${min.text}`], io);
  return 1;
}

/** The documents of several runs as one. Resolves to the exit code of the merged result. Throws UsageError. */
export async function renderCoverage(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number> {
  const wanted = await chosenFormats(flags.format);
  const files = paths.map((path) => resolve(io.cwd, path));
  refuseSharedFiles(reportFiles(wanted, io.cwd), files, io);
  const merged = mergedCoverage(await readDocuments(paths, flags, io));
  const shown = flags.redact ? redactedCoverage(merged) : merged;
  for (const { file, write } of await writersFor(wanted, flags, io.stdout, io)) {
    const output = await openOutput(file, io.cwd, io.stdout, io);
    try {
      output.write(write(shown));
      await output.close();
    } finally {
      await output.discard();
    }
  }
  const { payloads, failures, interrupted = false } = merged.summary;
  const code = exitCode({ payloads, failures, invalid: 0, isCut: interrupted }, flags, { leftOutBy: [] }, io);
  return code === 0 ? codeOf(merged, flags.min, io) : code;
}

/** Throws UsageError for what is no such document, is given twice, or is a shard without the others. */
async function readDocuments(
  paths: readonly string[],
  flags: Pick<RenderFlags, 'quiet'>,
  io: Io,
): Promise<readonly CoverageDocument[]> {
  const path = bundledSchema('coverage.schema.json');
  // Later versions add members (docs/reference/stability.md).
  const text = readLimited(path)
    .toString()
    .replace(/,\s*"additionalProperties": false/g, '');
  const set = loadSchemas(path, { files: new Map([[path, Buffer.from(text)]]) });
  const judge = await judgeOf(set);
  const step = judge.stepOf(set.kinds[0]!.schema); // the only kind
  const given = new RenderInputs();
  const seen = new Map<string, string>();
  const refuse = (wrong: string | null): void => {
    if (wrong !== null) throw new UsageError(visible(wrong));
  };
  const documents = paths.map((path) => {
    let value: unknown;
    let text = '';
    try {
      text = readLimited(resolve(io.cwd, path)).toString();
      value = JSON.parse(text);
    } catch (cause) {
      if (!(cause instanceof SyntaxError))
        throw new UsageError(`cannot read ${visible(path)}: ${wordsFor(cause)}`, { cause });
    }
    if (value === undefined || !judge.judge(step, value, { size: text.length }))
      refuse(
        `${path}: this is no document of paylint coverage --format json; coverage can be merged with coverage only`,
      );
    const document = value as CoverageDocument; // its schema says so
    given.addVersion(document.version);
    refuse(given.addShare(document.summary.shard, path));
    if (seen.has(text)) refuse(`${path}: the document is given twice: ${seen.get(text)} is the same`);
    seen.set(text, path);
    for (const { file, places } of document.schemas)
      for (const { pointer, line, sort, value: own } of places) {
        const [name, there] = [`${file}#${pointer}`, JSON.stringify([line, sort, own])];
        if ((seen.get(name) ?? there) !== there) refuse(`${path}: ${name} is not as in the others: the schemas differ`);
        seen.set(name, there);
      }
    return document;
  });
  refuse(given.missing());
  sayMixed(given.mixed(), flags, io);
  return documents;
}

async function writersFor(
  wanted: readonly FormatChoice<CoverageFormat>[],
  { color, quiet }: Pick<CheckFlags, 'color' | 'quiet'>,
  stream: Io['stdout'],
  { env }: Io,
) {
  return Promise.all(
    wanted.map(async ({ name, file }) => {
      const level = file === null ? colorLevel(color ?? null, env, stream) : 0;
      return { file, write: await coverageWriter(name, { colorLevel: level, quiet: quiet === true }) };
    }),
  );
}
