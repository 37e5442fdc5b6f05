/**
 * Settings, and the one interpreter of the config together with what was typed or passed, which takes precedence: which schemas
 * there are and how they are read, which rules have which level, which files have which kind or are ignored. `cli/options.ts`
 * gives it flags, `library/instance-settings.ts` options.
 */
import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { LoadSchemas } from '../engine/accept.ts';
import { UsageError } from '../errors.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import type { FormatName } from '../report/report-formats.ts';
import { meantPath } from '../schema/faults.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { DraftName } from '../schema/names.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import type { KindFile } from '../schema/set.ts';
import type { IgnoreTest } from '../source/globs.ts';
import { decodedFragment, schemaAt, slashed, splitFragment } from '../source/path-text.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Check, Relation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { DEPRECATED, isSought, type RuleLevels } from '../words/rule-levels.ts';
import type { OwnChecks } from './checks.ts';
import { type Config, inConfig } from './config.ts';
import { CONFIG_NAME } from './config-search.ts';
import type { CheckFlags } from './flags.ts';

export interface ReportChoice {
  readonly name: FormatName;
  readonly file: string | null;
  /** It contains all violations, regardless of the flags for other reports. */
  readonly whole?: true;
  /** If it is text: it has the summary alone. */
  readonly summaryOnly?: true;
}

export const PRETTY: ReportChoice = { name: 'pretty', file: null };

/** The message about two formats. `where`: `standard output`. */
export function onlyOne(where: string): string {
  return `only one format can go to ${where}; give the others a file: --format NAME=FILE`;
}

export interface ReportChoices {
  readonly targets: readonly ReportChoice[];
  /** Files are relative to it. It is the folder of the config if the config names the files. */
  readonly folder: string;
  /** Payloads are tests. Absent: false. */
  readonly tests?: boolean;
  /** `pretty` shows violations by what is wrong. Absent: one by one. */
  readonly grouped?: boolean;
}

export interface Settings<Flags extends CheckFlags = CheckFlags> {
  /** Those that were typed, and those of the config. */
  readonly flags: Flags;
  readonly typed: Flags;
  readonly config: Config;
  readonly schemas: LoadSchemas;
  /** The same with their files, which need not be read for the bundled schemas. */
  readonly files: () => Promise<LoadedSchemas>;
  /** The schemas are the bundled ones, which are known to compile. */
  readonly bundled: boolean;
  /** Those of the config, and with `--advice` those of the kinds. */
  readonly checks: readonly Check[];
  /** The checks that compare payloads. */
  readonly relations: readonly Relation[];
  readonly reports: ReportChoices;
  /** Absolute path of the baseline; null: there is none. */
  readonly baseline: string | null;
}

/** What decides about the schemas, apart from the config. */
export interface GivenSchemas {
  /** The path of a schema that is for all payloads, as it was typed. Absent: that of the config, or the bundled one. */
  readonly schema?: string | undefined;
  /** The same as an absolute path, which may be in memory. */
  readonly path?: string | null;
  readonly advice?: boolean | undefined;
  /** By rule; they win over those of the config. */
  readonly levels?: RuleLevels;
}

/**
 * The absolute path of the schema, and `own`: the schemas that the config has for files, none if one is for all payloads;
 * `bundled`: they are the bundled ones, which are known to compile; `checks`: those of the config, and with `advice` those
 * of the kinds, null: there are none. `cwd`: of what was typed. Throws UsageError.
 */
export async function schemaSettings(
  { schema, path: known = null, advice = false, levels }: GivenSchemas,
  config: Config,
  cwd: string,
) {
  const path = known ?? schemaPath(schema, config, cwd);
  const areOurs = path === bundledSchema(ENTRY_SCHEMA);
  const checks = await checksOf(config, areOurs && advice);
  const own = schemasForFiles(config, schema ?? known);
  return {
    path,
    own,
    bundled: areOurs && own.length === 0,
    checks,
    rules: { ...checks?.levels, ...config.rules, ...levels },
  };
}

/** What decides how schemas are read, apart from the config. */
export interface GivenResources extends Pick<ResourceOptions, 'formats' | 'vocabularies'> {
  readonly draft?: DraftName | undefined;
  /** Their paths are relative to `cwd`. */
  readonly ref?: readonly string[] | undefined;
  readonly advice?: boolean | undefined;
}

/** `cwd`: of what was given; `place`: the beginning of messages about `ref`. Throws UsageError. */
export async function resourcesFor(
  { draft, ref: given = [], advice = false, formats, vocabularies }: GivenResources,
  config: Config,
  cwd: string,
  place = '--ref: ',
): Promise<ResourceOptions> {
  const { folder, rules } = config;
  const hasRefs = given.length + config.refs.length > 0;
  const readRefs = hasRefs ? (await import('../schema/refs-option.ts')).readRefs : async () => [];
  const refs = [
    ...(await readRefs(given, cwd, () => place)),
    ...(await readRefs(config.refs, folder, (i) => inConfig(config, `/refs/${i}`))),
  ];
  const ofConfig =
    Object.keys(config.ownFormats).length > 0 ? (await import('./own-formats.ts')).readFormats(config) : [];
  const all = new Map([...ofConfig, ...(formats ?? [])]);
  return {
    ...{ refs, folder, vocabularies: vocabularies ?? config.vocabularies },
    ...(draft === undefined ? {} : { draft }),
    ...(all.size === 0 ? {} : { formats: all }),
    ...(isSought(DEPRECATED, { rules, advice }) ? { deprecations: true } : {}),
  };
}

