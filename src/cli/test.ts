/** `paylint test`: a test of a schema is a payload of the run, which is invalid if the test fails. */
import { basename, dirname, relative, resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { TEST_FLAGS, type TestFlags } from '../config/verb-flags.ts';
import { SourceError, UsageError } from '../errors.ts';
import { checkSource } from '../run/check/check.ts';
import { checkTests, expecting, type FileTest, reportEmpty } from '../run/check/expected.ts';
import { type CheckContext, type Checked, runSteps, type SourceChecker } from '../run/check/flow.ts';
import type { Io } from '../source/io.ts';
import { isOutside } from '../source/path-text.ts';
import { isFolder } from '../source/read-file.ts';
import type { ReportEvent, Source } from '../types.ts';
import { sizeText } from '../words/number-text.ts';
import { mayBeEmpty } from './find-sources.ts';
import { runVerb } from './payload-verb.ts';
import { isTextReport } from './reports.ts';
import { readTestFile, type SourceText } from './test-file.ts';
import { TestSchemas } from './test-schemas.ts';

/** What a source has: tests, or payloads in `folder` that are all to be valid, or all invalid; or it is a schema to be tested. */
type Role =
  | { readonly is: 'tests' }
  | { readonly is: 'schema' }
  | { readonly is: 'payloads'; readonly expected: 'valid' | 'invalid'; readonly folder: string };

const TESTS: Role = { is: 'tests' };
const SCHEMA: Role = { is: 'schema' };

export function test(paths: readonly string[], typed: TestFlags, io: Io): Promise<number> {
  const named = paths.length === 0 && typed.filesFrom === undefined ? ['.'] : paths;
  return runVerb({ name: 'test', groups: TEST_FLAGS, paths: named, typed }, io, async (resolved) => {
    const { flags, reports } = resolved;
    if (!flags.coverage && (flags.coverageFormat ?? flags.min) !== undefined)
      throw new UsageError('--coverage-format and --min go with --coverage');
    const settings = { ...resolved, reports: { ...reports, tests: true } };
    const folderOf = payloadFolders(named, io.cwd);
    const roleOf = rolesOf(named, folderOf, flags, io);
    return {
      settings,
      holdsPayload: (path) => folderOf(path) !== null,
      isWanted: (source) => roleOf(source) !== null,
      async run({ sources, failures }, job) {
        if (sources.length + failures.length === 0 && !mayBeEmpty(flags)) throw new UsageError(NO_TESTS);
        const schemas = new TestSchemas(settings, io);
        try {
          const check = checkerOf(roleOf, schemas, flags, io);
          if (!flags.coverage) return await job({ check });
          const { targets, code } = await coverageOf(schemas, settings, io);
          const counts = await job({ check, report: { targets } });
          return { ...counts, invalid: counts.invalid, after: code };
        } finally {
          await schemas.close();
        }
      },
    };
  });
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

/** The role of a source; null: none. A file that is typed out is one of tests, unless it is in a folder of payloads. */
function rolesOf(
  named: readonly string[],
  folderOf: (path: string) => string | null,
  { grep, schemasOnly }: TestFlags,
  { cwd }: Io,
): (source: Source) => Role | null {
  const typed = new Set(named.map((path) => (path === '-' ? null : resolve(cwd, path))));
  return ({ name, path }) => {
    if (schemasOnly) return SCHEMA;
    if (/\.test\.json$/i.test(name)) return TESTS;
    const folder = path === null ? null : folderOf(path);
    if (folder === null) return typed.has(path) ? TESTS : null;
    if (grep?.test(name) === false) return null;
    return { is: 'payloads', expected: /invalid$/.test(folder) ? 'invalid' : 'valid', folder };
  };
}

const PAYLOADS = /^(?:.+\.)?(?:in)?valid$/;

/**
 * The folder of payloads (`valid`, `NAME.invalid`) that an absolute path is in, the nearest; null: it is in none. Only
 * folders count that are below the working directory, or below a folder that was named, or that were named themselves.
 */
function payloadFolders(named: readonly string[], cwd: string): (path: string) => string | null {
  const folders = named.map((path) => resolve(cwd, path)).filter((path) => isFolder(path));
  const tops = folders.sort((a, b) => b.length - a.length);
  return (path) => {
    const top = tops.find((folder) => !isOutside(relative(folder, path)));
    // What is named by itself and is elsewhere may be in one.
    const first = top ?? (isOutside(relative(cwd, path)) ? dirname(path) : cwd);
    const last = isOutside(relative(first, cwd)) ? dirname(first) : first;
    for (let folder = dirname(path); folder !== last && folder !== dirname(folder); folder = dirname(folder))
      if (PAYLOADS.test(basename(folder))) return folder;
    return null;
  };
}

function checkerOf(
  roleOf: (source: Source) => Role | null,
  schemas: TestSchemas,
  { grep }: TestFlags,
  { interrupt }: Io,
): SourceChecker {
  const check: SourceChecker = async (source, flow, engineOf) => {
    const role = roleOf(source)!; // all sources of the run have one
    if (role.is === 'tests') {
      const text = await textOf(source, flow, schemas);
      const { target, tests } = await readTestFile(text, interrupt);
      const wanted = tests.filter(({ description }) => grep?.test(description ?? source.name) !== false);
      const { engine } = await schemas.ofTarget(target, text.path, engineOf);
      return runTests(source, wanted, { ...flow, engine });
    }
    // It must be one that can be used, and each of its defaults and examples valid by the schema that has it.
    if (role.is === 'schema') {
      const text = await textOf(source, flow, schemas);
      return runTests(source, await schemas.testsIn(text, engineOf), flow);
    }
    const { engine, arrays } = await schemas.ofFolder(role.folder, engineOf);
    const settle = expecting(role.expected, flow.options);
    let isEmpty = true;
    const own: CheckContext['settle'] = (examined, whole) => {
      isEmpty = false;
      return settle(examined, whole);
    };
    const checked = await checkSource({ ...source, arrays }, { ...flow, engine, settle: own });
    if (isEmpty) await runSteps(reportEmpty(source, flow));
    return checked;
  };
  return async (source, ...given) => {
    try {
      return await check(source, ...given);
    } finally {
      await schemas.counted(source);
    }
  };
}

async function runTests(source: Source, tests: readonly FileTest[], flow: CheckContext): Promise<Checked> {
  await runSteps(checkTests(source, tests, flow));
  return { lines: 0, unread: false };
}

/** All of the file, in the window. Throws SourceError. */
async function textOf(
  { path, name }: Source,
  { window, options: { maxBytes } }: CheckContext,
  { cwd }: TestSchemas,
): Promise<SourceText> {
  while (await window.ahead()) {
    if (window.end > maxBytes) throw new SourceError(`it is larger than ${sizeText(maxBytes)}`);
  }
  return { path: path ?? resolve(cwd, name), bytes: window.bytes, end: window.end, maxBytes };
}
