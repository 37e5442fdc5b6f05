/**
 * The schemas that tests are for: the target of a file of tests, or that of a folder of payloads. Each is loaded once. A
 * schema that cannot be used is a failure of the tests that are for it.
 *
 * A file of tests is `{ "target": schema, "tests": [{ "description", "valid" or "violations", "data" or "dataPath" }] }`,
 * the form of sourcemeta's `test`, with the violations that are expected.
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
import type { Expectation, FileTest } from '../run/check/expected.ts';
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
  /** What tests have counted, by schema. */
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
  async testsIn({ path, bytes, end }: TestFileText, flow: CheckContext): Promise<readonly FileTest[]> {
    const whole = await this.#schemaAt(path, '', flow);
    const values = valuesIn(whole.set).map(({ pointer, value }) => ({
      schema: pointer,
      pointer: `${pointer}/${value}`,
    }));
    const located = locate(
      bytes,
      byteOrderMark(bytes),
      end,
      values.map(({ pointer }) => pointer),
    );
    const start = byteOrderMark(bytes);
    const tests: FileTest[] = [{ ...PASSING, engines: usable(whole.engines), span: { start, end } }];
    for (const { schema, pointer } of values) {
      const { engines } = await this.#schemaAt(`${path}#${schema.replaceAll('%', '%25')}`, '', flow, true);
      const { value: span } = located.get(pointer)!; // the schema has it
      tests.push({
        ...PASSING,
        description: pointer.slice(schema.length + 1),
        pointer,
        span,
        index: tests.length,
        engines,
      });
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

/** The defaults and examples in the file of the schema: the pointer of the schema that has each, and its own from there. */
function valuesIn({ places, entry }: LoadedSchemas): readonly { readonly pointer: string; readonly value: string }[] {
  const found: { pointer: string; value: string }[] = [];
  for (const [schema, { resource, pointer }] of places) {
    if (resource.document !== entry) continue;
    const { examples } = schema as RawObject; // all are schemas
    if (Object.hasOwn(schema, 'default')) found.push({ pointer, value: 'default' });
    if (Array.isArray(examples)) for (const i of examples.keys()) found.push({ pointer, value: `examples/${i}` });
  }
  return found;
}

/** The text of a file, and where it is. */
export interface TestFileText {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly end: number;
  /** Larger payloads are refused. */
  readonly maxBytes: number;
}

/** The tests, and the target as the file names it: relative to its folder, or a URI. Throws SourceError. */
export function readTestFile(text: TestFileText): { readonly target: string; readonly tests: readonly FileTest[] } {
  const value = parsed(text);
  if (!isJsonObject(value)) throw wrong('', 'an object');
  const { target, tests } = value;
  if (typeof target !== 'string' || target === '') throw wrong('/target', 'the path of a schema');
  if (!Array.isArray(tests)) throw wrong('/tests', 'an array');
  const read = tests.map(rawTest);
  const { bytes, end } = text;
  const located = locate(
    bytes,
    byteOrderMark(bytes),
    end,
    read.map(({ pointer }) => pointer),
  );
  // Of the payload, or of what names its file: the value has them.
  const spanOf = ({ pointer }: RawTest): Span => located.get(pointer)!.value;
  return { target, tests: read.map((one, index) => testOf(one, index, spanOf(one), text)) };
}

function parsed({ bytes, end }: TestFileText): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', byteOrderMark(bytes), end));
  } catch (cause) {
    throw new SourceError(`it is no file of tests: ${visible(wordsFor(cause))}`, { cause });
  }
}

interface RawTest {
  readonly description: string | null;
  readonly expected: Expectation;
  /** Null: the payload is in the file. */
  readonly dataPath: string | null;
  /** Of the payload, or of what names its file. */
  readonly pointer: string;
}

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

function testOf(raw: RawTest, index: number, span: Span, { path, maxBytes }: TestFileText): FileTest {
  const { description, expected, pointer, dataPath } = raw;
  const test = { description, expected, pointer, span, index };
  if (dataPath === null) return { ...test, data: null };
  try {
    return { ...test, data: readFileOrPipe(resolve(dirname(path), dataPath), maxBytes) };
  } catch (cause) {
    throw new SourceError(`${pointer}: cannot read ${visible(dataPath)}: ${wordsFor(cause)}`, { cause });
  }
}

function wrong(pointer: string, expected: string): SourceError {
  return new SourceError(`it is no file of tests: ${pointer === '' ? 'its value' : pointer}: expected ${expected}`);
}
