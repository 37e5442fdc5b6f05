/**
 * The options of `openPaylint` together with the config that they name, which they take precedence over, and the parts
 * of an instance. Settings only for the reports and the exit code of the command line have no effect.
 */
import { relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Config, inConfig, loadConfig } from '../config/config.ts';
import { checksOf, type FileRules, noConfig, schemaPath, schemasForFiles } from '../config/config-schemas.ts';
import { readFormats } from '../config/own-formats.ts';
import type { Examiner } from '../engine/judge/examine.ts';
import { UsageError } from '../errors.ts';
import { isJsonObject } from '../json/value.ts';
import { RULES } from '../keywords/rules.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { Baseline, MOST_BASELINE_BYTES, namesIn, readBaseline } from '../report/baseline.ts';
import { DEPRECATED, isSought, type Judging, type RuleLevels } from '../run/check/flow.ts';
import type { CallerKeyword, CallerKeywords } from '../schema/caller-keywords.ts';
import { DRAFTS } from '../schema/drafts.ts';
import type { OwnFormat, OwnFormats } from '../schema/formats/format.ts';
import { isReserved } from '../schema/known-keywords.ts';
import { formatOfRegExp } from '../schema/linear.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { DRAFT_ALIASES, TYPE_NAMES } from '../schema/names.ts';
import { nameFault } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { readLimited } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import { type Limits, type Relation, VOCABULARY_NAMES, type VocabularyName } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { sizeFrom } from '../words/number-text.ts';
import { notCompared, OWN_RULES } from '../words/own-rules.ts';
import { NOWHERE } from '../write/stream-output.ts';
import type { FileOptions, PaylintOptions, RuleSetting, StopSignal } from './api.ts';
import { pathText } from './inputs.ts';
import { namedSchemas } from './memory-schemas.ts';
import type { ReadySchemas } from './source-workspace.ts';
import type { TextFiller } from './text-filler.ts';

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
  const { draft } = given;
  const keywords = keywordsOf(given);
  const named = namedSchemas(given);
  const entry = named.path ?? schemaPath(undefined, config, resolve());
  const own = named.path !== null ? [] : schemasForFiles(config);
  const refs = [...named.refs, ...(await refsOf(named.refTexts, config))];
  const areOurs = entry === bundledSchema(ENTRY_SCHEMA);
  const checks = await checksOf(config, areOurs && options.advice === true);
  const { threads, input, whole } = config.flags as FileOptions; // as the config's schema says
  const rules = { ...checks?.levels, ...config.rules, ...levelsOf(given.rules, [...keywords.keys()]) };
  const drafts = DRAFTS.map(({ name }) => name);
  if (draft !== undefined && !drafts.includes(draft))
    throw new UsageError(`there is no draft "${visible(String(draft))}"; there are ${drafts.join(', ')}`);
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
      vocabularies: vocabulariesOf(given, config),
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
function formatsOf({ formats = {} }: PaylintOptions, config: Config): { readonly formats?: OwnFormats } {
  const own = Object.entries(formats).map(([name, given]): [string, OwnFormat | false] => {
    const fault = nameFault(name, given === false);
    if (fault !== null) throw new UsageError(`formats: ${fault}`);
    if (given === false || typeof given === 'function') return [name, given && { test: given }];
    if (!(given instanceof RegExp))
      throw new UsageError(`formats: expected a RegExp, a function or false for ${visible(name)}`);
    return [name, formatOfRegExp(given, name)];
  });
  const all = new Map([...(config.path === null ? [] : readFormats(config)), ...own]);
  return all.size === 0 ? {} : { formats: all };
}

/** A name that is no member of every object, and no rule with a hyphen of paylint's own. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$|^x-[A-Za-z0-9_-]+$/;

/** Throws UsageError. */
function keywordsOf({ keywords = {} }: PaylintOptions): CallerKeywords {
  if (!isJsonObject(keywords)) throw new UsageError('keywords: expected an object');
  const own = Object.entries(keywords).map(([name, given]): [string, CallerKeyword] => {
    const fault = keywordFault(name, given);
    if (fault !== null) throw new UsageError(`keywords: ${fault}`);
    const { type } = given;
    return [name, { name, type, validate: (...args) => given.validate(...args) }];
  });
  return new Map(own);
}

