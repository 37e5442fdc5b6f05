/** The schemas that tests are for, each loaded once. One that cannot be used is a failure of the tests that are for it. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resourcesFor, type Settings } from '../config/settings.ts';
import type { TestFlags } from '../config/verb-flags.ts';
import type { Engine } from '../engine/engine.ts';
import { linesOf, SchemaError, SourceError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import type { CoverageCounts } from '../report/coverage.ts';
import type { FileTest } from '../run/check/expected.ts';
import type { EngineMaker } from '../run/check/flow.ts';
import { arrayReading } from '../schema/array-root.ts';
import type { RawObject, SchemaDocument } from '../schema/document.ts';
import { KnownSchemas } from '../schema/known.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { asserting } from '../schema/set.ts';
import { warnOfSuspects } from '../schema/suspect.ts';
import { localPath } from '../schema/uri.ts';
import type { Io } from '../source/io.ts';
import { schemaAt } from '../source/path-text.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { located, type SourceText } from './test-file.ts';

interface TestedSchema {
  readonly set: LoadedSchemas;
  /** Absent: nothing is counted. */
  readonly counts?: CoverageCounts;
  readonly engine: Engine;
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
  async ofTarget(target: string, file: string, engineOf: EngineMaker): Promise<TestedSchema> {
    const place = `the target ${visible(target)}: `;
    const path = /^[a-z][a-z0-9+.-]+:/i.test(target) ? await this.#known(target) : schemaAt(target, dirname(file));
    if (path === null) throw new SourceError(`${place}no schema is known by this URI; --ref makes one known`);
    return this.#schemaAt(path, place, engineOf);
  }

  /**
   * The schema of the payloads in `folder` (absolute), `valid` or `NAME.valid`: NAME.schema.json beside it; or else that of
   * `--schema` or the config, or the only one beside the folder. Throws SourceError.
   */
  async ofFolder(folder: string, engineOf: EngineMaker): Promise<TestedSchema> {
    const { flags, config } = this.#settings;
    const beside = dirname(folder);
    const name = /^(.+)\.(?:in)?valid$/.exec(basename(folder))?.[1];
    if (name !== undefined) return this.#schemaAt(join(beside, `${name}.schema.json`), '', engineOf);
    if (flags.schema !== undefined || config.schema !== null)
      return this.#once('', '', () => this.#settings.files(), engineOf);
    const [schema, ...others] = readdirSync(beside).filter((file) => /\.schema\.json$/i.test(file));
    if (schema !== undefined && others.length === 0) return this.#schemaAt(join(beside, schema), '', engineOf);
    const hint =
      schema === undefined ? '--schema names one' : '--schema names one, and NAME.valid is for NAME.schema.json';
    const many = schema === undefined ? 'no' : 'more than one';
    throw new SourceError(`there is ${many} *.schema.json beside its folder ${basename(folder)}; ${hint}`);
  }

  /** The tests of the schema in a file: all of it, then its defaults and examples in their order. Throws SourceError. */
  async testsIn(text: SourceText, engineOf: EngineMaker): Promise<readonly FileTest[]> {
    const { path, bytes, end } = text;
    const whole = await this.#schemaAt(path, '', engineOf);
    const span = { start: byteOrderMark(bytes), end };
    const tests: FileTest[] = [{ ...PASSING, engine: null, span }];
    const values = located(valuesIn(whole.set), bytes, end);
    if (values.length === 0) return tests;
    const parts = await this.#partsOf(path, [...new Set(values.map(({ schema }) => schema))], engineOf);
    for (const { schema, pointer, span } of values) {
      const description = pointer.slice(schema.length + 1);
      const kind = kindOfPart(schema, whole.set.entry);
      tests.push({ ...PASSING, description, pointer, span, index: tests.length, engine: parts.engine, ...kind });
    }
    return tests;
  }

  /** The schemas at pointers of a file, each a kind: they are loaded together, because there may be thousands. */
  #partsOf(path: string, pointers: readonly string[], engineOf: EngineMaker): Promise<TestedSchema> {
    const load = async (): Promise<LoadedSchemas> => {
      const more = pointers.filter(Boolean).map((pointer) => `${path}#${pointer.replaceAll('%', '%25')}`);
      return this.#load(path, more);
    };
    return this.#once(`${path}#*`, '', load, engineOf);
  }

  /** With `--coverage`: what was counted of the places of each schema so far, in the source just done. */
  async counted(source: Source): Promise<void> {
    for (const loaded of this.#loaded.values()) {
      const { counts, engine } = (await loaded.catch(() => null)) ?? {};
      if (counts === undefined) continue;
      const data = engine?.counted?.() ?? null;
      // Of a schema that is itself tested, only its parts are counted.
      if (data === null && this.#settings.flags.schemasOnly) continue;
      if (data !== null) counts.add(data, source.name, { payloads: 0, lines: 0 });
      this.coverage.add(counts);
    }
  }

  async close(): Promise<void> {
    for (const loaded of this.#loaded.values()) await (await loaded.catch(() => null))?.engine.close();
  }

  /** The path of the schema that is known by a URI; null: there is none. */
  async #known(uri: string): Promise<string | null> {
    const { flags, config } = this.#settings;
    const [base = '', fragment] = uri.split('#', 2);
    const known = new KnownSchemas(await resourcesFor(flags, config, this.cwd));
    const path = known.schemaAt(base)?.path ?? (base.startsWith('file:') ? localPath(base) : null);
    return path === null || !fragment ? path : `${path}#${fragment}`;
  }

  #schemaAt(path: string, place: string, engineOf: EngineMaker): Promise<TestedSchema> {
    const load = async (): Promise<LoadedSchemas> => {
      const loaded = await this.#load(path);
      await warnOfSuspects(loaded, { strict: this.#settings.flags.strictSchema === true }, this.#io);
      return loaded;
    };
    return this.#once(path, place, load, engineOf);
  }

  async #load(path: string, more?: readonly string[]): Promise<LoadedSchemas> {
    const { flags, config } = this.#settings;
    return asserting(loadSchemas(path, await resourcesFor(flags, config, this.cwd), more), flags.assertFormats);
  }

  /** `place`: the beginning of a message. */
  async #once(
    key: string,
    place: string,
    load: () => Promise<LoadedSchemas>,
    engineOf: EngineMaker,
  ): Promise<TestedSchema> {
    const begun = this.#loaded.get(key) ?? this.#make(load, engineOf);
    this.#loaded.set(key, begun);
    try {
      return await begun;
    } catch (cause) {
      if (!(cause instanceof SchemaError)) throw cause;
      const { faults, message } = cause;
      throw new SourceError(place + (faults.length === 0 ? message : linesOf(faults).join('; ')), { cause });
    }
  }

  async #make(load: () => Promise<LoadedSchemas>, engineOf: EngineMaker): Promise<TestedSchema> {
    const set = await load();
    const schemas = { load: async () => set, precompiled: null, defaults: NO_DEFAULTS, reads: 'nothing' } as const;
    const arrays = arrayReading(set, null, false);
    if (!this.#settings.flags.coverage) return { set, engine: await engineOf(schemas, 'plain'), arrays };
    const { countsFor } = await import('../report/coverage.ts');
    return { set, engine: await engineOf(schemas, 'covering'), arrays, counts: await countsFor(set, 'tests') };
  }
}

const PASSING = { description: null, expected: 'valid', pointer: '', data: null, index: 0 } as const;

/** The kind for the schema at a pointer of the file. It is called as if the schema had been loaded by itself. */
function kindOfPart(pointer: string, { name }: SchemaDocument): Pick<FileTest, 'kind'> {
  const shown = parsePointer(pointer).at(-1);
  return shown === undefined ? {} : { kind: { given: `${name}#${pointer}`, shown } };
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
