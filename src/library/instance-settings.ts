/**
 * The options of `openPaylint` together with the config that they name, which they take precedence over, and the parts
 * of an instance. Settings only for the reports and the exit code of the command line have no effect.
 */
import { relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Config, inConfig, loadConfig } from '../config/config.ts';
import { checksOf, type FileRules, noConfig, schemaPath, schemasForFiles } from '../config/config-schemas.ts';
import { readFormats } from '../config/own-formats.ts';
import type { InstanceEngines } from '../engine/instance.ts';
import { UsageError } from '../errors.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { Baseline, MOST_BASELINE_BYTES, namesIn, readBaseline } from '../report/baseline.ts';
import type { OwnFormats } from '../schema/formats/format.ts';
import { DRAFT_ALIASES } from '../schema/names.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { readLimited } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Relation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { sizeFrom } from '../words/number-text.ts';
import { notCompared } from '../words/own-rules.ts';
import { DEPRECATED, isSought } from '../words/rule-levels.ts';
import { NOWHERE } from '../write/stream-output.ts';
import type { FileOptions, PaylintOptions, StopSignal } from './api.ts';
import { formatsGiven, keywordsOf, levelsOf, requireDraft, vocabulariesGiven } from './given-options.ts';
import { pathText } from './inputs.ts';
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
  const options = { ...fromFlags(config), ...withoutUndefined(given) };
  const keywords = keywordsOf(given);
  const named = namedSchemas(given);
  const entry = named.path ?? schemaPath(undefined, config, resolve());
  const own = named.path !== null ? [] : schemasForFiles(config);
  const refs = [...named.refs, ...(await refsOf(named.refTexts, config))];
  const areOurs = entry === bundledSchema(ENTRY_SCHEMA);
  const checks = await checksOf(config, areOurs && options.advice === true);
  const { threads, input, whole } = config.flags as FileOptions; // as the config's schema says
  const rules = { ...checks?.levels, ...config.rules, ...levelsOf(given.rules, [...keywords.keys()]) };
  requireDraft(given);
  return {
    options,
    schema: entry,
    more: named.more,
    isBundled: areOurs && own.length === 0,
    resources: {
      ...named.memory,
      inLibrary: true as const,
      refs,
      ...(config.path === null ? {} : { folder: config.folder }),
      vocabularies: vocabulariesGiven(given) ?? config.vocabularies,
      ...(options.draft === undefined ? {} : { draft: options.draft }),
      ...formatsOf(given, config),
      ...(keywords.size === 0 ? {} : { keywords }),
      ...(isSought(DEPRECATED, { rules, advice: options.advice === true }) ? { deprecations: true } : {}),
    },
    own,
    rules,
    checks,
    baseline: await baselineOf(given.baseline, config),
    config,
    warnings: await withoutEffect(config),
    reading: withoutUndefined({ threads, input, whole } as FileOptions),
  };
}

/** The formats of the config and those of the caller, which come first. Throws UsageError. */
function formatsOf(given: PaylintOptions, config: Config): { readonly formats?: OwnFormats } {
  const all = new Map([...(config.path === null ? [] : readFormats(config)), ...formatsGiven(given)]);
  return all.size === 0 ? {} : { formats: all };
}

function withoutUndefined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options; // with less
}

/** Of drafts. */
const ALIASES: Readonly<Record<string, string>> = DRAFT_ALIASES;

/** The flags of the config that are options of `openPaylint`. The config's schema guarantees their types. */
function fromFlags({ flags }: Config): PaylintOptions {
  const { assertFormats, redact, strictSchema, advice, kind, maxDepth, maxPayloadBytes, draft } = flags;
  const texts = {
    maxPayloadBytes: maxPayloadBytes === undefined ? undefined : sizeFrom(String(maxPayloadBytes)),
    draft: draft === undefined ? undefined : (ALIASES[String(draft)] ?? String(draft)),
  };
  const plain = { assertFormats, redact, strictSchema, advice, kind, maxDepth };
  return withoutUndefined({ ...plain, ...texts } as PaylintOptions);
}

async function refsOf(given: readonly string[], config: Config) {
  const { refs, folder } = config;
  if (given.length + refs.length === 0) return [];
  const { readRefs } = await import('../schema/refs-option.ts');
  const own = await readRefs(given, resolve(), () => 'refs: ');
  return [...own, ...(await readRefs(refs, folder, (i) => inConfig(config, `/refs/${i}`)))];
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
  const ofConfig = config.baseline === null ? null : resolve(config.folder, config.baseline);
  const path = given === undefined ? ofConfig : resolve(pathText('baseline', given));
  if (path === null) return null;
  const name = slashed(relative(resolve(), path));
  let bytes: Buffer;
  try {
    bytes = readLimited(path, MOST_BASELINE_BYTES);
  } catch (cause) {
    throw new UsageError(`cannot read the baseline ${visible(name)}: ${wordsFor(cause)}`, { cause });
  }
  const known = readBaseline(bytes, name);
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
