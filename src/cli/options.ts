/**
 * The meaning of the flags: together with the config file, the environment and the terminal they become the settings of
 * a run. If they contradict each other, a UsageError is thrown here, before anything is read.
 */
import { type Config, configFor, inConfig, loadConfig } from '../config/config.ts';
import { requireInside } from '../config/config-search.ts';
import { type CheckFlags, configFlags, type FlagGroup, type ValidateFlags } from '../config/flags.ts';
import {
  baselinePath,
  type ReportChoices,
  resourcesFor,
  type Settings,
  schemaPath,
  schemaSettings,
  schemasForFiles,
} from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import type { WantedDefaults } from '../repair/wanted-defaults.ts';
import { decidingValues } from '../schema/facts.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { asserting, type SchemaSet } from '../schema/set.ts';
import type { Io } from '../source/io.ts';
import { isPipe } from '../source/read-file.ts';
import { visible } from '../words/escape.ts';
import { reportsFor } from './reports.ts';

/** Reads the config and the schemas. `typed`: of the flags in `groups`, which `verb` has. Throws UsageError and SchemaError. */
export async function resolveSettings<Flags extends CheckFlags>(
  typed: Flags,
  io: Io,
  groups: readonly FlagGroup[],
  verb: string,
): Promise<Settings<Flags>> {
  const found = configFor(verb, await loadConfig(typed.config, io));
  const flags: Flags = { ...typed, ...configFlags(typed, found, groups) };
  const { bundled, checks: own, rules } = await schemaSettings(flags, found, io.cwd);
  const config = typed.printConfig ? found : { ...found, rules };
  if (flags.null && !flags.listFiles) throw new UsageError('--null goes with --list-files');
  if (typed.bail && typed.maxInvalid !== undefined)
    throw new UsageError(
      '--bail and --max-invalid do not go together: after --bail it is not known how many payloads are invalid',
    );
  let areRead = false;
  const files = once(async () => {
    areRead = true;
    return asserting(await loadSchemasFor(flags, config, io), flags.assertFormats);
  });
  const schemas = once(async () => {
    if (!bundled || areRead) return files();
    const { bundledSet } = await import('../schema/resolved.ts');
    const made = bundledSet();
    return made === null ? files() : asserting(made, flags.assertFormats);
  });
  const { checks = [], relations = [] } = own ?? {};
  const settings = { flags, typed, config, schemas, files, bundled, checks, relations };
  if (!flags.printConfig) {
    await requireUsable(settings, io);
    if (own !== null && checks.length + relations.length > 0) {
      const { requireChecks } = await import('../config/require-checks.ts');
      for (const warning of requireChecks(own, await schemas())) io.stderr.write(`paylint: warning: ${warning}\n`);
    }
  }
  const reports = await reportsOf(flags, config, io);
  return { ...settings, reports, baseline: baselineOf(flags, config, io) };
}

/** Throws UsageError for a kind that the schemas do not have, and SchemaError for schemas that cannot be used. */
async function requireUsable(
  { flags, config, schemas, files, bundled }: Pick<Settings, 'flags' | 'config' | 'schemas' | 'files' | 'bundled'>,
  io: Io,
): Promise<void> {
  if (flags.kind !== undefined) await requireKind(flags.kind, '', await schemas());
  for (const [i, { kind }] of config.kinds.entries())
    await requireKind(kind, inConfig(config, `/kinds/${i}/kind`), await schemas());
  if (!bundled) {
    const { warnOfSuspects } = await import('../schema/suspect.ts');
    await warnOfSuspects(await files(), { strict: flags.strictSchema === true }, io);
  }
}

/** Absolute path of the baseline; null if there is none. Throws UsageError. */
function baselineOf({ baseline, updateBaseline }: ValidateFlags, config: Config, { cwd }: Io): string | null {
  if (baseline === undefined && config.baseline !== null && updateBaseline)
    refuseOutside(config, 'baseline', [config.baseline]);
  return baselinePath(baseline, config, cwd);
}

/**
 * A config that was found by the search may only name files to write inside its own folder, because it may be part of a
 * change that is being tested; flags and the file of `--config` are the user's own choice. Throws UsageError.
 */
function refuseOutside(config: Config, key: 'baseline' | 'format', files: readonly string[]): void {
  const hint = '; with --config FILE, any path is accepted';
  for (const file of config.found ? files : []) requireInside(file, config.folder, inConfig(config, `/${key}`), hint);
}

/** The reports that the flags ask for, or else the config. Throws UsageError. */
async function reportsOf(flags: CheckFlags, config: Config, io: Io): Promise<ReportChoices> {
  const folder = flags.format === undefined ? config.folder : io.cwd;
  if (flags.format !== undefined) return reportsFor(flags.format, folder, io);
  const choices = await reportsFor(config.formats, folder, io).catch((cause: unknown) => {
    if (!(cause instanceof UsageError)) throw cause;
    throw new UsageError(inConfig(config, '/format') + cause.message, { cause });
  });
  const files = choices.targets.flatMap(({ file }) => file ?? []);
  refuseOutside(config, 'format', files);
  return choices;
}

/** Loads the schemas that flags and config name, which may be a pipe. Throws UsageError, SchemaError and Interrupted. */
export async function loadSchemasFor(
  flags: Pick<CheckFlags, 'schema' | 'draft' | 'ref' | 'advice'>,
  config: Config,
  io: Io,
): Promise<LoadedSchemas> {
  const path = schemaPath(flags.schema, config, io.cwd);
  const options = await resourcesFor(flags, config, io.cwd);
  const more = [...new Set(schemasForFiles(config, flags.schema).map(({ schema }) => schema))];
  const { loadSchemas } = await import('../schema/load.ts');
  let isLarge = false;
  const beforeLarge = (): void => {
    isLarge = true;
    io.beforeMuchWork?.('schema');
  };
  const piped = isPipe(path) ? await (await import('../config/pipes.ts')).readPipedSchema(path, io) : null;
  const read = piped === null ? options : { ...options, files: new Map([[path, piped]]) };
  const loaded = loadSchemas(path, read, more, beforeLarge);
  if (isLarge) io.beforeMuchWork?.('payloads');
  return loaded;
}

/** `place`: the beginning of the message. */
async function requireKind(name: string, place: string, { kinds }: SchemaSet): Promise<void> {
  const names = kinds.map((kind) => kind.name);
  if (names.includes(name)) return;
  const { nearMiss } = await import('../words/near.ts');
  const near = kinds.find((kind) => decidingValues(kind).includes(name))?.name ?? nearMiss(name, names);
  const listed = names.length === 1 ? `the only kind is ${names[0]}` : `there are ${names.join(', ')}`;
  const hint = near === null ? listed : `did you mean "${near}"?`;
  throw new UsageError(`${place}there is no kind "${visible(name)}"; ${hint}`);
}

/** The defaults of the schemas. Throws SchemaError. */
export async function settingsDefaults(
  { files, bundled }: Pick<Settings, 'files' | 'bundled'>,
  deep: boolean,
): Promise<WantedDefaults> {
  const { readDefaults } = await import('../repair/defaults.ts');
  return { texts: await readDefaults(await files(), deep, bundled) };
}
