/**
 * The lines of `--ignore` and of the config's `ignore`, read as those of a `.gitignore` in a folder: a later line with `!`
 * takes back what an earlier one leaves out, but nothing below a folder that is left out.
 *
 * Unlike git, a line may also be an absolute path or begin with `../`, and lines without `/` apply to files outside of
 * the folder, too.
 */
import { posix, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isOutside, slashed } from './path-text.ts';

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
