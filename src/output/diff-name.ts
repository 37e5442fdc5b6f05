/**
 * The name of a file in a diff, under which `git apply` and `patch` find it. They do not follow links, and do not read
 * compressed files.
 */
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { isCompressed } from '../input/reread.ts';
import type { Source } from '../types.ts';

export type DiffName =
  | { readonly name: string; readonly failure: null }
  | { readonly name: null; readonly failure: string };

/**
 * The name for the file of `source`: relative to `folder` (absolute), with links followed. `failure`: why no diff of it
 * could be applied, in one clause. Throws the errors of the file system.
 */
export function diffName({ name, path }: Source, folder: string): DiffName {
  // standard input is refused before
  if (!statSync(path!).isFile()) return refused('a diff needs a regular file, which can be read twice');
  if (isCompressed(path!)) {
    return refused('a diff of a compressed file cannot be applied; decompress it, or use fill --write');
  }
  if (isOutside(relative(folder, path!))) return { name, failure: null }; // on another drive
  const real = relative(realpathSync(folder), realpathSync(path!));
  if (!isOutside(real)) return { name: real.split(sep).join('/'), failure: null };
  return refused(
    'is a link to a file outside the working directory, where a diff cannot be applied; name that file',
  );
}

/** True for a path, relative to a folder, that leaves the folder. */
export function isOutside(path: string): boolean {
  return isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`);
}

function refused(failure: string): DiffName {
  return { name: null, failure };
}
