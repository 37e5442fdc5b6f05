/**
 * The options of `openPaylint` together with the config that they name, and the parts of an instance that are made
 * from them. An option takes precedence over the config. Settings only for the reports and the exit code of the command
 * line have no effect.
 */
import { relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { OwnChecks } from '../config/checks.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { type FileRules, fileRules, NO_FILE_RULES, schemaPath, schemasForFiles } from '../config/config-schemas.ts';
import { readFormats } from '../config/own-formats.ts';
import type { Examiner } from '../engine/judge/examine.ts';
import { UsageError } from '../errors.ts';
import { isJsonObject } from '../json/value.ts';
import { RULES } from '../keywords/rules.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { Baseline, namesIn, readBaseline } from '../report/baseline.ts';
import { DEPRECATED, isSought, type Judging, NO_LEVELS, type RuleLevels } from '../run/check/flow.ts';
import type { CallerKeyword, CallerKeywords } from '../schema/caller-keywords.ts';
import { DRAFTS } from '../schema/drafts.ts';
import type { OwnFormat, OwnFormats } from '../schema/formats/format.ts';
import { isReserved } from '../schema/known-keywords.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { TYPE_NAMES } from '../schema/names.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { kindFiles, type SchemaSet } from '../schema/set.ts';
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

/** The settings of an instance. */
export interface InstanceSettings {
  /** The options; values of the config are used where an option is absent. */
  readonly options: PaylintOptions;
  /** Absolute path of the entry schema. */
  readonly schema: string;
  readonly isBundled: boolean;
  readonly resources: ResourceOptions;
  /** Absolute paths of schemas for kinds that are not detected. */
  readonly more: readonly string[];
  /** Schemas that the config has for files. */
  readonly own: Config['schemas'];
  readonly rules: RuleLevels;
  /** Null: there are none. */
  readonly checks: OwnChecks | null;
  /**
   * Makes the baseline for a run, which counts what it has found; null: there is none. `cwd`: the folder of the names
   * in reports.
   */
  readonly baseline: ((cwd: string) => Baseline) | null;
  readonly config: Config | null;
  /** What the config says about verdicts and the library does not do: a sentence for each. */
  readonly warnings: readonly string[];
  /** How files are read, unless the call says so. */
  readonly reading: Pick<FileOptions, 'threads' | 'input' | 'whole'>;
}

/** Throws UsageError. */
export async function settingsOf(given: PaylintOptions): Promise<InstanceSettings> {
  const { config: file = false } = given;
  const path = file === false ? null : resolve(pathText('config', file));
  const config = path === null ? null : await loadConfig(path, ioFor(resolve(), undefined));
  const flags = config === null ? {} : fromFlags(config);
  const options = { ...flags, ...withoutUndefined(given) };
  const { draft } = given;
  const keywords = keywordsOf(given);
  const named = namedSchemas(given);
  const entry =
    named.path ?? (config === null ? bundledSchema(ENTRY_SCHEMA) : schemaPath(undefined, config, resolve()));
  const own = config === null || named.path !== null ? [] : schemasForFiles(config);
  const refs = [...named.refs, ...(await refsOf(named.refTexts, config))];
  const areOurs = entry === bundledSchema(ENTRY_SCHEMA);
  const checks = await ownChecks(config, areOurs && options.advice === true);
  const rules = { ...checks?.levels, ...(config?.rules ?? NO_LEVELS), ...levelsOf(given.rules, [...keywords.keys()]) };
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
      refs,
      ...(config === null ? {} : { folder: config.folder }),
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
    warnings: config === null ? [] : [...withoutEffect(config), ...(await notAsked(config))],
    reading: config === null ? {} : readingOf(config),
  };
}

