/**
 * Restricts the files that a config found by the search may have written: they must be inside its own folder. Such a
 * config may be part of a change that is being tested. Flags and the file of `--config` are the user's own choice.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { type Config, inConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { isOutside } from '../output/diff-name.ts';
import { visible } from '../words/escape.ts';

/**
 * Throws UsageError if the config was found by the search and `file`, the value of its member `key`, may be outside its
 * folder, with links followed.
 */
export function refuseOutside(file: string, key: 'baseline' | 'format', config: Config): void {
  if (!config.found || (staysInside(file) && !leadsOutside(resolve(config.folder, file), config.folder)))
    return;
  throw new UsageError(
    `${inConfig(config, `/${key}`)}expected a path inside the folder of the config, without "..", found ${visible(file)}; ` +
      'with --config FILE, any path is accepted',
  );
}

/** By its text, on every system: it is relative, without a drive and without `..`. */
function staysInside(file: string): boolean {
  return !isAbsolute(file) && !/^(?:[\\/]|[a-z]:)/i.test(file) && !file.split(/[\\/]/).includes('..');
}

/** Whether `path`, or the nearest folder above it that is there, is outside of `folder`, or a link to nothing. */
function leadsOutside(path: string, folder: string): boolean {
  let there = path;
  while (!isThere(there)) there = dirname(there);
  try {
    const way = relative(realpathSync(folder), realpathSync(there));
    return isOutside(way);
  } catch {
    return true;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;
  } catch {
    return dirname(path) === path; // a part of the path is not a folder
  }
}