/** Absolute path of the baseline; null: there is none. `cwd`: of the one that was given. */
export function baselinePath(given: string | undefined, config: Config, cwd: string): string | null {
  if (given !== undefined) return resolve(cwd, given);
  return config.baseline === null ? null : resolve(config.folder, config.baseline);
}

/** Absolute path of the schema: the one that was typed, the config's, or the bundled one. Throws UsageError. */
export function schemaPath(typed: string | undefined, config: Config, cwd: string): string {
  if (typed !== undefined) return localSchema(typed, '', cwd);
  if (config.schema === null) return bundledSchema(ENTRY_SCHEMA);
  return localSchema(config.schema, inConfig(config, '/schema'), config.folder);
}

/** The schemas that the config has for files, with absolute paths; none if the `typed` one is for all. Throws UsageError. */
export function schemasForFiles(config: Config, typed: string | null = null): Config['schemas'] {
  if (typed !== null) return [];
  return config.schemas.map(({ files, schema }, i) => ({
    files,
    schema: localSchema(schema, inConfig(config, `/schemas/${i}/schema`), config.folder),
  }));
}

/** `place`: the beginning of a message. */
function localSchema(text: string, place: string, folder: string): string {
  const path = schemaAt(text, folder);
  try {
    if (!statSync(splitFragment(path).file).isDirectory()) return path;
  } catch (cause) {
    const why = /^[a-z][a-z+.-]+:\/\//i.test(text)
      ? 'only local files are read, nothing is fetched from a network'
      : `${wordsFor(cause)}${meantPath(splitFragment(path).file)}`;
    throw new UsageError(`${place}cannot read the schema ${visible(text)}: ${why}`, { cause });
  }
  throw new UsageError(`${place}cannot read the schema ${visible(text)}: is a folder, not a file`);
}

/** Absolute paths. */
export function namedFiles({ checks, ownFormats, folder }: Pick<Config, 'checks' | 'folder' | 'ownFormats'>): string[] {
  const values = Object.values(ownFormats).flatMap((one) => (one === false ? [] : (one.values ?? [])));
  return [...values, ...(typeof checks === 'string' ? [checks] : [])].map((file) => resolve(folder, file));
}

/** Where no config can be read, as in a browser. */
export function noConfig(folder: string): Config {
  return {
    ...{ path: null, name: '', folder, found: false, schema: null, checks: null, baseline: null },
    ...{ files: [], refs: [], schemas: [], kinds: [], vocabularies: [], ignore: [], formats: [] },
    ...{ ownFormats: {}, rules: {}, flags: {}, leftOut: [] },
  };
}

/** The settings of the config for files, by absolute path. */
export interface FileRules {
  /** Null: there is no setting, so the kind is detected. */
  readonly kindOf: (path: string) => string | null;
  /** The file is left out, or holds no payloads: it is a config or the baseline. */
  readonly ignores: (path: string) => boolean;
}

export const NO_FILE_RULES: FileRules = { kindOf: () => null, ignores: () => false };

/** `own`: the schemas for files; `kindsOf`: those of all schemas, with those for files at the end; asked only for these. */
export async function fileRules(
  config: Pick<Config, 'baseline' | 'checks' | 'folder' | 'ignore' | 'kinds' | 'ownFormats' | 'path'>,
  own: Config['schemas'],
  kindsOf: () => Promise<readonly KindFile[]>,
): Promise<FileRules> {
  const { folder, ignore } = config;
  const isPlain = ignore.length + config.kinds.length + own.length === 0;
  const globs = isPlain ? null : await import('../source/globs.ts');
  const ignores: IgnoreTest = globs?.ignoreTest(ignore, folder) ?? (() => false);
  const all = own.length === 0 ? [] : await kindsOf();
  const ofOwn = own.map(({ files, schema }) => ({
    files,
    kind: all.findLast((kind) => isOf(kind, schema))!.name, // each is a kind
  }));
  // The first one that matches says the kind.
  const kinds = [...ofOwn, ...config.kinds].map(({ files, kind }) => ({ matches: globs!.compileGlob(files), kind }));
  const baseline = config.baseline === null ? null : resolve(folder, config.baseline);
  const named = namedFiles(config);
  const fromConfig = (path: string): string => slashed(relative(folder, path));
  return {
    kindOf: (path) => kinds.find(({ matches }) => matches(fromConfig(path)))?.kind ?? null,
    ignores: (path) =>
      path === config.path ||
      path === baseline ||
      named.includes(path) ||
      basename(path) === CONFIG_NAME ||
      ignores(path, 'file'),
  };
}

/** Whether a kind is of the schema at a path. That at a fragment of a file has its place as its name. */
function isOf({ name, schema }: KindFile, path: string): boolean {
  const { file, fragment } = splitFragment(path);
  if (schema !== file) return false;
  const place = `${basename(file)}#`;
  if (fragment === null) return !name.includes(place);
  return name.endsWith(`${place}${decodedFragment(fragment)}`);
}

/** The checks of a config, and with `advice` those of the three kinds; null: there are none. Throws UsageError. */
export async function checksOf(config: Config, advice: boolean): Promise<OwnChecks | null> {
  const namesChecks = Object.keys(config.rules).some((rule) => rule.startsWith('check/'));
  if (config.checks === null && !advice && !namesChecks) return null;
  return (await import('./checks.ts')).readChecks(config, advice);
}
