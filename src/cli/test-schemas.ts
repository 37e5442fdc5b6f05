/**
 * The schemas that tests are for, each loaded once. One that cannot be used is a failure of the tests that are for it.
 * A file of tests is `{ "target": schema, "tests": [{ "description", "valid" or "violations", "data" or "dataPath" }]
 * }`, the form of sourcemeta's `test`, with the violations that are expected.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { lazyUnsure } from '../engine/accept.ts';
import { createEngines, type Engines } from '../engine/engines.ts';
import { NO_FILLS } from '../engine/judge/row-log.ts';
import { SchemaError, SourceError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { locate } from '../json/locate.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { isJsonObject } from '../json/value.ts';
import type { CoverageCounts } from '../report/coverage.ts';
import type { Counting } from '../run/check/covered.ts';
import type { FileTest } from '../run/check/expected.ts';
import type { CheckContext } from '../run/check/flow.ts';
import { arrayReading } from '../schema/array-root.ts';
import type { RawObject } from '../schema/document.ts';
import { KnownSchemas } from '../schema/known.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { withoutFormats } from '../schema/set.ts';
import { warnOfSuspects } from '../schema/suspect.ts';
import { localPath } from '../schema/uri.ts';
import type { Io } from '../source/io.ts';
import { schemaAt } from '../source/path-text.ts';
import { readFileOrPipe } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Source, Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { TestedViolation } from '../words/test-rules.ts';
import { resourceOptions } from './options.ts';
import type { Settings } from './settings.ts';
import type { TestFlags } from './verb-flags.ts';

interface TestedSchema {
  readonly set: LoadedSchemas;
  /** Absent: nothing is counted. */
  readonly coverage?: { readonly counts: CoverageCounts; readonly counting: Counting };
  readonly engines: Engines;
  readonly arrays: Source['arrays'];
}

export class TestSchemas {
  readonly cwd: string;
  readonly coverage = new Set<CoverageCounts>();
  readonly #settings: Settings<TestFlags>;
  readonly #io: Io;
  /** By absolute path, with the fragment. */
  readonly #loaded = new Map<string, Promise<TestedSchema>>();

  constructor(settings: Settings<TestFlags>, io: Io) {
    this.cwd = io.cwd;
    this.#settings = settings;
    this.#io = io;
  }

  /** The schema that the file of tests at `file` (absolute) names. Throws SourceError. */
  async ofTarget(target: string, file: string, flow: CheckContext): Promise<TestedSchema> {
    const place = `the target ${visible(target)}: `;
    const path = /^[a-z][a-z0-9+.-]+:/i.test(target) ? await this.#known(target) : schemaAt(target, dirname(file));
    if (path === null) throw new SourceError(`${place}no schema is known by this URI; --ref makes one known`);
    return this.#schemaAt(path, place, flow);
  }

  /** The schema of `--schema` or the config, or the only one beside the folder of the file at `path`. Throws SourceError. */
  async ofFolder(path: string, flow: CheckContext): Promise<TestedSchema> {
    const { flags, config } = this.#settings;
    if (flags.schema !== undefined || config.schema !== null)
      return this.#once('', '', () => this.#settings.files(), flow);
    let folder = dirname(path);
    while (!/^(?:in)?valid$/.test(basename(folder))) folder = dirname(folder);
    const beside = dirname(folder);
    const [schema, ...others] = readdirSync(beside).filter((name) => /\.schema\.json$/i.test(name));
    if (schema !== undefined && others.length === 0) return this.#schemaAt(join(beside, schema), '', flow);
    const many = schema === undefined ? 'no' : 'more than one';
    throw new SourceError(`there is ${many} *.schema.json beside its folder ${basename(folder)}; --schema names one`);
  }

  /** The tests of the schema in a file: all of it, then its defaults and examples in their order. Throws SourceError. */
  async testsIn(text: TestFileText, flow: CheckContext): Promise<readonly FileTest[]> {
    const { path, bytes, end } = text;
    const whole = await this.#schemaAt(path, '', flow);
    const span = { start: byteOrderMark(bytes), end };
    const tests: FileTest[] = [{ ...PASSING, engines: usable(whole.engines), span }];
    for (const { schema, pointer, span } of located(valuesIn(whole.set), text)) {
      const { engines } = await this.#schemaAt(`${path}#${schema.replaceAll('%', '%25')}`, '', flow, true);
      const description = pointer.slice(schema.length + 1);
      tests.push({ ...PASSING, description, pointer, span, index: tests.length, engines });
    }
    return tests;
  }

