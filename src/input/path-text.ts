/**
 * Paths as text: with `/` on every system, as in reports, configs and matchers, and whether they leave a folder.
 */
import { isAbsolute, sep } from 'node:path';

/**
 * `text` with `/` if the system separates by a backslash. On other systems it is unchanged, because a backslash is part
 * of a name there, and an escape in a glob. `separator`: of the system; tests pass another.
 */
export function slashed(text: string, separator: string = sep): string {
  return separator === '\\' ? text.replaceAll('\\', '/') : text;
}

/** True for a path, relative to a folder, that leaves the folder. */
export function isOutside(path: string): boolean {
  return isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`);
}
