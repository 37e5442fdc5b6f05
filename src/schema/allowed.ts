/**
 * Which files a schema that is not trusted may lead to: regular files in folders that the caller named, whatever links there are.
 */
import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Why the file at `path` may not be read, as the rest of a sentence; null: it may. `folders`: absolute. */
export function refusalOf(path: string, folders: readonly string[]): string | null {
  try {
    const real = realpathSync.native(path);
    // What is there outside of the folders is not said.
    if (!folders.some((folder) => isIn(real, realpathSync.native(folder)))) return OUTSIDE;
    return statSync(real).isFile() ? null : 'leads to no regular file';
  } catch {
    // Reading it tells why it cannot be read.
    return folders.some((folder) => isIn(path, folder)) ? null : OUTSIDE;
  }
}

const OUTSIDE =
  'leads out of the working directory and of the folder of the payload; --ref FILE makes a file known';

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && way !== path);
}
