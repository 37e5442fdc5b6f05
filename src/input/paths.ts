/**
 * What was typed as PATHs -> the sources, each once, in byte order of the names that reports give them.
 *
 * Nothing is opened here. What cannot be found is a value beside the sources, so that the rest is still read:
 * a failure where a file, folder or link is at fault, `unmatched` where a pattern or folder holds nothing.
 */

import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Failure, Framing, Source } from '../types.ts';
import type { PathTest } from './globs.ts';
import { slashed } from './separator.ts';
import { codeOf, wordsFor } from './system-errors.ts';
import type { Found, ReadFolder, Scope } from './walk.ts';

export interface SourceOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Globs of what to leave out, as `compileGlob` reads them; an absolute one also matches absolute paths. */
  readonly ignore: readonly string[];
  /** What reports call standard input; null is `<stdin>`. */
  readonly stdinName: string | null;
  /** For every source; null: by its extension, else null. */
  readonly framing: Framing | null;
  /** Lists a folder; for tests of folders that cannot be listed. */
  readonly readFolder?: ReadFolder;
}

export interface ResolvedSources {
  readonly sources: Source[];
  readonly failures: Failure[];
  readonly unmatched: Failure[];
}

/** What one PATH turned out to be. Paths are absolute, patterns as typed. */
type Typed =
  | { readonly is: 'stdin' }
  | { readonly is: 'file'; readonly path: string }
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'glob'; readonly pattern: string }
  | { readonly is: 'minus'; readonly pattern: string }
  | { readonly is: 'failure'; readonly failure: Failure };

/**
 * Resolves PATHs: files, folders, globs, `!` globs that take away from everything else, and `-`.
 * Throws a `UsageError` for a second `-`, an empty PATH, or `!` globs with nothing to take away from.
 */
export async function resolveSources(
  paths: readonly string[],
  options: SourceOptions,
): Promise<ResolvedSources> {
  const cwd = resolve(options.cwd);
  const inside = cwd.endsWith(sep) ? cwd : cwd + sep;
  const nameOf = (path: string): string =>
    path.startsWith(inside) ? slashed(path.slice(inside.length)) : slashed(relative(cwd, path)) || '.';
  const typed = await classifyAll(paths, cwd, nameOf);
  const isLeftOut = await leftOutTest(typed, options.ignore, nameOf);
  const scope: Scope = { cwd, nameOf, isLeftOut, readFolder: options.readFolder };

  /** Absolute paths, and whether each is known to be a regular file. */
  const files = new Map<string, boolean>();
  const failures: Failure[] = [];
  const unmatched: Failure[] = [];
  for (const one of typed) {
    if (one.is === 'failure') failures.push(one.failure);
    else if (one.is === 'file' && !isLeftOut(one.path)) files.set(one.path, false);
    else if (one.is === 'folder' || one.is === 'glob') {
      const found = await search(one, scope);
      for (const file of found.files) files.set(file, true);
      failures.push(...found.failures);
      if (found.nothing !== null) unmatched.push(found.nothing);
    }
  }

  const sources = [...files].map(([path, regular]) =>
    fileSource(path, nameOf(path), regular, options.framing),
  );
  if (typed.some((one) => one.is === 'stdin')) {
    sources.push({
      name: options.stdinName ?? '<stdin>',
      path: null,
      regular: false,
      framing: options.framing,
      kind: null,
    });
  }
  return { sources: inByteOrder(sources), failures: once(failures), unmatched: once(unmatched) };
}

/** How payloads lie in a file of this name, `.gz` or not; null where its extension does not say. */
export function framingOfName(name: string): Framing | null {
  const extension = /\.(json|ndjson|jsonl)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return extension === 'json' ? 'json' : 'lines';
}

async function classifyAll(
  paths: readonly string[],
  cwd: string,
  nameOf: (path: string) => string,
): Promise<readonly Typed[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('- (standard input) can be given only once');
  }
  const typed: Typed[] = [];
  for (const path of paths) typed.push(await classify(path, cwd, nameOf));
  if (typed.length > 0 && typed.every((one) => one.is === 'minus')) {
    throw new UsageError('patterns with ! only take away; give a file, a folder or a pattern to take from');
  }
  return typed;
}