  /** With `--coverage`: what was counted of the places of each schema so far, in the source just done. */
  async counted(source: Source): Promise<void> {
    for (const loaded of this.#loaded.values()) {
      const { coverage } = (await loaded.catch(() => null)) ?? {};
      const data = coverage?.counting.take() ?? null;
      if (coverage === undefined || data === null) continue;
      coverage.counts.add(data, source.name, { payloads: 0, lines: 0 });
      this.coverage.add(coverage.counts);
    }
  }

  async close(): Promise<void> {
    for (const loaded of this.#loaded.values()) await (await loaded.catch(() => null))?.engines.close();
  }

  /** The path of the schema that is known by a URI; null: there is none. */
  async #known(uri: string): Promise<string | null> {
    const { flags, config } = this.#settings;
    const [base = '', fragment] = uri.split('#', 2);
    const known = new KnownSchemas(await resourceOptions(flags, config, this.#io));
    const path = known.schemaAt(base)?.path ?? (base.startsWith('file:') ? localPath(base) : null);
    return path === null || !fragment ? path : `${path}#${fragment}`;
  }

  /** `isPart`: of a schema that was loaded before, so nothing is reported about it. */
  #schemaAt(path: string, place: string, flow: CheckContext, isPart = false): Promise<TestedSchema> {
    const load = async (): Promise<LoadedSchemas> => {
      const { flags, config } = this.#settings;
      const loaded = loadSchemas(path, await resourceOptions(flags, config, this.#io));
      if (!isPart) await warnOfSuspects(loaded, { strict: flags.strictSchema === true }, this.#io);
      return flags.assertFormats === false ? withoutFormats(loaded) : loaded;
    };
    return this.#once(path, place, load, flow);
  }

  /** `place`: the beginning of a message. */
  async #once(
    key: string,
    place: string,
    load: () => Promise<LoadedSchemas>,
    flow: CheckContext,
  ): Promise<TestedSchema> {
    const begun = this.#loaded.get(key) ?? this.#make(load, flow);
    this.#loaded.set(key, begun);
    try {
      return await begun;
    } catch (cause) {
      if (!(cause instanceof SchemaError)) throw cause;
      throw new SourceError(place + cause.message.replace(/\n */, ': ').replace(/\n */g, '; '), { cause });
    }
  }

  async #make(load: () => Promise<LoadedSchemas>, { options, window }: CheckContext): Promise<TestedSchema> {
    const set = await load();
    const loaded = async (): Promise<LoadedSchemas> => set;
    const schemas = { load: loaded, accept: lazyUnsure(loaded), precompiled: null, defaults: NO_DEFAULTS };
    const hooks = { interrupt: this.#io.interrupt };
    const arrays = arrayReading(set, null, false);
    if (!this.#settings.flags.coverage)
      return { set, engines: createEngines(schemas, options, window.memory, hooks), arrays };
    const [{ coveringEngines }, { countsFor }] = await Promise.all([
      import('../run/check/covered.ts'),
      import('./coverage.ts'),
    ]);
    const engines = coveringEngines(schemas, { ...options, covers: { kind: null } }, window.memory, hooks);
    return { set, engines, arrays, coverage: { counts: await countsFor(set, null), counting: engines.counting } };
  }
}

const PASSING = { description: null, expected: 'valid', pointer: '', data: null, index: 0 } as const;

/** The schema itself is valid if it could be loaded. */
function usable(engines: Engines): Engines {
  const examined = { kind: null, findings: [], hidden: [], fills: NO_FILLS, wellFormed: true };
  return { ...engines, examine: () => examined };
}

/** The pointers of the defaults and examples in the file of the schema, with that of the schema that has each. */
function valuesIn({ places, entry }: LoadedSchemas): { readonly schema: string; readonly pointer: string }[] {
  return [...places].flatMap(([raw, { resource, pointer: schema }]) => {
    if (resource.document !== entry) return [];
    const { examples } = raw as RawObject; // all are schemas
    const names = Array.isArray(examples) ? [...examples.keys()].map((i) => `examples/${i}`) : [];
    if (Object.hasOwn(raw, 'default')) names.unshift('default');
    return names.map((name) => ({ schema, pointer: `${schema}/${name}` }));
  });
}

/** With the span of each value, which the text has. */
function located<Item extends { readonly pointer: string }>(items: readonly Item[], { bytes, end }: TestFileText) {
  const pointers = items.map(({ pointer }) => pointer);
  const places = locate(bytes, byteOrderMark(bytes), end, pointers);
  return items.map((item) => ({ ...item, span: places.get(item.pointer)!.value }));
}

export interface TestFileText {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly end: number;
  readonly maxBytes: number;
}

/** The tests, and the target as the file names it: relative to its folder, or a URI. Throws SourceError. */
export function readTestFile(text: TestFileText): { readonly target: string; readonly tests: readonly FileTest[] } {
  const value = parsed(text);
  if (!isJsonObject(value)) throw wrong('', 'an object');
  const { target, tests } = value;
  if (typeof target !== 'string' || target === '') throw wrong('/target', 'the path of a schema');
  if (!Array.isArray(tests)) throw wrong('/tests', 'an array');
  return { target, tests: located(tests.map(rawTest), text).map((one, index) => testOf(one, index, text)) };
}

function parsed({ bytes, end }: TestFileText): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes), end));
  } catch (cause) {
    throw new SourceError(`it is no file of tests: ${visible(wordsFor(cause))}`, { cause });
  }
}

