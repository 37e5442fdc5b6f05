/**
 * The schemas that a config names, and the globs of its `ignore`, `kinds` and `schemas` as tests of paths.
 */
import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { meantPath } from '../schema/faults.ts';
import type { KindFile } from '../schema/set.ts';
import type { IgnoreTest, PathTest } from '../source/globs.ts';
import { schemaAt, slashed, splitFragment } from '../source/path-text.ts';
import { wordsFor } from '../source/system-errors.ts';
import { visible } from '../words/escape.ts';
import { type Config, inConfig } from './config.ts';
import { CONFIG_NAME } from './config-search.ts';

/**
 * Absolute path of the schema to use: the one that was typed, the config's, or the bundled entry schema. Throws
 * UsageError.
 */
export function schemaPath(typed: string | undefined, config: Config, cwd: string): string {
  if (typed !== undefined) return localSchema(typed, '', cwd);
  if (config.schema === null) return bundledSchema(ENTRY_SCHEMA);
  return localSchema(config.schema, inConfig(config, '/schema'), config.folder);
}

/** The schemas that the config has for files, with absolute paths. Throws UsageError. */
export function schemasForFiles(config: Config): Config['schemas'] {
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

/** Absolute paths of the files with values of formats, and with checks. */
export function namedFiles({ checks, ownFormats, folder }: Pick<Config, 'checks' | 'folder' | 'ownFormats'>): string[] {
  const values = Object.values(ownFormats).flatMap((one) => (one === false ? [] : (one.values ?? [])));
  return [...values, ...(typeof checks === 'string' ? [checks] : [])].map((file) => resolve(folder, file));
}

/** The settings of the config for files, by absolute path. */
export interface FileRules {
  /** Null: there is no setting, so the kind is detected. */
  readonly kindOf: (path: string) => string | null;
  /** The file is left out, or holds no payloads: it is a config or the baseline. */
  readonly ignores: (path: string) => boolean;
}

export const NO_FILE_RULES: FileRules = { kindOf: () => null, ignores: () => false };

/**
 * The matcher is loaded only if there are globs. `own`: the schemas for files; `kindsOf`: those of all schemas, with
 * those that are only for files at the end; asked only for these.
 */
export async function fileRules(
  config: Pick<Config, 'baseline' | 'checks' | 'folder' | 'ignore' | 'kinds' | 'ownFormats' | 'path'>,
  own: Config['schemas'],
  kindsOf: () => Promise<readonly KindFile[]>,
): Promise<FileRules> {
  const { ignores, kinds } = await globsOf(config, own, kindsOf);
  const baseline = config.baseline === null ? null : resolve(config.folder, config.baseline);
  const named = namedFiles(config);
  const fromConfig = (path: string): string => slashed(relative(config.folder, path));
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

interface Globs {
  readonly ignores: IgnoreTest;
  /** Tests of paths that are relative to the folder of the config, with `/`. The first one that matches says the kind. */
  readonly kinds: readonly { readonly matches: PathTest; readonly kind: string }[];
}

async function globsOf(
  { folder, ignore, kinds }: Pick<Config, 'folder' | 'ignore' | 'kinds'>,
  own: Config['schemas'],
  kindsOf: () => Promise<readonly KindFile[]>,
): Promise<Globs> {
  if (ignore.length + kinds.length + own.length === 0) return { ignores: () => false, kinds: [] };
  const { compileGlob, ignoreTest } = await import('../source/globs.ts');
  const all = own.length === 0 ? [] : await kindsOf();
  const named = own.map(({ files, schema }) => ({
    files,
    kind: all.findLast((kind) => kind.schema === schema)!.name, // each is a kind
  }));
  return {
    ignores: ignoreTest(ignore, folder),
    kinds: [...named, ...kinds].map(({ files, kind }) => ({ matches: compileGlob(files), kind })),
  };
}
