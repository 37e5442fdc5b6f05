/**
 * What a config may name: files inside of its own folder, because it may be part of a change that is being tested.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isOutside } from '../source/path-text.ts';

/** Whether `file`, as a config in `folder` has it, is inside of this folder, with links followed. */
export function isInside(file: string, folder: string): boolean {
  return staysInside(file) && !leadsOutside(resolve(folder, file), folder);
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
