/** Paths as text: with `/` on every system, whether they leave a folder, and the framing of an extension. */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { unlessFailed } from '../errors.ts';
import type { Framing } from '../json/vocabulary.ts';

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

/** With links followed, as far as that is possible: reading what is not there will tell why. */
export function realPath(path: string): string {
  return unlessFailed(() => realpathSync.native(path)) ?? resolve(path);
}

/** What reports call the file at `path` (absolute): relative to `cwd` (absolute) inside of it, otherwise absolute. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return slashed(isOutside(way) ? path : way) || '.';
}

/** `a/b/` of the glob `a/b/*.json`: what is before the first name that is special; all of a path without one. */
export function beforeWildcard(glob: string): string {
  const at = glob.search(/[*?[\]{}()]/);
  return at < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', at) + 1);
}

/**
 * The parts of `FILE#FRAGMENT`, where the fragment is a JSON Pointer (RFC 6901 section 6) or an anchor in the schema file;
 * null: there is none. A path that exists is a file as it is. `exists`: for files that are not on disk.
 */
export function splitFragment(
  path: string,
  exists: (path: string) => boolean = existsSync,
): { readonly file: string; readonly fragment: string | null } {
  if (!path.includes('#') || exists(path)) return { file: path, fragment: null };
  for (let at = path.indexOf('#'); at >= 0; at = path.indexOf('#', at + 1))
    if (exists(path.slice(0, at))) return { file: path.slice(0, at), fragment: path.slice(at + 1) || null };
  return { file: path, fragment: null };
}

/** Percent-decoded (RFC 3986 section 2.1), if it can be. */
export function decodedFragment(fragment: string): string {
  return unlessFailed(() => decodeURIComponent(fragment)) ?? fragment;
}

/** The absolute path of a schema file, with its fragment. */
export function schemaAt(text: string, folder: string): string {
  const { file, fragment } = splitFragment(isAbsolute(text) ? text : join(folder, text));
  return fragment === null ? resolve(folder, text) : `${resolve(file)}#${fragment}`;
}

const LONGEST_EXTENSION = '.ndjson.gz'.length;

/** The framing by the extension of a file name, with or without `.gz`; null for another extension. */
export function framingOfName(name: string): Framing | null {
  // Not a regular expression: this runs at every start, and compiling one takes longer.
  const lower = name.slice(-LONGEST_EXTENSION).toLowerCase();
  const bare = lower.endsWith('.gz') ? lower.slice(0, -3) : lower;
  if (bare.endsWith('.json')) return 'json';
  return bare.endsWith('.ndjson') || bare.endsWith('.jsonl') ? 'lines' : null;
}
