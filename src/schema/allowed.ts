/**
 * The files that an untrusted schema may refer to: regular files in folders that the caller named. Links are resolved
 * first.
 */
import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';

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