/** A path that exists as it is written wins over its reading as a glob, even as one with a `!`. */
async function classify(path: string, cwd: string, nameOf: (path: string) => string): Promise<Typed> {
  if (path === '-') return { is: 'stdin' };
  // Resolved, it would be the working directory: `paylint validate "$UNSET"` must not read everything.
  if (path === '') throw new UsageError('a PATH is empty');
  const absolute = resolve(cwd, path);
  const failed = (message: string): Typed => ({
    is: 'failure',
    failure: { file: nameOf(absolute), message },
  });
  try {
    lstatSync(absolute);
  } catch (error) {
    if (path.startsWith('!') && path !== '!' && path[1] !== '(') {
      return { is: 'minus', pattern: slashed(path.slice(1)) };
    }
    const { isGlob } = await import('./walk.ts');
    if (await isGlob(slashed(path))) return { is: 'glob', pattern: slashed(path) };
    return failed(wordsFor(error));
  }
  try {
    return { is: statSync(absolute).isDirectory() ? 'folder' : 'file', path: absolute };
  } catch (error) {
    return failed(codeOf(error) === 'ENOENT' ? 'broken symbolic link' : wordsFor(error));
  }
}

/** Whether `--ignore` or a `!` pattern leaves out an absolute path. */
async function leftOutTest(
  typed: readonly Typed[],
  ignore: readonly string[],
  nameOf: (path: string) => string,
): Promise<PathTest> {
  if (ignore.length === 0 && !typed.some(({ is }) => is === 'minus')) return () => false;
  // Loaded only where it is needed: that takes longer than checking a small file.
  const { compileAnchoredGlob, compileGlob } = await import('./globs.ts');
  const byName: PathTest[] = ignore.map((pattern) => compileGlob(pattern));
  const byPath: PathTest[] = ignore
    .filter((pattern) => isAbsolute(pattern))
    .map((pattern) => compileAnchoredGlob(pattern));
  for (const one of typed) {
    if (one.is !== 'minus') continue;
    (isAbsolute(one.pattern) ? byPath : byName).push(compileAnchoredGlob(one.pattern));
  }
  return (path) => {
    const name = nameOf(path);
    if (name === '.') return false;
    return byName.some((matches) => matches(name)) || byPath.some((matches) => matches(slashed(path)));
  };
}

/**
 * What a folder or glob holds. That it holds nothing is a fault only where nothing was kept from us: no
 * failure explains it, and leaving things out is not what emptied it.
 */
async function search(
  typed: Extract<Typed, { is: 'folder' | 'glob' }>,
  scope: Scope,
): Promise<Found & { readonly nothing: Failure | null }> {
  const { findByGlob, findInFolder } = await import('./walk.ts');
  const find = (within: Scope): Promise<Found> =>
    typed.is === 'folder' ? findInFolder(typed.path, within) : findByGlob(typed.pattern, within);
  if (typed.is === 'folder' && scope.isLeftOut(typed.path)) return { files: [], failures: [], nothing: null };
  const found = await find(scope);
  if (found.files.length > 0) return { ...found, nothing: null };

  const whole = await find({ ...scope, isLeftOut: () => false });
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

function fileSource(path: string, name: string, regular: boolean, framing: Framing | null): Source {
  return { name, path, regular, framing: framing ?? framingOfName(name), kind: null };
}

/** By UTF-8 bytes, as `LC_ALL=C sort` does; comparing strings would put astral characters before U+E000. */
function inByteOrder(sources: readonly Source[]): Source[] {
  // UTF-16 code units come in the order of UTF-8 bytes, but for surrogates.
  if (!sources.some(({ name }) => /[\ud800-\udfff]/.test(name))) {
    return [...sources].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }
  return sources
    .map((source) => ({ source, bytes: Buffer.from(source.name) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ source }) => source);
}

function once(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((one) => [`${one.file}\n${one.message}`, one])).values()];
}
