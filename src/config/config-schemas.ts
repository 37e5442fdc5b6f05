/**
 * The schemas that a config names, and the globs of its `ignore`, `kinds` and `schemas` as tests of paths.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { PathTest } from '../input/globs.ts';
import { wordsFor } from '../input/system-errors.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import type { Kind } from '../schema/set.ts';
import { visible } from '../words/escape.ts';
import { type Config, inConfig } from './config.ts';

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
  const path = resolve(folder, text);
  try {
    if (!statSync(path).isDirectory()) return path;
  } catch (cause) {
    const why = /^[a-z][a-z+.-]+:\/\//i.test(text)
      ? 'only local files are read, nothing is fetched from a network'
      : wordsFor(cause);
    throw new UsageError(`${place}cannot read the schema ${visible(text)}: ${why}`, { cause });
  }
  throw new UsageError(`${place}cannot read the schema ${visible(text)}: is a folder, not a file`);
}

/** Paths are relative to the folder of the config, with `/`. */
export interface ConfigGlobs {
  readonly ignored: readonly PathTest[];
  /** The first one that matches says the kind. */
  readonly kinds: readonly { readonly files: string; readonly matches: PathTest; readonly kind: string }[];
}

/**
 * The matcher is loaded only if there are globs. `own`: the schemas for files; `kindsOf`: those of all schemas, asked
 * only for these.
 */
export async function configGlobs(
  { ignore, kinds }: Config,
  own: Config['schemas'],
  kindsOf: () => Promise<readonly Kind[]>,
): Promise<ConfigGlobs> {
  if (ignore.length + kinds.length + own.length === 0) return { ignored: [], kinds: [] };
  const { compileGlob } = await import('../input/globs.ts');
  const all = own.length === 0 ? [] : await kindsOf();
  const named = own.map(({ files, schema }) => ({
    files,
    kind: all.find(({ test, document }) => test === false && document.path === schema)!.name, // each is a kind
  }));
  return {
    ignored: ignore.map((pattern) => compileGlob(pattern)),
    kinds: [...named, ...kinds].map(({ files, kind }) => ({ files, matches: compileGlob(files), kind })),
  };
}
