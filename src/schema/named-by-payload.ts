/**
 * The schema that a payload's "$schema" names, and the files that an untrusted schema may refer to. A payload is not
 * trusted. It may name only schemas that the caller has made known, the meta-schemas, and regular files in folders
 * that the caller named. Links are resolved first.
 */
import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { NoSchema } from '../errors.ts';
import { metaSchemaAt } from './drafts.ts';
import type { KnownSchemas } from './known.ts';
import { fileUri, localPath, resolveUri } from './uri.ts';

export interface Search {
  readonly known: KnownSchemas;
  /** Absolute. */
  readonly folders: readonly string[];
}

/**
 * The absolute path of the schema that `text` names in a payload of the file at `from` (absolute). Throws NoSchema,
 * with the end of the message after the text, and SchemaError if known schemas contradict each other.
 */
export function schemaNamedBy(text: string, from: string, { known, folders }: Search): string {
  const named = text === '' ? null : resolveUri(text, fileUri(from));
  if (text === '') throw new NoSchema('is empty');
  if (named === null) throw new NoSchema('is not a URI reference');
  const { base: uri, fragment } = named;
  if (fragment !== '') throw new NoSchema('leads into a schema; it must name a whole one');
  const found = known.schemaAt(uri);
  const given = found?.isRoot === true ? found.path : metaSchemaAt(uri);
  if (given !== null) return given;
  if (!uri.startsWith('file:')) {
    throw new NoSchema(
      'leads to no known schema: nothing is fetched from a network; --ref URI=FILE names a local file for it',
    );
  }
  const path = localPath(uri);
  if (path === null) throw new NoSchema('is not a path on this machine');
  const refusal = refusalOf(path, folders);
  if (refusal !== null) throw new NoSchema(refusal);
  return path;
}

/** Why the file at `path` must not be read, as the end of a sentence; null: it may be read. `folders`: absolute. */
export function refusalOf(path: string, folders: readonly string[]): string | null {
  try {
    const real = realpathSync.native(path);
    // Do not reveal what is outside of the folders.
    if (!folders.some((folder) => isIn(real, realpathSync.native(folder)))) return OUTSIDE;
    return statSync(real).isFile() ? null : 'leads to no regular file';
  } catch {
    // Reading the file gives the error.
    return folders.some((folder) => isIn(path, folder)) ? null : OUTSIDE;
  }
}

const OUTSIDE =
  'leads out of the working directory and of the folder of the payload; --ref FILE makes a file known';

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && way !== path);
}
