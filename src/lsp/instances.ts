/**
 * The instances of the library for open files: one for each config, opened again when the config or a schema changes. A
 * config or a schema that cannot be used is one diagnostic on that file.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, loadConfig } from '../config/config.ts';
import { type FileRules, fileRules, NO_FILE_RULES, schemasForFiles } from '../config/config-schemas.ts';
import { nearestConfig } from '../config/config-search.ts';
import { SchemaError, UsageError } from '../errors.ts';
import type { Paylint } from '../library/api.ts';
import { openPaylint } from '../library/open.ts';
import type { Io } from '../source/io.ts';
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

  constructor(io: Io) {
    this.#io = io;
  }

  /** For a file, by its folder. `config`: the path that a setting names; null: the nearest one upward from the folder. */
  of(folder: string, config: string | null): Promise<Instance> {
    const path = config ?? this.#nearest(folder);
    if (config === null) this.#configs.set(folder, path);
    const known = this.#opened.get(path);
    if (known !== undefined && !isStale(known.stamps)) return known.instance;
    const stamps = new Map<string, string>();
    const instance = this.#open(path, stamps);
    this.#opened.set(path, { instance, stamps });
    return instance;
  }

  /** Whether a file of an instance has changed since it was opened, or a folder has another config. */
  get isStale(): boolean {
    const isOther = [...this.#configs].some(([folder, path]) => this.#nearest(folder) !== path);
    return isOther || [...this.#opened.values()].some(({ stamps }) => isStale(stamps));
  }

  #nearest(folder: string): string {
    return nearestConfig({ ...this.#io, cwd: folder, stderr: NOWHERE }) ?? '';
  }

  async #open(path: string, stamps: Map<string, string>): Promise<Instance> {
    const note = (file: string): unknown => stamps.set(file, stampOf(file));
    if (path !== '') note(path);
    let config: Config | null = null;
    try {
      config = await loadConfig(path || false, { ...this.#io, stderr: NOWHERE });
      for (const file of schemasOf(config)) note(file);
      if (typeof config.checks === 'string') note(resolve(config.folder, config.checks));
      const paylint = await openPaylint({ config: path || false });
      for (const warning of paylint.warnings) this.#io.stderr.write(`paylint: ${warning}\n`);
      const { kinds } = paylint;
      for (const { schema } of kinds) note(schema);
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
      const broken = brokenOf(error, path, config);
      return { config: path, paylintFor: async () => null, broken, rules: NO_FILE_RULES, input: null };
    }
  }
}

function schemasOf(config: Config | null): string[] {
  if (config === null) return [];
  const named = [config.schema, ...config.schemas.map(({ schema }) => schema)];
  return named.flatMap((schema) => (schema === null ? [] : [resolve(config.folder, schema)]));
}

/** A schema that cannot be used is at fault itself, if the message names it; anything else is in the config. */
function brokenOf({ message }: Error, path: string, config: Config | null): Broken {
  const schema = schemasOf(config).find((file) => message.includes(file.slice(dirname(file).length + 1)));
  const isSchema = schema !== undefined && stampOf(schema) !== MISSING;
  const [, line = '1', column = '1'] = /:(\d+):(\d+): /.exec(message) ?? [];
  return {
    uri: pathToFileURL(isSchema ? schema : path).href,
    line: Number(line) - 1,
    column: Number(column) - 1,
    message,
  };
}

const MISSING = 'missing';

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
