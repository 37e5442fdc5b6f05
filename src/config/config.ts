/** The config file: found, read, and validated against its schema; and which of its keys a verb takes. */
import { dirname, relative, resolve } from 'node:path';
import { Interrupted, UsageError } from '../errors.ts';
import { locate } from '../json/locate.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { AUTHORED_BYTES } from '../limits.ts';
import type { RawFormat } from '../schema/formats/format.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { isPipe, readFileOrPipe } from '../source/read-file.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import type { VocabularyName } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { RuleLevel, RuleLevels } from '../words/rule-levels.ts';
import type { AuthoredFile } from './authored-file.ts';
import { nearestConfig } from './config-search.ts';

export interface Config {
  /** Absolute; null if there is none. */
  readonly path: string | null;
  /** The name of the file in messages; empty if there is none. */
  readonly name: string;
  /** Absolute path of its folder, to which its paths and globs are relative. */
  readonly folder: string;
  /** It was found on the way up; false: `--config` names it, or there is none. */
  readonly found: boolean;
  readonly schema: string | null;
  /** What is read without a PATH: paths and globs, relative to the folder; or the globs of `schemas`. */
  readonly files: readonly string[] | 'schemas';
  /** As `--ref` takes them; paths relative to the folder. */
  readonly refs: readonly string[];
  readonly schemas: readonly { readonly files: string; readonly schema: string }[];
  readonly kinds: readonly { readonly files: string; readonly kind: string }[];
  /** Those that schemas may use, beside the keywords of their drafts. */
  readonly vocabularies: readonly VocabularyName[];
  /** See `own-formats.ts`. */
  readonly ownFormats: Readonly<Record<string, RawFormat>>;
  /** Its checks, or the path of the file that has them; null: there are none. See `checks.ts`. */
  readonly checks: string | readonly unknown[] | null;
  readonly ignore: readonly string[];
  readonly formats: readonly string[];
  readonly rules: RuleLevels;
  /** Relative to the folder, as the file has it. */
  readonly baseline: string | null;
  /** Other flags of validate, by their names in camelCase. */
  readonly flags: Readonly<Record<string, string | number | boolean>>;
  /** Keys that the file sets and the verb does not take. See `NOT_TAKEN`. */
  readonly leftOut: readonly string[];
}

/** `named`: false: none; undefined: the nearest one. Throws UsageError with the place of each fault. */
export async function loadConfig(named: string | false | undefined, io: Io): Promise<Config> {
  const { cwd } = io;
  const path = named === undefined ? nearestConfig(io) : named === false ? null : resolve(cwd, named);
  if (path === null) return configOf({}, { path, name: '', folder: cwd, found: false });
  const name = slashed(relative(cwd, path)) || (named as string); // only a path that was named can be the working directory
  let bytes: Buffer;
  try {
    const piped = isPipe(path) ? await import('./pipes.ts') : null;
    bytes = piped === null ? readFileOrPipe(path, AUTHORED_BYTES) : await piped.readPipe(path, io, AUTHORED_BYTES);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    const isLink = named === undefined && codeOf(cause) === 'ENOENT'; // the search has found it
    const why = isLink ? 'broken symbolic link' : wordsFor(cause);
    throw new UsageError(`cannot read the config ${visible(name)}: ${why}`, { cause });
  }
  const raw = await parsed(bytes, { path, name });
  return configOf(raw, { path, name, folder: dirname(path), found: named === undefined });
}

/** Throws UsageError with the place of each fault. */
async function parsed(bytes: Buffer, file: AuthoredFile): Promise<RawConfig> {
  const { faultsIn, jsonIn, refuseFaults } = await import('./authored-file.ts');
  const value = jsonIn(bytes, file, 'the config ');
  const faults = await faultsIn(bytes, 'config');
  refuseFaults(faults, 'the config is', file);
  const raw = value as RawConfig; // its schema guarantees it
  if (!Array.isArray(raw.checks)) return raw;
  const span = locate(bytes, byteOrderMark(bytes), bytes.length, [CHECKS]).get(CHECKS)!.value;
  refuseFaults(await faultsIn(bytes, 'checks', { span, pointer: CHECKS }), 'the checks are', file);
  return raw;
}

