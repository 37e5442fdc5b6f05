/**
 * Globs as tests of a path, for `!` patterns and for the config's `kinds[].files` and `schemas[].files`.
 *
 * A glob that matches a folder matches everything below it. Dot files are matched like any others, and a leading `!` is
 * an ordinary character here: a caller that gives it a meaning strips it first. On Windows a backslash separates names,
 * as `/` does; elsewhere it escapes the character after it.
 */
import { sep } from 'node:path';
import picomatch from 'picomatch';
import { slashed } from './path-text.ts';

/** Tests a path relative to the working directory, with `/` and perhaps a leading `../`; or an absolute one. */
export type PathTest = (path: string) => boolean;

/**
 * Reads a glob of the config: without `/` it matches the name of a file or folder at any depth; with `/`
 * it matches the path from the working directory, and a leading `/` only anchors it. A leading `./` and a trailing `/`
 * are ignored. `separator`: of the system; tests pass another.
 */
export function compileGlob(pattern: string, separator: string = sep): PathTest {
  const trimmed = trim(slashed(pattern, separator));
  if (trimmed === '') return () => false;
  if (!trimmed.includes('/')) {
    const matches = compileWhole(trimmed);
    return (path) => path.split('/').some((name) => name !== '' && name !== '..' && matches(name));
  }
  const matches = compileAnchoredGlob(trimmed, '/');
  if (!trimmed.startsWith('/')) return matches;
  return (path) => matches(path.startsWith('/') ? path : `/${path}`);
}

/**
 * Reads a glob like fast-glob: it matches the whole path, or the whole path of a folder above. `separator`: as above.
 */
export function compileAnchoredGlob(pattern: string, separator: string = sep): PathTest {
  const trimmed = trim(slashed(pattern, separator));
  if (trimmed === '') return () => false;
  const matches = compileWhole(trimmed);
  // `**` never matches `..`, but `**/x` should find x wherever the sources are.
  const anywhere = trimmed.startsWith('**');
  return (path) => {
    const from = anywhere ? path.replace(/^(?:\.\.\/)+/, '') : path;
    for (let end = from.indexOf('/', 1); end !== -1; end = from.indexOf('/', end + 1)) {
      if (matches(from.slice(0, end))) return true;
    }
    return matches(from);
  };
}

/** picomatch also matches a path that equals the glob literally: `[a].json` may be a name or a set. */
function compileWhole(pattern: string): PathTest {
  const matches = picomatch(pattern, { dot: true, nonegate: true });
  return (path) => matches(path);
}

function trim(pattern: string): string {
  return pattern.replace(/^(?:\.\/+)+/, '').replace(/(?<=[^/])\/+$/, '');
}
