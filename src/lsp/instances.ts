/**
 * The instances of the library for open files: one for each config, opened again when the config or a schema changes. A
 * config or a schema that cannot be used is one diagnostic on that file.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, loadConfig } from '../config/config.ts';
import { nearestConfig } from '../config/config-search.ts';
import { type FileRules, fileRules, NO_FILE_RULES, namedFiles, schemasForFiles } from '../config/settings.ts';
import { SchemaError, UsageError } from '../errors.ts';
import type { Paylint } from '../library/api.ts';
import { openPaylint } from '../library/open.ts';
import type { Io } from '../source/io.ts';
import { isFolder } from '../source/read-file.ts';
import type { FramingName } from '../types.ts';
import { NOWHERE } from '../write/stream-output.ts';

export interface Broken {
  readonly uri: string;
  /** From 0. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Instance {
  /** The path of the config; empty: there is none. */
  readonly config: string;
  /** By the absolute path of the file; null if the config or a schema cannot be used. */
  readonly paylintFor: (path: string) => Promise<Paylint | null>;
  readonly broken: Broken | null;
  readonly rules: FileRules;
  readonly input: FramingName | null;
}

/** The files that an instance was read from, and their state. */
type Stamps = Map<string, string>;

export class Instances {
  readonly #io: Io;
  readonly #opened = new Map<string, { readonly instance: Promise<Instance>; readonly stamps: Stamps }>();
  /** By folder, the path of the config that was found for it; empty: none. */
  readonly #configs = new Map<string, string>();
  /** By path of the config: the files of the instance before, of which one may be broken now. */
  readonly #before = new Map<string, readonly string[]>();

  constructor(io: Io) {
    this.#io = io;
  }

  /** For a file, by its folder. `config`: the path that a setting names; null: the nearest one upward from the folder. */
  of(folder: string, config: string | null): Promise<Instance> {
    const path = config ?? this.#nearest(folder);
    if (config === null) this.#configs.set(folder, path);
    const known = this.#opened.get(path);
    if (known !== undefined) return known.instance;
    const stamps = new Map<string, string>();
    const instance = this.#open(path, stamps);
    this.#opened.set(path, { instance, stamps });
    return instance;
  }

  /** Drops the instances of which a file has changed since it was read. True: there are some, or a folder has another config. */
  dropStale(): boolean {
    const others = [...this.#configs].filter(([folder, path]) => this.#nearest(folder) !== path);
    for (const [folder] of others) this.#configs.delete(folder);
    const stale = [...this.#opened].filter(([, { stamps }]) => isStale(stamps));
    for (const [path, { stamps }] of stale) {
      this.#opened.delete(path);
      this.#before.set(path, [...stamps.keys()]);
    }
    return others.length + stale.length > 0;
  }

  /** The names of all files that were read. */
  get names(): readonly string[] {
    return [
      ...new Set([...this.#opened.values()].flatMap(({ stamps }) => [...stamps.keys()].map((path) => basename(path)))),
    ];
  }

  #nearest(folder: string): string {
    return nearestConfig({ ...this.#io, cwd: folder, stderr: NOWHERE }) ?? '';
  }

  async #open(path: string, stamps: Map<string, string>): Promise<Instance> {
    const started = Date.now() - CLOCK;
    // Of what changes meanwhile, it is not known whether it was read before.
    const note = (file: string): unknown => stamps.set(file, changedSince(file, started) ? UNSETTLED : stampOf(file));
    if (path !== '') note(path);
    let config: Config | null = null;
    try {
      config = await loadConfig(path || false, { ...this.#io, stderr: NOWHERE });
      for (const file of filesOf(config)) note(file);
      const paylint = await openPaylint({ config: path || false });
      for (const warning of paylint.warnings) this.#io.stderr.write(`paylint: ${warning}\n`);
      const { kinds } = paylint;
      for (const file of paylint.schemaFiles) note(file);
      const rules = await fileRules(config, schemasForFiles(config), async () => kinds);
      const isForced = config.flags.kind !== undefined;
      const byKind = new Map<string, Promise<Paylint>>();
      const paylintFor = async (file: string): Promise<Paylint> => {
        const kind = isForced ? null : rules.kindOf(file);
        if (kind === null) return paylint;
        const opened = byKind.get(kind) ?? openPaylint({ config: path, kind });
        byKind.set(kind, opened);
        return opened;
      };
      const input = (config.flags.input as FramingName | undefined) ?? null; // as the config's schema says
      return { config: path, paylintFor, broken: null, rules, input };
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof SchemaError)) throw error;
      const { faults = [], missing = [] } = error instanceof SchemaError ? error : {};
      const others = [...missing, ...faults.flatMap((fault) => fault.path ?? []), ...(this.#before.get(path) ?? [])];
      for (const file of others) note(file);
      const broken = brokenOf(error, path);
      return { config: path, paylintFor: async () => null, broken, rules: NO_FILE_RULES, input: null };
    }
  }
}

/** What a config names, whether it is there or not. Folders have another state when an entry appears. */
function filesOf(config: Config): string[] {
  const { folder, baseline, refs } = config;
  const named = [...refs.map((text) => text.replace(/^.*=/s, '')), ...(baseline === null ? [] : [baseline])];
  const paths = [...named.map((file) => resolve(folder, file)), ...namedFiles(config), ...schemasOf(config)];
  return paths.flatMap((path) => [path, ...foldersIn(path)]);
}

/** All folders below a path, without those that `refs` leave out. */
function foldersIn(path: string): string[] {
  if (!isFolder(path)) return [];
  const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const read = inner.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'));
  return read.flatMap(({ name }) => [join(path, name), ...foldersIn(join(path, name))]);
}

function schemasOf(config: Config | null): string[] {
  if (config === null) return [];
  const named = [config.schema, ...config.schemas.map(({ schema }) => schema)];
  return named.flatMap((schema) => (schema === null ? [] : [resolve(config.folder, schema)]));
}

/** What is wrong is shown in the file at fault; if that is none, or missing, in the config. */
function brokenOf(error: UsageError | SchemaError, config: string): Broken {
  const place = error instanceof SchemaError ? error.faults[0] : error.at;
  const path = place?.path ?? config;
  const { line, column } = place ?? {};
  return {
    uri: pathToFileURL(stampOf(path) === MISSING ? config : path).href,
    line: (line ?? 1) - 1,
    column: (column ?? 1) - 1,
    message: error.message,
  };
}

const MISSING = 'missing';
const UNSETTLED = 'unsettled';

/** Milliseconds between two times that a file system tells apart. */
const CLOCK = 10;

function changedSince(path: string, time: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.ctimeMs >= time;
}

/** With the time of the last change of any kind, because a program may set that of the content back. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return MISSING;
  const { mtimeNs, ctimeNs, size, ino } = stats;
  return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
}

function isStale(stamps: ReadonlyMap<string, string>): boolean {
  return [...stamps].some(([path, stamp]) => stampOf(path) !== stamp);
}
