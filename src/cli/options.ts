/**
 * What the flags mean: together with the config file, the environment and the terminal they become what a run needs.
 * Whatever makes no sense ends here, as a UsageError, before anything is read.
 */
import { existsSync } from 'node:fs';
import { basename, normalize, relative, resolve } from 'node:path';
import type { CheckOptions } from '../check.ts';
import type { EngineOptions, SchemaSource } from '../engines.ts';
import type { DefaultMap } from '../fill/defaults.ts';
import { UsageError } from '../input/failure.ts';
import { resolveSources } from '../input/paths.ts';
import { createOutputFile, Output } from '../output.ts';
import { bundledSchema, DOOR } from '../package.ts';
import { createReporter, FORMAT_NAMES, FORMATS, type FormatName, isFormatName } from '../report/index.ts';
import { createStats } from '../report/stats.ts';
import type { ReportTarget } from '../report.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { Failure, Io, ReportStyle, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { colorLevel } from './color.ts';
import { CONFIG_NAME, type Config, loadConfig } from './config.ts';
import type { CheckFlags } from './flags.ts';
import { withoutOwnOutput } from './own-output.ts';

/** Columns assumed where there is no terminal. */
const DEFAULT_WIDTH = 100;

/** Flags and config together. */
export interface Settings {
  readonly flags: CheckFlags;
  readonly config: Config;
  readonly schemas: SchemaSource;
  /** The schemas are those that come with paylint, which are known to compile. */
  readonly bundled: boolean;
}

/** Reads the config and the schemas. Throws UsageError and SchemaError. */
export async function resolveSettings(flags: CheckFlags, io: Io): Promise<Settings> {
  const config = await loadConfig(flags.config, io.cwd);
  const path = schemaPath(flags.schema, config, io.cwd);
  const bundled = path === bundledSchema(DOOR);
  let loaded: Promise<SchemaSet> | null = null;
  const schemas: SchemaSource = () => {
    loaded ??= import('../schema/load.ts').then(({ loadSchemas }) => loadSchemas(path));
    return loaded;
  };
  for (const name of [flags.kind, ...config.kinds.map(({ kind }) => kind)]) {
    if (name !== undefined) requireKind(name, await schemas());
  }
  // Others could be faulty where the fast engine does not look.
  if (!bundled) {
    const { mustCompile } = await import('../schema/compile.ts');
    await mustCompile(await schemas());
  }
  return { flags, config, schemas, bundled };
}

/** Absolute path of the schema that counts: the flag's, the config's, or the bundled door. */
export function schemaPath(flag: string | undefined, config: Config, cwd: string): string {
  if (flag !== undefined) return localSchema(flag, cwd);
  return config.schema === null ? bundledSchema(DOOR) : localSchema(config.schema, config.folder);
}

function localSchema(text: string, folder: string): string {
  const path = resolve(folder, text);
  if (existsSync(path)) return path;
  const why = /^[a-z][a-z+.-]+:\/\//i.test(text)
    ? 'only local files are read, nothing is fetched from a network'
    : 'no such file';
  throw new UsageError(`cannot read the schema ${visible(text)}: ${why}`);
}

