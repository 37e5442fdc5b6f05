/**
 * What a change of the source's shape must leave as it is, to the byte: the WebAssembly for many schemas, and the report of every
 * case in every format. `test/golden/*.txt` has a line for each, with a hash; `UPDATE_GOLDEN=1 npx vitest run test/golden.all.test.ts`
 * writes them. A change that is meant to change outputs changes these files, and its message says why.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, expect, it } from 'vitest';
import { compileAccept } from '../src/engine/compile/module.ts';
import { SchemaError } from '../src/errors.ts';
import { Unsupported } from '../src/keywords/keyword-code.ts';
import { FORMAT_NAMES } from '../src/report/report-formats.ts';
import { loadSchemas } from '../src/schema/load.ts';
import type { SchemaSet } from '../src/schema/set.ts';
import { encode } from '../src/wasm/encode.ts';
import { argsIn, type Case, place, readCases, timeless } from './case-files.ts';
import { SCRATCH } from './tools.ts';
import { paylint } from './world.ts';

const ROOT = join(import.meta.dirname, '..');

function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Compares lines of a hash and a name with those of a file in `test/golden`, or writes them. */
function expectGolden(file: string, lines: readonly string[]): void {
  const path = join(import.meta.dirname, 'golden', file);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  expect(lines).toEqual(readFileSync(path, 'utf8').trimEnd().split('\n'));
}

/** The module that accepts by a schema, and the one that also notes violations; "refused": it is no schema. */
function modulesOf(path: string): string {
  try {
    const set = loadSchemas(path);
    const accept = compileAccept(set, { givenKind: null, defaults: null });
    return `${hashOf(encode(accept.module))} ${notesOf(set)}`;
  } catch (error) {
    if (error instanceof SchemaError) return 'refused';
    throw error;
  }
}

function notesOf(set: SchemaSet): string {
  try {
    return hashOf(encode(compileAccept(set, { givenKind: null, defaults: null, notes: true }).module));
  } catch (error) {
    if (error instanceof Unsupported) return 'none';
    throw error;
  }
}

/** The schemas beside the payloads of cases, each by a name of its own, and where it lies now. */
function schemasOfCases(): (readonly [name: string, path: string])[] {
  return readCases().flatMap((one) => {
    const names = [...one.told.files.keys()].filter((path) => /^[^./][^/]*s\.json$|^s\.json$/.test(path));
    const folder = names.length === 0 ? '' : place(one);
    return names.map((name) => [`test/cases/${one.name}/${name}`, join(folder, name)] as const);
  });
}

it('the WebAssembly for schemas of every kind', () => {
  const own = fastGlob.sync(['schemas/**/*.json', '!schemas/*.checks.json', 'test/standards/*.json'], { cwd: ROOT });
  const schemas = [...own.map((path) => [path, join(ROOT, path)] as const), ...schemasOfCases()];
  expect(schemas.length).toBeGreaterThan(250);
  expectGolden(
    'modules.txt',
    schemas.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, path]) => `${modulesOf(path)} ${name}`),
  );
});

/** Flags with which a run writes no report, or waits. */
const NO_REPORT = ['--print-config', '--list-files', '--watch', '--help', '-h', '--update-baseline'];

/** A report in HTML is packed, with the absolute paths of files outside of the working directory. */
function hasReport({ args, name, cd }: Case): boolean {
  return (
    cd === '.' &&
    args[0] === 'validate' &&
    !args.some((arg) => NO_REPORT.includes(arg)) &&
    !/stdout-is-lost|own-output/.test(name)
  );
}

/** In memory if possible: thousands of files are synchronized there. */
const reportsFolder = mkdtempSync(join(SCRATCH, 'paylint-golden-'));
afterAll(() => rmSync(reportsFolder, { recursive: true }));

it('the reports of every case in every format', async () => {
  const lines: string[] = [];
  const formats = FORMAT_NAMES;
  for (const one of readCases().filter(hasReport)) {
    const cwd = place(one);
    const { stdin } = one.told;
    const folder = mkdtempSync(join(reportsFolder, 'x'));
    const reports = formats.flatMap((format) => ['--format', `${format}=${join(folder, `report.${format}`)}`]);
    const { code } = await paylint([...argsIn(one, cwd), ...reports], {
      cwd,
      env: one.env,
      now: () => 0,
      ...(stdin === null ? {} : { stdin }),
    });
    const texts = formats.map((format) => textOf(join(folder, `report.${format}`), cwd));
    lines.push(`${hashOf(String(code), ...texts)} ${one.name}`);
  }
  expect(lines.length).toBeGreaterThan(400);
  expectGolden('reports.txt', lines);
});

/** The text of a report; "": there is none. */
function textOf(path: string, cwd: string): string {
  try {
    return timeless(readFileSync(path, 'utf8')).replaceAll(cwd, '$PWD');
  } catch {
    return '';
  }
}
