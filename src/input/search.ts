/**
 * PATHs other than plain files to the files they name: searches folders and globs, and applies `--ignore` and `!`
 * patterns. Loaded only if there is something to search or to leave out.
 */
import { isAbsolute } from 'node:path';
import type { Failure } from '../types.ts';
import type { IgnoreTest } from './ignore.ts';
import { slashed } from './path-text.ts';
import { type Found, findByGlob, findInFolder, type Scope } from './walk-folders.ts';

/** The meaning of one PATH. Paths are absolute, patterns as typed. The path of a glob is that of its folder. */
export type Typed =
  | { readonly is: 'stdin' }
  | { readonly is: 'file'; readonly path: string }
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'glob'; readonly pattern: string; readonly path: string }
  | { readonly is: 'minus'; readonly pattern: string }
  | { readonly is: 'failure'; readonly failure: Failure };

/** The result of a search. */
interface Searched {
  /** Absolute paths, and whether each is known to be a regular file. */
  readonly files: ReadonlyMap<string, boolean>;
  readonly failures: readonly Failure[];
  /** Patterns and folders without files. */
  readonly unmatched: readonly Failure[];
  /** How many entries of each kind folders contain that are not read. */
  readonly passedOver: ReadonlyMap<string, number>;
}

/** `wayTo`: the relative path from `cwd`, which patterns match. */
type World = Omit<Scope, 'isLeftOut'> & { readonly wayTo: (path: string) => string };

/** Searches for everything in `typed`, without what `ignore` and `!` patterns leave out. */
export async function searchAll(
  typed: readonly Typed[],
  ignore: readonly string[],
  world: World,
): Promise<Searched> {
  const isLeftOut = await leftOutTest(typed, ignore, world);
  const files = new Map<string, boolean>();
  const failures: Failure[] = [];
  const unmatched: Failure[] = [];
  const passedOver = new Map<string, number>();
  const passOver = (what: string): void => {
    passedOver.set(what, (passedOver.get(what) ?? 0) + 1);
  };
  for (const one of typed) {
    if (one.is === 'failure') failures.push(one.failure);
    else if (one.is === 'file' && !isLeftOut(one.path, 'file')) files.set(one.path, false);
    else if (one.is === 'folder' || one.is === 'glob') {
      const found = await search(one, { ...world, isLeftOut, passOver });
      // One by one: there may be more than a call takes arguments.
      for (const path of found.files) files.set(path, true);
      for (const failure of found.failures) failures.push(failure);
      if (found.nothing !== null) unmatched.push(found.nothing);
    }
  }
  return { files, failures, unmatched, passedOver };
}

/** Whether `--ignore` or a `!` pattern leaves out an absolute path. */
async function leftOutTest(
  typed: readonly Typed[],
  ignore: readonly string[],
  { cwd, wayTo: nameOf }: World,
): Promise<IgnoreTest> {
  if (ignore.length === 0 && !typed.some(({ is }) => is === 'minus')) return () => false;
  // Folders alone need no matcher, which takes longer to load than to check a small file.
  const [{ compileAnchoredGlob }, { ignoreTest }] = await Promise.all([
    import('./globs.ts'),
    import('./ignore.ts'),
  ]);
  const ignores = ignoreTest(ignore, cwd);
  const globs = typed.flatMap((one) =>
    one.is === 'minus'
      ? [{ isPath: isAbsolute(one.pattern), matches: compileAnchoredGlob(one.pattern) }]
      : [],
  );
  return (path, is) => {
    const name = nameOf(path);
    if (name === '.') return false;
    return ignores(path, is) || globs.some(({ isPath, matches }) => matches(isPath ? slashed(path) : name));
  };
}

/**
 * The files in a folder or of a glob. Finding none is a fault only if no failure explains it and nothing was left out.
 */
async function search(
  typed: Extract<Typed, { is: 'folder' | 'glob' }>,
  scope: Scope,
): Promise<Found & { readonly nothing: Failure | null }> {
  const find = (within: Scope): Promise<Found> =>
    typed.is === 'folder' ? findInFolder(typed.path, within) : findByGlob(typed.pattern, within);
  if (typed.is === 'folder' && scope.isLeftOut(typed.path, 'folder'))
    return { files: [], failures: [], nothing: null };
  const found = await find(scope);
  if (found.files.length > 0) return { ...found, nothing: null };

  const whole = await find({ ...scope, isLeftOut: () => false, passOver: undefined });
  if (whole.files.length > 0 || whole.failures.length > 0) return { ...found, nothing: null };
  const nothing: Failure =
    typed.is === 'folder'
      ? {
          file: scope.nameOf(typed.path),
          message: 'no *.json, *.ndjson or *.jsonl file in this folder',
        }
      : { file: typed.pattern, message: 'no file matches this pattern' };
  return { ...found, nothing };
}