/** The formats of the config and those of the caller, which come first. Throws UsageError. */
function formatsOf({ formats = {} }: PaylintOptions, config: Config | null): { readonly formats?: OwnFormats } {
  const own = Object.entries(formats).map(([name, given]): [string, OwnFormat | false] => {
    const fault = nameFault(name, given === false);
    if (fault !== null) throw new UsageError(`formats: ${fault}`);
    if (given === false || typeof given === 'function') return [name, given && { test: given }];
    if (!(given instanceof RegExp))
      throw new UsageError(`formats: expected a RegExp, a function or false for ${visible(name)}`);
    // With these flags, a test depends on the one before it.
    const { source, flags } = given;
    const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
    return [name, { test: (text) => pattern.test(text) }];
  });
  if (config === null && own.length === 0) return {};
  return { formats: new Map([...(config === null ? [] : readFormats(config)), ...own]) };
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

function withoutUndefined(options: PaylintOptions): PaylintOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The flags of the config that are options of `openPaylint`. The config's schema guarantees their types. */
function fromFlags({ flags }: Config): PaylintOptions {
  const { assertFormats, redact, strictSchema, advice, kind, maxDepth, maxPayloadBytes, draft } = flags;
  return withoutUndefined({
    assertFormats,
    redact,
    strictSchema,
    advice,
    kind,
    maxDepth,
    maxPayloadBytes: maxPayloadBytes === undefined ? undefined : sizeFrom(String(maxPayloadBytes)),
    draft: draft === undefined ? undefined : String(draft),
  } as PaylintOptions);
}

/** The flags of the config that change verdicts on the command line only. */
const COMMAND_LINE_ONLY = { withDefaults: 'payloads are checked as they are, without their defaults' };

function withoutEffect({ name, flags }: Config): string[] {
  return Object.entries(COMMAND_LINE_ONLY)
    .filter(([flag]) => flags[flag as keyof typeof flags] === true)
    .map(([flag, meaning]) => `${visible(name)}: ${flag} has no effect in the library: ${meaning}`);
}

function readingOf({ flags: { threads, input, whole } }: Config): InstanceSettings['reading'] {
  const given = Object.entries({ threads, input, whole }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as InstanceSettings['reading']; // the config's schema guarantees the types
}

async function refsOf(given: readonly string[], config: Config | null) {
  if (given.length === 0 && config === null) return [];
  const { readRefs } = await import('../schema/refs-option.ts');
  const own = await readRefs(given, resolve(), () => 'refs: ');
  return config === null
    ? own
    : [...own, ...(await readRefs(config.refs, config.folder, () => `${config.name}: refs: `))];
}

/** Says that checks which compare payloads are for files only. Throws UsageError. */
async function notAsked(config: Config): Promise<string[]> {
  const { relations = [] } = (await ownChecks(config, false)) ?? {};
  return relations.length === 0 ? [] : [`${visible(config.name)}: ${notCompared(relations, 'validateFiles')}`];
}

/** Null: there are none. Throws UsageError. */
async function ownChecks(config: Config | null, advice: boolean): Promise<OwnChecks | null> {
  if (!advice && (config === null || config.checks === null)) return null;
  return (await import('../config/checks.ts')).readChecks(config, advice);
}

/** Throws UsageError. */
function vocabulariesOf({ vocabularies }: PaylintOptions, config: Config | null): readonly VocabularyName[] {
  const all: readonly string[] | undefined = vocabularies;
  if (all === undefined) return config?.vocabularies ?? [];
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

const MAX_BASELINE_BYTES = 256 << 20;

/** Throws UsageError for a file that cannot be read, or is not a baseline. */
async function baselineOf(given: string | undefined, config: Config | null): Promise<InstanceSettings['baseline']> {
  const ofConfig = config === null || config.baseline === null ? null : resolve(config.folder, config.baseline);
  const path = given === undefined ? ofConfig : resolve(pathText('baseline', given));
  if (path === null) return null;
  const name = slashed(relative(resolve(), path));
  let text: string;
  try {
    text = readLimited(path, MAX_BASELINE_BYTES).toString();
  } catch (cause) {
    throw new UsageError(`cannot read the baseline ${visible(name)}: ${wordsFor(cause)}`, { cause });
  }
  const known = readBaseline(text, name);
  return (cwd) => new Baseline(known, { takesAll: false, nameOf: namesIn(path, cwd), isOff: null });
}

/** The settings of the config for files. */
export async function fileRulesOf({ config, own }: InstanceSettings, set: SchemaSet): Promise<FileRules> {
  return config === null ? NO_FILE_RULES : fileRules(config, own, async () => kindFiles(set));
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

/** The parts of an instance. */
export interface InstanceParts {
  readonly set: LoadedSchemas;
  readonly warnings: readonly string[];
  readonly kind: string | null;
  readonly limits: Limits;
  /** The schemas are the bundled ones, which the guards use. */
  readonly areBundled: boolean;
  /** Those that compare payloads, for runs over files. */
  readonly relations: readonly Relation[];
  /** The level of the violations of each rule, and whether there is advice. */
  readonly judging: Required<Judging>;
  readonly files: FileRules;
  /** See `InstanceSettings`. */
  readonly baseline: InstanceSettings['baseline'];
  readonly reading: InstanceSettings['reading'];
  readonly schemas: ReadySchemas;
  readonly examiner: Examiner;
  /** Finds the kind of a payload without validating it. */
  readonly finder: Examiner;
  /** Check payloads after they are filled. */
  readonly fillers: Readonly<Record<'shallow' | 'deep', () => Fillers>>;
}

/** The filler, and the examiner for texts of which the filler is unsure. */
export interface Fillers {
  readonly filler: TextFiller;
  readonly examiner: Examiner;
}