function requireKind(name: string, { kinds }: SchemaSet): void {
  const names = kinds.map((kind) => kind.name);
  if (names.includes(name)) return;
  const near = nearMiss(name, names);
  const hint = near === null ? `there are ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new UsageError(`there is no kind "${visible(name)}"; ${hint}`);
}

export interface Found {
  readonly sources: readonly Source[];
  readonly failures: readonly Failure[];
}

/** The config's globs as tests of paths; the matcher is loaded only where there are any. */
async function configGlobs({ ignore, kinds }: Config) {
  if (ignore.length + kinds.length === 0) return { ignored: [], kinds: [] };
  const { compileGlob } = await import('../input/globs.ts');
  return {
    ignored: ignore.map(compileGlob),
    kinds: kinds.map(({ files, kind }) => ({ matches: compileGlob(files), kind })),
  };
}

/** Looks for the sources that `paths` name. Null where there is nothing to look for: no path, and a terminal. */
export async function findSources(
  paths: readonly string[],
  settings: Settings,
  io: Io,
): Promise<Found | null> {
  const { flags, config } = settings;
  if (paths.length === 0 && io.stdin.isTTY === true) return null;
  const { sources, failures, unmatched } = await resolveSources(paths.length === 0 ? ['-'] : paths, {
    cwd: io.cwd,
    ignore: flags.ignore ?? [],
    stdinName: flags.stdinFilename ?? null,
    framing: flags.input ?? null,
  });
  const fromConfig = ({ path, name }: Source): string =>
    relative(config.folder, path ?? resolve(io.cwd, name)).replaceAll('\\', '/');
  const { ignored, kinds } = await configGlobs(config);
  const kept = sources.filter(
    (source) =>
      source.path === null ||
      !(isConfig(source.path, config) || ignored.some((test) => test(fromConfig(source)))),
  );
  const readable = withoutOwnOutput(kept, paths, reportFiles(settings, io), io);
  return {
    sources: readable.map((source) => {
      const kind = flags.kind ?? kinds.find(({ matches }) => matches(fromConfig(source)))?.kind ?? null;
      return { ...source, kind };
    }),
    failures: flags.allowEmpty ? failures : [...failures, ...unmatched],
  };
}

/** A config file holds no payloads, so a folder that has one can be checked as a whole. */
function isConfig(path: string, config: Config): boolean {
  return path === config.path || basename(path) === CONFIG_NAME;
}

/** The defaults of the schemas, for whoever fills them in or judges payloads as if they were. Throws SchemaError. */
export async function settingsDefaults({ schemas, bundled }: Settings, deep: boolean): Promise<DefaultMap> {
  const { readDefaults } = await import('../fill/defaults.ts');
  return readDefaults(await schemas(), deep, bundled);
}

/** What the engines of a run are held to. */
export function engineOptions(flags: CheckFlags, defaults: DefaultMap | null): EngineOptions {
  return {
    maxDepth: flags.maxDepth,
    maxBytes: flags.maxPayloadBytes,
    redact: flags.redact === true,
    defaults,
  };
}

interface Target {
  readonly name: FormatName;
  readonly file: string | null;
}

/** The formats and where each goes; the files are made anew at once. `stream`: where the report goes without a file. */
export async function openReports(settings: Settings, io: Io, stream: Io['stdout']): Promise<ReportTarget[]> {
  const { flags } = settings;
  const { targets, folder } = targetsOf(settings, io);
  const style = (machine: boolean, name: FormatName, file: string | null): ReportStyle => ({
    colorLevel: machine || file !== null ? 0 : colorLevel(flags.color ?? null, io.env, stream),
    width: (file === null && stream.isTTY ? stream.columns : undefined) ?? DEFAULT_WIDTH,
    quiet: flags.quiet === true,
    stats: flags.stats === true,
    maxViolations: flags.maxViolations ?? FORMATS[name].defaultMaxViolations,
  });
  const opened: ReportTarget[] = [];
  for (const { name, file } of targets) {
    const reporter = createReporter(name, style(FORMATS[name].machine, name, file));
    const output =
      file === null ? new Output(stream, 'standard output') : await createOutputFile(file, folder);
    opened.push({ reporter, output });
  }
  // A machine format has no place for the counts.
  if (flags.stats && targets.every(({ name, file }) => FORMATS[name].machine || file !== null)) {
    const reporter = createStats({
      ...style(true, 'pretty', null),
      width: io.stderr.columns ?? DEFAULT_WIDTH,
    });
    opened.push({ reporter, output: new Output(io.stderr, 'standard error') });
  }
  return opened;
}

/** Where reports go. Files are relative to `folder`: to that of the config, where it is the config that names them. */
function targetsOf({ flags, config }: Settings, io: Io): { targets: readonly Target[]; folder: string } {
  return flags.format === undefined
    ? { targets: parseTargets(config.formats), folder: config.folder }
    : { targets: parseTargets(flags.format), folder: io.cwd };
}

export type ShownViolations = Pick<CheckOptions, 'excerpts' | 'shownLeft' | 'countsOthers'>;

/** Threads count down in 32 bits; no run shows more. */
const MOST_COUNTED = 0x7fff_ffff;

/** How many violations the reports show, and how much of them. */
export function shownViolations(settings: Settings, io: Io): ShownViolations {
  const { flags } = settings;
  const { targets } = targetsOf(settings, io);
  const excerpts = targets.some(({ name }) => FORMATS[name].frames);
  const shown = flags.maxViolations ?? FORMATS.pretty.defaultMaxViolations;
  if (shown === 0 || shown > MOST_COUNTED) return { excerpts, countsOthers: false };
  const capped = targets.every(({ name }) => (flags.maxViolations ?? FORMATS[name].defaultMaxViolations) > 0);
  const shownLeft = new Int32Array(new SharedArrayBuffer(4)).fill(shown);
  return { excerpts, shownLeft, countsOthers: capped && flags.stats !== true };
}

/** Whether all reports are `ndjson`, and whole: then any thread can draw them. */
export function isOnlyNdjson(settings: Settings, io: Io): boolean {
  const { stats, maxViolations = 0 } = settings.flags;
  return (
    !stats && maxViolations === 0 && targetsOf(settings, io).targets.every(({ name }) => name === 'ndjson')
  );
}

/** Whether a report shows every member that is filled in. */
export function wantsFills(settings: Settings, io: Io): boolean {
  return (
    settings.flags.quiet !== true && targetsOf(settings, io).targets.some(({ name }) => FORMATS[name].fills)
  );
}

/** Absolute paths. */
function reportFiles(settings: Settings, io: Io): string[] {
  const { targets, folder } = targetsOf(settings, io);
  return targets.flatMap(({ file }) => (file === null ? [] : [resolve(folder, file)]));
}

/** `pretty`, `ndjson=report.ndjson` … ; `pretty` to the stream where nothing else goes there. */
function parseTargets(texts: readonly string[]): Target[] {
  const targets = texts.map((text): Target => {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    const file = equals < 0 ? null : text.slice(equals + 1);
    if (file === '') throw new UsageError(`--format ${visible(text)}: the name of the file is missing`);
    if (isFormatName(name)) return { name, file };
    const near = nearMiss(name, FORMAT_NAMES);
    const hint = near === null ? `there are ${FORMAT_NAMES.join(', ')}` : `did you mean "${near}"?`;
    throw new UsageError(`there is no format "${visible(name)}"; ${hint}`);
  });
  const files = targets.flatMap(({ file }) => (file === null ? [] : [normalize(file)]));
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`two formats go to ${visible(twice)}`);
  const direct = targets.filter(({ file }) => file === null);
  if (direct.length > 1) {
    throw new UsageError(
      'only one format can go to standard output; give the others a file: --format NAME=FILE',
    );
  }
  return direct.length === 1 ? targets : [{ name: 'pretty', file: null }, ...targets];
}
