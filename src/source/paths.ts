/**
 * PATH arguments to sources, each once, in byte order of the names that reports give them.
 *
 * Nothing is opened here. What cannot be found is returned as a value beside the sources, so that the rest is still
 * read: a failure for a file, folder or link, `unmatched` for a pattern or folder without files.
 */
import { lstatSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Failure, Framing, Source } from '../json/vocabulary.ts';
import { framingOfName, slashed } from './path-text.ts';
import { codeOf, wordsFor } from './system-errors.ts';
import type { Scope, Searched, Typed } from './walk-folders.ts';

export interface SourceOptions extends Pick<Scope, 'cwd' | 'readFolder' | 'holdsPayload'> {
  /** What to leave out, see `ignoreTest`. */
  readonly ignore: readonly string[];
  /** The name of standard input in reports; null is `<stdin>`. */
  readonly stdinName: string | null;
  /** For every source; null: by extension, or null for an unknown one. */
  readonly framing: Framing | null;
  /** Gives the absolute paths of schemas, which folders are not searched for; asked only if there is a folder. */
  readonly schemas?: () => Promise<readonly string[]>;
}

export interface ResolvedSources extends Omit<Searched, 'files'> {
  readonly sources: Source[];
  /** Absolute paths of the folders that were searched; that of a glob is the one before its first wildcard. */
  readonly searched: readonly string[];
}

/** Resolves PATHs. Throws a `UsageError` for a second `-`, an empty PATH, or `!` globs alone. */
export async function resolveSources(paths: readonly string[], options: SourceOptions): Promise<ResolvedSources> {
  const cwd = resolve(options.cwd);
  const inside = cwd.endsWith(sep) ? cwd : cwd + sep;
  /** The relative path, which patterns match and which orders the sources. */
  const wayTo = (path: string): string =>
    path.startsWith(inside) ? slashed(path.slice(inside.length)) : slashed(relative(cwd, path)) || '.';
  /** For reports: relative inside the working directory, otherwise absolute. */
  const nameOf = (path: string): string => (path === cwd || path.startsWith(inside) ? wayTo(path) : slashed(path));
  const typed = await classifyAll(paths, cwd, nameOf);

  const areKnown = options.ignore.length === 0 && typed.every(({ is }) => is === 'file' || is === 'stdin');
  // Whether files that are named are regular is not known.
  const named = typed.flatMap((one) => (one.is === 'file' ? [[one.path, false] as const] : []));
  const { files, failures, unmatched, passedOver }: Searched = areKnown
    ? { files: new Map(named), failures: [], unmatched: [], passedOver: new Map() }
    : await (await import('./walk-folders.ts')).searchAll(typed, options.ignore, {
        cwd,
        nameOf,
        wayTo,
        readFolder: options.readFolder,
        holdsPayload: options.holdsPayload,
        schemas: typed.some(({ is }) => is === 'folder') ? new Set(await options.schemas?.()) : undefined,
      });

  const sources: Source[] = [];
  const { framing, stdinName } = options;
  for (const [path, regular] of files) {
    const name = nameOf(path);
    sources.push({ name, path, regular, framing: framing ?? framingOfName(name), kind: null });
  }
  if (typed.some((one) => one.is === 'stdin'))
    sources.push({ name: stdinName ?? '<stdin>', path: null, regular: false, framing, kind: null });
  sortByBytes(sources, ({ path, name }) => (path === null || path.startsWith(inside) ? name : wayTo(path)));
  return {
    sources,
    failures: once(failures),
    unmatched: once(unmatched),
    passedOver,
    searched: typed.flatMap((one) => (one.is === 'folder' || one.is === 'glob' ? [one.path] : [])),
  };
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
    throw new UsageError('patterns with ! only leave files out; give a file, a folder or a pattern to read as well');
  }
  return typed;
}

/** Decides what one PATH is. An existing path is never read as a glob, not even one with `!`. */
async function classify(path: string, cwd: string, nameOf: (path: string) => string): Promise<Typed> {
  if (path === '-') return { is: 'stdin' };
  // Resolved, it would be the working directory: `paylint validate "$UNSET"` must not read everything.
  if (path === '') throw new UsageError('a PATH is empty');
  const absolute = resolve(cwd, path);
  const failed = (message: string, file = nameOf(absolute)): Typed => ({ is: 'failure', failure: { file, message } });
  try {
    lstatSync(absolute);
  } catch (error) {
    if (path.startsWith('!') && path !== '!' && path[1] !== '(') {
      return { is: 'minus', pattern: slashed(path.slice(1)) };
    }
    if (/^https?:\/\//i.test(path))
      return failed('nothing is read from a network; use curl -sSf URL | paylint validate', path);
    const { folderOfGlob } = await import('./walk-folders.ts');
    const folder = await folderOfGlob(slashed(path));
    if (folder !== null) return { is: 'glob', pattern: slashed(path), path: resolve(cwd, folder) };
    return failed(wordsFor(error));
  }
  try {
    return { is: statSync(absolute).isDirectory() ? 'folder' : 'file', path: absolute };
  } catch (error) {
    return failed(codeOf(error) === 'ENOENT' ? 'broken symbolic link' : wordsFor(error));
  }
}

/** Sorts by the UTF-8 bytes of `keyOf`, like `LC_ALL=C sort`: strings would have astral characters before U+E000. */
function sortByBytes(sources: Source[], keyOf: (source: Source) => string): void {
  if (sources.length < 2) return;
  // Most names are in `sources` already, and there may be many: only the others are stored.
  const others = new Map<Source, string>();
  let isPlain = true;
  for (const source of sources) {
    const key = keyOf(source);
    if (key !== source.name) others.set(source, key);
    isPlain &&= !/[\ud800-\udfff]/.test(key);
  }
  const known = (source: Source): string => others.get(source) ?? source.name;
  sources.sort((one, other) => {
    const [a, b] = [known(one), known(other)];
    // UTF-16 code units have the order of UTF-8 bytes, except for surrogates.
    if (!isPlain) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return a < b ? -1 : a > b ? 1 : 0;
  });
}

function once(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((one) => [`${one.file}\n${one.message}`, one])).values()];
}