/** Its pointer is that of the payload, or of what names its file. */
type RawTest = Pick<FileTest, 'description' | 'expected' | 'pointer'> & { readonly dataPath: string | null };

function rawTest(test: unknown, index: number): RawTest {
  const at = `/tests/${index}`;
  if (!isJsonObject(test)) throw wrong(at, 'an object');
  const { description = null, valid, violations, dataPath } = test;
  if (description !== null && typeof description !== 'string') throw wrong(`${at}/description`, 'a string');
  if ((valid === undefined) === (violations === undefined)) throw wrong(at, 'either "valid" or "violations"');
  if (valid !== undefined && typeof valid !== 'boolean') throw wrong(`${at}/valid`, 'true or false');
  if ((dataPath === undefined) === !Object.hasOwn(test, 'data')) throw wrong(at, 'either "data" or "dataPath"');
  if (dataPath !== undefined && typeof dataPath !== 'string') throw wrong(`${at}/dataPath`, 'a path');
  const expected = valid === undefined ? violationsIn(violations, at) : valid ? 'valid' : 'invalid';
  const pointer = `${at}/${dataPath === undefined ? 'data' : 'dataPath'}`;
  return { description, expected, dataPath: dataPath ?? null, pointer };
}

function violationsIn(value: unknown, at: string): readonly TestedViolation[] {
  if (!Array.isArray(value)) throw wrong(`${at}/violations`, 'an array');
  return value.map((one: unknown, i) => {
    const { rule, pointer } = isJsonObject(one) ? one : {};
    if (typeof rule === 'string' && typeof pointer === 'string') return { rule, pointer };
    throw wrong(`${at}/violations/${i}`, 'an object with a "rule" and a "pointer"');
  });
}

function testOf(raw: RawTest & { readonly span: Span }, index: number, { path, maxBytes }: TestFileText): FileTest {
  const { dataPath, ...test } = raw;
  if (dataPath === null) return { ...test, index, data: null };
  try {
    return { ...test, index, data: readFileOrPipe(resolve(dirname(path), dataPath), maxBytes) };
  } catch (cause) {
    throw new SourceError(`${raw.pointer}: cannot read ${visible(dataPath)}: ${wordsFor(cause)}`, { cause });
  }
}

function wrong(pointer: string, expected: string): SourceError {
  return new SourceError(`it is no file of tests: ${pointer === '' ? 'its value' : pointer}: expected ${expected}`);
}
