/**
 * Folders and globs -> the files in them: folders walked here, globs with fast-glob over a file system of our own making.
 *
 * That file system is where the promises are kept: a symbolic link to a file is a file and one to a folder is
 * not entered; a broken link that was looked for is a failure, not a silence; an unreadable folder is one
 * failure and the walk goes on; what is left out is never entered. At most four folders are open at a time.
 */
import { type Dirent, lstat, readdir, type Stats, stat } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Options } from 'fast-glob';
import type { Failure } from '../types.ts';
import { codeOf, isNotUtf8, wordsFor } from './system-errors.ts';

/** What a search must know of the world around it. Paths are absolute. */
export interface Scope {
  readonly cwd: string;
  readonly nameOf: (path: string) => string;
  readonly isLeftOut: (path: string) => boolean;
  /** Absent: the real one. */
  readonly readFolder?: ReadFolder | undefined;
}

export type ReadFolder = (folder: string) => Promise<readonly Dirent[]>;

export interface Found {
  /** Absolute paths, in no order. */
  readonly files: readonly string[];
  readonly failures: readonly Failure[];
}

/** What a folder is searched for. */
const WANTED = /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i;

/** Not those of `fs.promises`: where Node runs with --permission, some of its versions let them end the process. */
const ask = {
  lstat: (path: string) => answer<Stats>((done) => lstat(path, done)),
  stat: (path: string) => answer<Stats>((done) => stat(path, done)),
  list: (folder: string) => answer<Dirent[]>((done) => readdir(folder, { withFileTypes: true }, done)),
};

function answer<T>(call: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

export function readFolder(folder: string): Promise<readonly Dirent[]> {
  return ask.list(folder);
}

/** Whether fast-glob would read this as more than a plain path. */
export async function isGlob(path: string): Promise<boolean> {
  const { default: fastGlob } = await import('fast-glob');
  return path !== '' && fastGlob.isDynamicPattern(path);
}

/**
 * The JSON and NDJSON files below a folder, leaving out `node_modules` and dot folders. Never throws for a file. Walked here: for
 * many small files a matcher of patterns would take as long as the checks.
 */
export async function findInFolder(folder: string, scope: Scope): Promise<Found> {
  const enters = (name: string): boolean => name !== 'node_modules' && !name.startsWith('.');
  const { files, failures, broken, fail, list } = search(scope, enters);
  const folders = [folder];
  for (let here = folders.pop(); here !== undefined; here = folders.pop()) {
    const prefix = here.endsWith(sep) ? here : here + sep;
    for (const entry of await list(here)) {
      const path = prefix + entry.name;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && WANTED.test(entry.name) && !scope.isLeftOut(path)) {
        const words = broken.get(path);
        if (words === undefined) files.push(path);
        else fail(path, words);
      }
    }
  }
  return { files, failures };
}

/** The files that a glob matches, whatever they are called. `node_modules` is entered only where the glob names it. */
export function findByGlob(pattern: string, scope: Scope): Promise<Found> {
  const enters = (name: string): boolean => name !== 'node_modules' || pattern.includes('node_modules');
  return find([pattern], scope, enters, { cwd: scope.cwd });
}

/** What both ways of searching share: where results go, and how a folder is listed. */
function search(scope: Scope, enters: (name: string) => boolean) {
  const files: string[] = [];
  const failures: Failure[] = [];
  /** Broken links by path, with the words for each: failures only where their names are what was looked for. */
  const broken = new Map<string, string>();
  const fail = (path: string, message: string): void => {
    failures.push({ file: scope.nameOf(path), message });
  };
  const list = async (folder: string): Promise<Dirent[]> => {
    const listed: Dirent[] = [];
    for (const entry of await readOrFail(folder, scope.readFolder ?? readFolder, fail)) {
      if (entry.isDirectory()) {
        if (enters(entry.name) && !scope.isLeftOut(join(folder, entry.name))) listed.push(entry);
      } else if (entry.isSymbolicLink()) {
        listed.push(await followToFile(join(folder, entry.name), entry, broken));
      } else listed.push(entry);
    }
    return listed;
  };
  return { files, failures, broken, fail, list };
}

async function find(
  patterns: string[],
  scope: Scope,
  enters: (name: string) => boolean,
  options: Options & { readonly cwd: string },
): Promise<Found> {
  const { default: fastGlob } = await import('fast-glob');
  const { files, failures, broken, fail, list } = search(scope, enters);
  const look = async (path: string): Promise<Stats> => {
    const link = await ask.lstat(path);
    if (!link.isSymbolicLink()) return link;
    try {
      const target = await ask.stat(path);
      return target.isFile() ? target : link;
    } catch (error) {
      if (!scope.isLeftOut(path)) fail(path, wordsForLink(error));
      return link;
    }
  };

  const matched = await fastGlob(patterns, {
    ...options,
    followSymbolicLinks: false,
    concurrency: 4,
    fs: { readdir: fastGlobReaddir(list), lstat: withCallback(look) },
  });
  for (const match of matched) {
    const path = resolve(options.cwd, match);
    if (scope.isLeftOut(path)) continue;
    const words = broken.get(path);
    if (words === undefined) files.push(path);
    else fail(path, words);
  }
  return { files, failures };
}

/** An absent folder is empty: it may be gone since it was listed, or be a glob's guess. */
async function readOrFail(
  folder: string,
  read: ReadFolder,
  fail: (path: string, message: string) => void,
): Promise<readonly Dirent[]> {
  try {
    return await read(folder);
  } catch (error) {
    const code = codeOf(error);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || isNotUtf8(error))
      fail(resolve(folder), `cannot list this folder: ${wordsFor(error)}`);
    return [];
  }
}

/**
 * A link to a file becomes a file, and so does a broken one, so that fast-glob matches its name; any other
 * stays a link, which fast-glob neither enters nor takes. Emacs locks a file with a broken link `.#name`.
 */
async function followToFile(path: string, entry: Dirent, broken: Map<string, string>): Promise<Dirent> {
  try {
    return (await ask.stat(path)).isFile() ? asFile(entry) : entry;
  } catch (error) {
    if (entry.name.startsWith('.#')) return entry;
    broken.set(resolve(path), wordsForLink(error));
    return asFile(entry);
  }
}

function asFile(link: Dirent): Dirent {
  const file: Dirent = Object.create(link);
  file.isFile = () => true;
  file.isSymbolicLink = () => false;
  return file;
}

function wordsForLink(error: unknown): string {
  return codeOf(error) === 'ENOENT' && !isNotUtf8(error) ? 'broken symbolic link' : wordsFor(error);
}

type Callback<T> = (error: NodeJS.ErrnoException | null, value: T) => void;
type FileSystem = NonNullable<Options['fs']>;

function withCallback<T>(ask: (path: string) => Promise<T>): (path: string, done: Callback<T>) => void {
  return (path, done) => {
    // fast-glob looks at the value only where the error is null, as all callbacks of Node do.
    ask(path).then(
      (value) => done(null, value),
      (error: NodeJS.ErrnoException) => done(error, undefined as T),
    );
  };
}

/** fast-glob asks for entries with their types always, unless it is told to gather stats; here it is not. */
function fastGlobReaddir(list: (folder: string) => Promise<Dirent[]>): NonNullable<FileSystem['readdir']> {
  const answer = withCallback(list);
  return (folder: string, _options: unknown, done?: Callback<Dirent[]>) => answer(folder, done!);
}