function keywordFault(name: string, given: unknown): string | null {
  if (isReserved(name)) return `${quote(name)} is a keyword of JSON Schema, which cannot be redefined`;
  if (RULES.has(name)) return `${quote(name)} is a rule of paylint`;
  if (!PLAIN_NAME.test(name) || name in {})
    return `expected a name of letters, digits and "_" (or "x-…"), found ${quote(name)}`;
  if (!isJsonObject(given) || typeof given.validate !== 'function')
    return `expected { type, validate } for ${name}, with a function`;
  const other = Object.keys(given).find((one) => one !== 'type' && one !== 'validate');
  if (other !== undefined) return `${name} has "type" and "validate", and no ${quote(other)}`;
  const types: readonly unknown[] = given.type === undefined ? [] : [given.type].flat();
  const wrong = types.find((one) => !TYPE_NAMES.some((known) => known === one));
  return wrong === undefined
    ? null
    : `expected the type of ${name} to be one of ${TYPE_NAMES.join(', ')}, found ${quote(String(wrong))}`;
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

/** Throws UsageError. */
function vocabulariesOf({ vocabularies }: PaylintOptions, config: Config): readonly VocabularyName[] {
  const all: readonly string[] | undefined = vocabularies;
  if (all === undefined) return config.vocabularies;
  if (!Array.isArray(all)) throw new UsageError('vocabularies: expected a list, such as ["openapi"]');
  const unknown = all.find((name) => !VOCABULARY_NAMES.some((one) => one === name));
  if (unknown === undefined) return vocabularies!;
  const known = VOCABULARY_NAMES.join(', ');
  throw new UsageError(`vocabularies: there is no "${visible(String(unknown))}"; there are ${known}`);
}

const LEVELS = ['error', 'warning', 'off'] as const;

/** Throws UsageError for a rule or a level that does not exist. */
function levelsOf(rules: Readonly<Record<string, RuleSetting>> = {}, own: readonly string[] = []): RuleLevels {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules))
    throw new UsageError('rules: expected an object such as { maxLength: "warning" }');
  const entries = Object.entries(rules).map(([rule, setting]) => {
    if (!RULES.has(rule) && !own.includes(rule) && !rule.startsWith('check/')) {
      const near = nearMiss(rule, [...RULES.keys(), ...own]);
      const hint = near === null ? '' : `; did you mean "${near}"?`;
      throw new UsageError(`rules: there is no rule "${visible(rule)}"${hint}`);
    }
    const level = LEVELS.find((one) => one === (setting === 'warn' ? 'warning' : setting));
    const fixed = (OWN_RULES as Readonly<Record<string, { readonly isFatal?: boolean }>>)[rule]?.isFatal;
    if (level === undefined || (fixed && level !== 'error')) {
      const levels = fixed ? 'error' : LEVELS.join(', ');
      throw new UsageError(`rules: ${rule} can be ${levels}, found ${visible(String(setting))}`);
    }
    return [rule, level] as const;
  });
  return Object.fromEntries(entries);
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

export interface InstanceParts extends Pick<InstanceSettings, 'baseline' | 'reading' | 'warnings'> {
  readonly set: LoadedSchemas;
  readonly kind: string | null;
  readonly limits: Limits;
  /** The schemas are the bundled ones, which the guards use. */
  readonly areBundled: boolean;
  /** Those that compare payloads, for runs over files. */
  readonly relations: readonly Relation[];
  readonly judging: Required<Judging>;
  readonly files: FileRules;
  readonly schemas: ReadySchemas;
  readonly examiner: Examiner;
  /** Finds the kind of a payload without validating it. */
  readonly finder: Examiner;
  /** Checks a payload without the members that its schema does not allow. */
  readonly pruner: () => Examiner;
  readonly fillers: Readonly<Record<'shallow' | 'deep', () => Fillers>>;
}

/** The filler, and the examiner for texts of which the filler is unsure. */
export interface Fillers {
  readonly filler: TextFiller;
  readonly examiner: Examiner;
}
