// Where programs are: what a shell would find on the PATH.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The file that a program's name means on a PATH, or null.
 * @param {string} program
 * @param {string} [path] folders, as in the variable PATH
 */
export function pathOf(program, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {} // the next folder
  }
  return null;
}

/** The POSIX shell: the one on the PATH, or the one at the usual place. */
export function shell() {
  return pathOf('sh') ?? '/bin/sh';
}