const CHECKS = '/checks';

/** The content of the file; the members that are not named here are flags, or for who reads the file. */
interface RawConfig extends Partial<Pick<Config, 'refs' | 'schemas' | 'kinds' | 'vocabularies' | 'ignore'>> {
  readonly schema?: string;
  readonly files?: string | readonly string[];
  readonly formats?: Config['ownFormats'];
  readonly checks?: string | readonly unknown[];
  readonly format?: string | readonly string[];
  /** `warn` means `warning`. */
  readonly rules?: Readonly<Record<string, RuleLevel | 'warn'>>;
  readonly baseline?: string;
}

function configOf(raw: RawConfig, place: Pick<Config, 'path' | 'name' | 'folder' | 'found'>): Config {
  const { format = [], rules = {}, files = [], formats = {}, ...given } = raw;
  const { schema = null, refs = [], schemas = [], kinds = [], vocabularies = [], ...others } = given;
  const { checks = null, ignore = [], baseline = null, ...flags } = others;
  return {
    ...place,
    ...{ schema, refs, schemas, kinds, vocabularies, ownFormats: formats, checks, ignore, baseline },
    files: files === 'schemas' || typeof files !== 'string' ? files : [files],
    formats: typeof format === 'string' ? [format] : format,
    leftOut: [],
    rules: Object.fromEntries(
      Object.entries(rules).map(([rule, level]) => [rule, level === 'warn' ? 'warning' : level]),
    ),
    flags: Object.fromEntries(Object.entries(flags).filter(([key]) => !/^(?:\$|x-)/.test(key))) as Config['flags'], // the schema guarantees it
  };
}

/** `paylint.config.json#/kinds/0/kind`, for a message about a value of the config. */
export function placeInConfig({ name }: Config, pointer: string): string {
  return `${visible(name)}#${pointer}`;
}

/** The same as the beginning of a message. */
export function inConfig(config: Config, pointer: string): string {
  return `${placeInConfig(config, pointer)}: `;
}

/** What makes payloads pass or fail beside a schema: not for verbs whose result is about schemas. */
const OF_GATES = [
  ...['advice', 'allowEmpty', 'bail', 'baseline', 'checks', 'exitZero', 'maxInvalid'],
  ...['maxWarnings', 'rules', 'withDefaults'],
] as const;

/** Keys that no flag has. */
export const OF_CONFIG_ONLY = ['checks', 'formats', 'files', 'kinds', 'rules', 'schemas', 'vocabularies'] as const;

/**
 * The keys that a verb does not take. It takes those of its flags, and those that no flag has. docs/reference/config.md has
 * this table.
 */
export const NOT_TAKEN: Readonly<Record<string, readonly string[]>> = {
  validate: [],
  fill: [],
  prune: [],
  filter: ['files'],
  convert: ['checks', 'files', 'kind', 'rules'],
  compare: OF_GATES,
  coverage: OF_GATES,
  test: [...OF_GATES, 'files', 'kinds', 'schemas'],
};

/** The config without what `verb` does not take; `leftOut` has the names of these keys, if the file sets them. */
export function configFor(verb: string, config: Config): Config {
  const names = NOT_TAKEN[verb] ?? [];
  const none = { baseline: null, checks: null, files: [], kinds: [], rules: {}, schemas: [] };
  const isSet = (key: string): boolean =>
    key in none ? Object.keys(config[key as keyof typeof none] ?? {}).length > 0 : key in config.flags;
  return {
    ...config,
    ...Object.fromEntries(Object.entries(none).filter(([key]) => names.includes(key))),
    flags: Object.fromEntries(Object.entries(config.flags).filter(([key]) => !names.includes(key))),
    leftOut: names.filter(isSet),
  };
}
