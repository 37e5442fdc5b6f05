/** `paylint test`: a test of a schema is a payload of the run, which is invalid if the test fails. */
import { resolve } from 'node:path';
import { SourceError, UsageError } from '../errors.ts';
import { checkSource } from '../run/check/check.ts';
import type { Counting } from '../run/check/covered.ts';
import { checkTests, expecting, type FileTest } from '../run/check/expected.ts';
import { type CheckContext, runSteps, type SourceChecker } from '../run/check/flow.ts';
import { type Io, printMessages } from '../source/io.ts';
import type { ReportEvent, Source } from '../types.ts';
import { sizeText } from '../words/number-text.ts';
import { exitCode, mayBeEmpty } from './exit.ts';
import { findSources, listFiles } from './find-sources.ts';
import { resolveSettings } from './options.ts';
import { printConfig } from './print-config.ts';
import { isTextReport } from './reports.ts';
import { runJob } from './run-job.ts';
import type { FoundSources, Settings } from './settings.ts';
import { readTestFile, type TestFileText, TestSchemas } from './test-schemas.ts';
import { TEST_FLAGS, type TestFlags } from './verb-flags.ts';

/** What a source has: tests, or payloads that are all to be valid, or all invalid; or it is a schema to be tested. */
type Role = 'tests' | 'valid' | 'invalid' | 'schema';

export async function test(paths: readonly string[], typed: TestFlags, io: Io): Promise<number | null> {
  const settings = await resolveSettings(typed, io, TEST_FLAGS, 'test');
  const { flags } = settings;
  if (flags.printConfig) return printConfig(settings, TEST_FLAGS, 'test', io);
  if (!flags.coverage && (flags.coverageFormat ?? flags.min) !== undefined)
    throw new UsageError('--coverage-format and --min go with --coverage');
  const named = paths.length === 0 && flags.filesFrom === undefined ? ['.'] : paths;
  const all = await findSources(named, settings, io);
  if (all === null) return null;
  const found = testsIn(all, named, flags, io);
  if (flags.listFiles) return listFiles(found, flags, io);
  if (found.sources.length + found.failures.length === 0 && !mayBeEmpty(flags)) {
    printMessages([NO_TESTS], io);
    return 2;
  }
  const schemas = new TestSchemas(settings, io);
  try {
    const check = checkerOf(found.roles, schemas, flags);
    const own = { ...settings, reports: { ...settings.reports, tests: true } };
    if (!flags.coverage) return exitCode(await runJob(found, own, { check }, io), flags, found, io);
    const report = await coverageOf(schemas, own, io);
    const counts = await runJob(found, own, { check, targets: report.targets }, io);
    const code = exitCode(counts, flags, found, io);
    return code === 0 ? report.code() : code;
  } finally {
    await schemas.close();
  }
}

/** A report for people is followed by the coverage; beside one for programs it goes to standard error. */
async function coverageOf(schemas: TestSchemas, settings: Settings<TestFlags>, io: Io) {
  const { flags } = settings;
  const { chosenFormats, coverageReport } = await import('./coverage.ts');
  const stream = isTextReport(settings) ? io.stdout : io.stderr;
  const wanted = await chosenFormats(flags.coverageFormat);
  const report = await coverageReport(() => [...schemas.coverage], { wanted, stream }, flags, io);
  const below = (text: string): string => (text === '' ? '' : `\n${text}`);
  const targets = report.targets.map(({ reporter, output }) =>
    output.isOwned ? { reporter, output } : { reporter: (event: ReportEvent) => below(reporter(event)), output },
  );
  return { ...report, targets };
}

const NO_TESTS =
  'there are no tests: files of tests are called *.test.json, and other tests are in folders called valid and invalid';

/** The sources that have tests. A file that is typed out is one of tests, unless it is in a folder of payloads. */
function testsIn(
  found: FoundSources,
  named: readonly string[],
  { grep, schemasOnly }: TestFlags,
  { cwd }: Io,
): FoundSources & { readonly roles: ReadonlyMap<Source, Role> } {
  if (schemasOnly) return { ...found, roles: new Map(found.sources.map((source) => [source, 'schema'])) };
  const typed = new Set(named.map((path) => (path === '-' ? null : resolve(cwd, path))));
  const roles = new Map<Source, Role>();
  for (const source of found.sources) {
    const role = roleOf(source) ?? (typed.has(source.path) ? 'tests' : null);
    const isWanted = role === 'tests' || grep === undefined || grep.test(source.name);
    if (role !== null && isWanted) roles.set(source, role);
  }
  return { ...found, sources: [...roles.keys()], roles };
}

function roleOf({ name, path }: Source): Role | null {
  if (/\.test\.json$/i.test(name)) return 'tests';
  const folders = (path ?? name).split(/[\\/]/).slice(0, -1);
  const last = folders.findLast((folder) => folder === 'valid' || folder === 'invalid');
  return (last as 'valid' | 'invalid' | undefined) ?? null; // it is one of them
}

function checkerOf(roles: ReadonlyMap<Source, Role>, schemas: TestSchemas, { grep }: TestFlags): SourceChecker {
  const check: SourceChecker = async (source, flow) => {
    const role = roles.get(source)!; // all sources of the run have one
    if (role === 'tests') {
      const text = await textOf(source, flow, schemas);
      const { target, tests } = readTestFile(text);
      const wanted = tests.filter(({ description }) => grep?.test(description ?? source.name) !== false);
      const { engines, coverage } = await schemas.ofTarget(target, text.path, flow);
      return runTests(source, wanted, { ...flow, ...marking(coverage), engines });
    }
    // It must be one that can be used, and each of its defaults and examples valid by the schema that has it.
    if (role === 'schema') {
      const text = await textOf(source, flow, schemas);
      return runTests(source, await schemas.testsIn(text, flow), flow);
    }
    const { engines, arrays, coverage } = await schemas.ofFolder(source.path!, flow); // standard input is in no folder
    // Each payload is examined by itself, because what is reported of it is another violation.
    const apart = { ...engines, notes: () => null };
    const settle = expecting(role, flow.options);
    return checkSource({ ...source, arrays }, { ...flow, ...marking(coverage), engines: apart, settle });
  };
  return async (source, flow) => {
    try {
      return await check(source, flow);
    } finally {
      await schemas.counted(source);
    }
  };
}

function marking(coverage: { readonly counting: Counting } | undefined): Pick<CheckContext, 'mark'> {
  return coverage === undefined ? {} : { mark: coverage.counting.mark };
}

async function runTests(source: Source, tests: readonly FileTest[], flow: CheckContext): Promise<number> {
  await runSteps(checkTests(source, tests, flow));
  return 0;
}

/** All of the file, in the window. Throws SourceError. */
async function textOf(
  { path, name }: Source,
  { window, options: { maxBytes } }: CheckContext,
  { cwd }: TestSchemas,
): Promise<TestFileText> {
  while (await window.ahead()) {
    if (window.end > maxBytes) throw new SourceError(`it is larger than ${sizeText(maxBytes)}`);
  }
  return { path: path ?? resolve(cwd, name), bytes: window.bytes, end: window.end, maxBytes };
}
