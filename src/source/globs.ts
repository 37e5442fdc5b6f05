/**
 * Globs as tests of a path, for `!` patterns and for the config's `kinds[].files` and `schemas[].files`; and the lines of
 * `--ignore`, read as those of a `.gitignore`, except that one may be an absolute path or begin with `../`, and that lines
 * without `/` apply to files outside of the folder, too.
 *
 * A glob that matches a folder matches everything below it. Dot files are matched like any others, and a leading `!` is
 * an ordinary character here: a caller that gives it a meaning strips it first. On Windows a backslash separates names,
 * as `/` does; elsewhere it escapes the character after it.
 */
import { posix, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { isOutside, slashed } from './path-text.ts';

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

/** Reads a glob like fast-glob: it matches the whole path, or the whole path of a folder above. `separator`: as above. */
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

/** Whether an absolute path is left out. Below a folder that is left out, everything is. */
export type IgnoreTest = (path: string, is: 'file' | 'folder') => boolean;

/** `folder`: absolute. `separator`: of the system; tests pass another. */
export function ignoreTest(lines: readonly string[], folder: string, separator: string = sep): IgnoreTest {
  const here = slashed(folder).replace(/\/*$/, '/');
  const patterns = lines.map((line) => {
    const [, not = '', path = ''] = /^(!?)(?:\.\/+)*(.*)$/s.exec(slashed(line, separator)) ?? [];
    return { not, path: path.startsWith(here) ? path.slice(here.length - 1) : path };
  });
  const inside = matcher(patterns.map(({ not, path }) => not + path));
  // Lines without a place, and those with one outside, as paths from the root of the file system.
  const anywhere = matcher(
    patterns.flatMap(({ not, path }) => (/^(?:\*\*\/.*|[^/]*\/?)$/s.test(path) ? [not + path] : [])),
  );
  const outside = matcher(
    patterns.flatMap(({ not, path }) => (/^(?:\/|\.\.\/)/.test(path) ? [not + fromRoot(path, here)] : [])),
  );
  return (path, is) => {
    const end = is === 'folder' ? '/' : '';
    const way = relative(folder, path);
    if (way === '') return false;
    const name = slashed(way);
    if (!isOutside(way)) return inside.ignores(name + end);
    const below = name.replace(/^(?:\.\.(?:\/|$))+/, '');
    const whole = slashed(path).replace(/^\/+/, '');
    return (below !== '' && anywhere.ignores(below + end)) || (whole !== '' && outside.ignores(whole + end));
  };
}

function matcher(patterns: readonly string[]): Ignore {
  return ignore({ ignorecase: false }).add(patterns);
}

/** A pattern that is absolute, or begins with `../`, as one from the root. */
function fromRoot(pattern: string, folder: string): string {
  if (pattern.startsWith('/')) return pattern;
  const up = /^(?:\.\.\/)+/.exec(pattern)?.[0] ?? '';
  const literal = posix.join(folder, up).replace(/[\\*?[\]!# ]/g, '\\$&');
  return `${literal.replace(/\/*$/, '/')}${pattern.slice(up.length)}`;
}
