/** `--print-config`: the settings in force and the origin of each, as a table or as JSON. No payloads are read. */
import { relative } from 'node:path';
import { OF_CONFIG_ONLY } from '../config/config.ts';
import { type FlagGroup, type FlagSpec, flagKey, longName, takesValue } from '../config/flags.ts';
import { type Settings, schemaPath } from '../config/settings.ts';
import { PAYLOAD_BYTES, PAYLOAD_LEVELS } from '../limits.ts';
import { bundledSchema } from '../package.ts';
import type { RawObject } from '../schema/document.ts';
import { loadSchemas } from '../schema/load.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { jsonText, visible } from '../words/escape.ts';
import { print } from './outputs.ts';
import { inColumns } from './terminal.ts';

/**
 * A setting: its value, and its origin: `--max-depth`, `paylint.config.json#/maxDepth` or `default`, perhaps with the key
 * of the config that the verb does not take.
 */
interface Setting {
  readonly value: unknown;
  readonly from: string;
}

/** Without an entry: false for a flag without a value, else null, because the default depends on the run. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  assertFormats: true,
  color: null,
  files: [],
  format: ['pretty'],
  ignore: [],
  kinds: [],
  refs: [],
  schemas: [],
  maxDepth: PAYLOAD_LEVELS,
  maxPayloadBytes: PAYLOAD_BYTES,
  rules: {},
  vocabularies: [],
};

/** Prints the settings of a verb with the flags of `groups`. Resolves to the exit code. */
export async function printConfig(settings: Settings, groups: readonly FlagGroup[], verb: string, io: Io): Promise<0> {
  const { config, typed } = settings;
  const all = settingsOf(settings, groups, verb, io);
  const isJson = typed.format?.includes('json') === true;
  const file = config.path === null ? null : config.name;
  return print(isJson ? `${jsonText({ config: file, settings: Object.fromEntries(all) })}\n` : table(file, all), io);
}

function settingsOf(settings: Settings, groups: readonly FlagGroup[], verb: string, io: Io): [string, Setting][] {
  const { entry } = loadSchemas(bundledSchema('config.schema.json'));
  const { properties } = entry.schema as RawObject; // the schema is part of the package
  const specs = groups.flatMap(({ flags }) => flags);
  return Object.keys(properties as object).flatMap((key): [string, Setting][] => {
    const own = specs.filter((spec) => flagKey(spec) === (key === 'refs' ? 'ref' : key));
    const isOfConfig = OF_CONFIG_ONLY.some((one) => one === key);
    const isLeftOut = settings.config.leftOut.includes(key);
    if (own.length === 0 && !isOfConfig && !isLeftOut) return [];
    const setting = settingOf(key, own, settings, io);
    if (!isLeftOut || setting.from !== 'default') return [[key, setting]];
    return [[key, { ...setting, from: `default; ${verb} does not take ${settings.config.name}#/${key}` }]];
  });
}

/** `specs`: of the flags of that name, such as `--color` and `--no-color`. */
function settingOf(key: string, specs: readonly FlagSpec[], settings: Settings, io: Io): Setting {
  const { config, flags, typed } = settings;
  const value = (flags as Readonly<Record<string, unknown>>)[key];
  const typedValue = (typed as Readonly<Record<string, unknown>>)[key];
  const flag = typedValue === undefined ? '' : nameOf(specs, typedValue);
  const place = `${config.name}#/${key}`;
  const isOfConfig = Object.hasOwn(config.flags, key);
  const setting = (value: unknown, isSet: boolean): Setting => ({ value, from: flag || (isSet ? place : 'default') });
  switch (key) {
    case 'schema':
      return setting(pathIn(schemaPath(flags.schema, config, io.cwd), io), config.schema !== null);
    case 'baseline':
      return setting(settings.baseline === null ? null : pathIn(settings.baseline, io), config.baseline !== null);
    case 'format': {
      const formats = flags.format ?? config.formats;
      return setting(formats.length > 0 ? formats : DEFAULTS[key], config.formats.length > 0);
    }
    case 'ignore':
    case 'refs': {
      const given = (key === 'refs' ? flags.ref : flags.ignore) ?? [];
      const both = [given.length > 0 ? nameOf(specs, given) : '', config[key].length > 0 ? place : ''];
      return { value: [...given, ...config[key]], from: both.filter(Boolean).join(', ') || 'default' };
    }
    case 'kinds':
    case 'schemas': {
      const isSet = config[key].length > 0;
      const other = isSet ? flagInstead(key, settings) : null;
      return other === null ? setting(config[key], isSet) : { value: [], from: other };
    }
    case 'checks':
      return setting(config.checks, config.checks !== null);
    case 'formats':
      return setting(config.ownFormats, Object.keys(config.ownFormats).length > 0);
    case 'files':
    case 'vocabularies':
    case 'rules':
      return setting(config[key], Object.keys(config[key]).length > 0);
    default:
      if (!Object.hasOwn(DEFAULTS, key))
        return setting(value ?? (specs.length === 0 || specs.some(takesValue) ? null : false), isOfConfig);
      return setting(value ?? DEFAULTS[key], isOfConfig);
  }
}

/** Which setting is for all files, instead of `key`; null: none is. */
function flagInstead(key: 'kinds' | 'schemas', { config, flags, typed }: Settings): string | null {
  if (key === 'schemas') return flags.schema === undefined ? null : '--schema';
  if (flags.kind === undefined) return null;
  return typed.kind === undefined ? `${config.name}#/kind` : '--kind';
}

/** The name of the flag that gives `value`: `--no-color` for false. */
function nameOf(specs: readonly FlagSpec[], value: unknown): string {
  const names = specs.map(longName);
  return names.find((name) => name.startsWith('--no-') === (value === false)) ?? names[0]!;
}

function pathIn(path: string, { cwd }: Io): string {
  return slashed(relative(cwd, path));
}

function table(file: string | null, settings: readonly [string, Setting][]): string {
  const rows = settings.map(([key, { value, from }]) => [key, textOf(value), visible(from)] as const);
  return `config: ${file === null ? 'none' : visible(file)}\n\n${inColumns(rows)}`;
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  return typeof value === 'string' ? visible(value) : jsonText(value);
}
