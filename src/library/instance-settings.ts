/**
 * The options of `openPaylint` together with the config that they name, which they take precedence over, and the parts
 * of an instance. Settings only for the reports and the exit code of the command line have no effect.
 */
import { relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Config, loadConfig } from '../config/config.ts';
import { readNamed } from '../config/config-search.ts';
import { baselinePath, checksOf, type FileRules, noConfig, resourcesFor, schemaSettings } from '../config/settings.ts';
import type { InstanceEngines } from '../engine/instance.ts';
import { withoutUndefined } from '../json/on-demand.ts';
import { READ_BYTES } from '../limits.ts';
import { Baseline, namesIn, readBaseline } from '../report/baseline.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import type { Relation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { notCompared } from '../words/own-rules.ts';
import { NOWHERE } from '../write/stream-output.ts';
import type { FileOptions, PaylintOptions, StopSignal } from './api.ts';
import { formatsGiven, keywordsOf, levelsOf, requireDraft, vocabulariesGiven } from './given-options.ts';
import { optionsIn, pathText } from './inputs.ts';
import type { JudgedParts } from './judged.ts';
import { namedSchemas } from './memory-schemas.ts';

type InstanceSettings = Awaited<ReturnType<typeof settingsOf>>;

/**
 * `options`: values of the config are used where an option is absent; `more`: absolute paths of schemas for kinds that
 * are not detected; `warnings`: what the config says about verdicts and the library does not do; `reading`: how files
 * are read, unless the call says so. Throws UsageError.
 */
export async function settingsOf(given: PaylintOptions) {
  const { config: file = false } = given;
  const config =
    file === false
      ? noConfig(resolve())
      : await loadConfig(resolve(pathText('config', file)), ioFor(resolve(), undefined));
  const flags = config.path === null ? {} : await flagsOf(config);
  const options = { ...(optionsIn('openPaylint', flags) as PaylintOptions), ...withoutUndefined(given) };
  const keywords = keywordsOf(given);
  const named = namedSchemas(given);
  const { advice, draft } = options;
  const levels = levelsOf(given.rules, [...keywords.keys()]);
  const schemas = await schemaSettings({ path: named.path, advice, levels }, config, resolve());
  requireDraft(given);
  const sought = {
    ...{ draft, advice, ref: named.refTexts },
    ...{ formats: new Map(formatsGiven(given)), vocabularies: vocabulariesGiven(given) ?? config.vocabularies },
  };
  const ofConfig = { ...config, rules: schemas.rules };
  const { folder, refs = [], ...resources } = await resourcesFor(sought, ofConfig, resolve(), 'refs: ');
  const { path, bundled, ...others } = schemas;
  return {
    ...others,
    ...{ options, config, more: named.more, schema: path, isBundled: bundled },
    resources: {
      ...named.memory,
      ...resources,
      inLibrary: true as const,
      refs: [...named.refs, ...refs],
      ...(config.path === null || folder === undefined ? {} : { folder }),
      ...(keywords.size === 0 ? {} : { keywords }),
    },
    baseline: await baselineOf(given.baseline, config),
    warnings: await withoutEffect(config),
    reading: optionsIn('validateFiles', flags) as FileOptions,
  };
}

/** Those of the config, as the command line reads them. The table of flags guarantees their types. Throws UsageError. */
async function flagsOf(config: Config): Promise<Readonly<Record<string, unknown>>> {
  const { configFlags, VALIDATE_FLAGS } = await import('../config/flags.ts');
  return configFlags({}, config, VALIDATE_FLAGS);
}

/** Throws UsageError. */
async function withoutEffect(config: Config): Promise<string[]> {
  const { name, flags } = config;
  const { relations = [] } = (await checksOf(config, false)) ?? {};
  const meaning = 'payloads are checked as they are, without their defaults';
  return [
    ...(flags.withDefaults === true ? [`${visible(name)}: withDefaults has no effect in the library: ${meaning}`] : []),
    ...(relations.length > 0 ? [`${visible(name)}: ${notCompared(relations, 'validateFiles')}`] : []),
  ];
}

/** Makes a baseline, which counts; null: none. `cwd`: the folder of names in reports. Throws UsageError. */
async function baselineOf(given: string | undefined, config: Config): Promise<((cwd: string) => Baseline) | null> {
  const path = baselinePath(given === undefined ? undefined : pathText('baseline', given), config, resolve());
  if (path === null) return null;
  const name = slashed(relative(resolve(), path));
  const known = readBaseline(readNamed(path, READ_BYTES, `cannot read the baseline ${visible(name)}`), name);
  return (cwd) => new Baseline(known, { takesAll: false, nameOf: namesIn(path, cwd), isOff: null });
}

/** The world as the library sees it: no streams, no environment. */
export function ioFor(cwd: string, signal: StopSignal | undefined): Io {
  return {
    args: [],
    stdin: Readable.from([]),
    stdout: NOWHERE,
    stderr: NOWHERE,
    env: {},
    cwd,
    now: () => performance.now(),
    interrupt: (signal as AbortSignal | undefined) ?? new AbortController().signal, // the caller passes one
  };
}

export interface InstanceParts extends JudgedParts, Pick<InstanceSettings, 'baseline' | 'reading' | 'warnings'> {
  /** The schemas are the bundled ones, which the guards use. */
  readonly areBundled: boolean;
  /** Those that compare payloads, for runs over files. */
  readonly relations: readonly Relation[];
  readonly files: FileRules;
  readonly engines: InstanceEngines;
}
