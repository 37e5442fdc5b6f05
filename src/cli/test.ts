/**
 * `paylint test`: tests of schemas, in files of tests and in folders `valid` and `invalid`. A test is a payload of the run,
 * which is invalid if the test fails.
 */
import { resolve } from 'node:path';
import { SourceError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { checkSource } from '../run/check/check.ts';
import { checkTests, expecting } from '../run/check/expected.ts';
import { type Flow, runSteps, type SourceChecker } from '../run/check/flow.ts';
import { type Io, tell } from '../source/io.ts';
import type { Source } from '../types.ts';
import { sizeText } from '../words/number-text.ts';
import { exitCode, mayBeEmpty } from './exit.ts';
import { findSources, listFiles } from './find-sources.ts';
import { resolveSettings } from './options.ts';
import { printConfig } from './print-config.ts';
import { runJob } from './run-job.ts';
import type { FoundSources } from './settings.ts';
import { readTestFile, type TestFileText } from './test-file.ts';
import { TestSchemas } from './test-schemas.ts';
import { TEST_FLAGS, type TestFlags } from './verb-flags.ts';

/** What a source has: tests, or payloads that are all to be valid, or all invalid; or it is a schema to be tested. */
type Role = 'tests' | 'valid' | 'invalid' | 'schema';

/** Resolves to the exit code; null if only the help is to be shown. */
export async function test(paths: readonly string[], typed: TestFlags, io: Io): Promise<number | null> {
  const settings = await resolveSettings(typed, io, TEST_FLAGS);
  const { flags } = settings;
  if (flags.printConfig) return printConfig(settings, TEST_FLAGS, io);
  const named = paths.length === 0 && flags.filesFrom === undefined ? ['.'] : paths;
  const all = await findSources(named, settings, io);
  if (all === null) return null;
  const found = testsIn(all, named, flags, io);
  if (flags.listFiles) return listFiles(found, flags, io);
  if (found.sources.length + found.failures.length === 0 && !mayBeEmpty(flags)) {
    tell([NO_TESTS], io);
    return 2;
  }
  const schemas = new TestSchemas(settings, io);
  try {
    const check = checkerOf(found.roles, schemas, flags);
    const choices = {
      defaults: NO_DEFAULTS,
      outlet: null,
      destination: null,
      reportStream: io.stdout,
      check,
    };
    const reports = { ...settings.reports, tests: true };
    const counts = await runJob(found, { ...settings, reports }, choices, io);
    return exitCode(counts, flags, found, io);
  } finally {
    await schemas.close();
  }
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

function checkerOf(
  roles: ReadonlyMap<Source, Role>,
  schemas: TestSchemas,
  { grep }: TestFlags,
): SourceChecker {
  return async (source, flow) => {
    const role = roles.get(source)!; // all sources of the run have one
    if (role === 'tests') return checkFile(source, flow, schemas, grep);
    if (role === 'schema') return checkSchema(source, flow, schemas);
    const { engines, arrays } = await schemas.ofFolder(source.path!, flow); // standard input is in no folder
    // Each payload is examined by itself, because what is reported of it is another violation.
    const own = {
      ...flow,
      engines: { ...engines, notes: () => null },
      settle: expecting(role, flow.options),
    };
    return checkSource({ ...source, arrays }, own);
  };
}

async function checkFile(
  source: Source,
  flow: Flow,
  schemas: TestSchemas,
  grep: RegExp | undefined,
): Promise<number> {
  const text = await textOf(source, flow, schemas);
  const { path } = text;
  const { target, tests } = readTestFile(text);
  const wanted = tests.filter(({ description }) => grep?.test(description ?? source.name) !== false);
  const engines = await schemas.ofTarget(target, path, flow);
  await runSteps(checkTests(source, wanted, { ...flow, engines }));
  return 0;
}

/** A schema must be one that can be used, and each of its defaults and examples must be valid by the schema that has it. */
async function checkSchema(source: Source, flow: Flow, schemas: TestSchemas): Promise<number> {
  const text = await textOf(source, flow, schemas);
  const tests = await schemas.testsIn(text, flow);
  await runSteps(checkTests(source, tests, flow));
  return 0;
}

/** All of the file, in the window. Throws SourceError. */
async function textOf(
  { path, name }: Source,
  { window, options: { maxBytes } }: Flow,
  { cwd }: TestSchemas,
): Promise<TestFileText> {
  while (await window.ahead()) {
    if (window.end > maxBytes) throw new SourceError(`it is larger than ${sizeText(maxBytes)}`);
  }
  return { path: path ?? resolve(cwd, name), bytes: window.bytes, end: window.end, maxBytes };
}
