/**
 * Folders and globs to the files in them: folders are walked here, globs by fast-glob over a file system made here.
 *
 * That file system keeps the promises: a symbolic link to a file is a file, and one to a folder is not entered; a
 * broken link with a matching name is a failure; an unreadable folder is one failure and the walk continues; folders
 * that are left out are not entered. At most four folders are open at a time.
 */
import { type Dirent, lstat, readdir, type Stats, stat } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Options } from 'fast-glob';
import type { Failure } from '../types.ts';
import type { IgnoreTest } from './ignore.ts';
import { codeOf, isNotUtf8, wordsFor } from './system-errors.ts';

/** What a search needs from its caller. Paths are absolute. */
export interface Scope {
  readonly cwd: string;
  readonly nameOf: (path: string) => string;
  readonly isLeftOut: IgnoreTest;
  /** Absent: the real one. */
  readonly readFolder?: ReadFolder | undefined;
  /** Called for each entry of a folder that may hold payloads but is not read: `*.zst file`, `linked folder`. */
  readonly passOver?: ((what: string) => void) | undefined;
}

export type ReadFolder = (folder: string) => Promise<readonly Dirent[]>;

export interface Found {
  /** Absolute paths, in no order. */
  readonly files: readonly string[];
  readonly failures: readonly Failure[];
}

/** The names of files that a folder is searched for. */
export const ENDINGS = ['json', 'ndjson', 'jsonl'];
const WANTED = new RegExp(`\\.(?:${ENDINGS.join('|')})(?:\\.gz)?$`, 'i');

/** The extensions of files that may hold payloads but are not read: other names of JSON, and packed files. */
const UNWANTED =
  /\.(jsonld|geojson|json5|jsonc|ldjson|json-?seq|jsons|zst|bz2|xz|lz4|br|zip|7z|tar|tgz|tar\.gz|parquet|avro)$/i;

/** Not `fs.promises`: with --permission, its errors end the process in some versions of Node. */
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

/** The folder of a glob, before its first wildcard; null: fast-glob regards this as a plain path. */
export async function folderOfGlob(path: string): Promise<string | null> {
  const { default: fastGlob } = await import('fast-glob');
  if (path === '' || !fastGlob.isDynamicPattern(path)) return null;
  return fastGlob.generateTasks(path)[0]?.base ?? '.';
}

/**
 * The JSON and NDJSON files below a folder, without `node_modules` and dot folders. Never throws for a file. It does
 * not use fast-glob: to load it takes a fifth of a run over a small folder.
 */
export async function findInFolder(folder: string, scope: Scope): Promise<Found> {
  const enters = (name: string): boolean => name !== 'node_modules' && !isHidden(name);
  const { files, failures, broken, fail, list } = search(scope, enters);
  const folders = [folder];
  for (let here = folders.pop(); here !== undefined; here = folders.pop()) {
    const prefix = here.endsWith(sep) ? here : here + sep;
    for (const entry of await list(here)) {
      const path = prefix + entry.name;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && WANTED.test(entry.name) && !scope.isLeftOut(path, 'file')) {
        const words = broken.get(path);
        if (words === undefined) files.push(path);
        else fail(path, words);
      } else if (!scope.isLeftOut(path, 'file')) {
        const what = passedOver(entry, enters);
        if (what !== null) scope.passOver?.(what);
      }
    }
  }
  return { files, failures };
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

/**
 * The kind of an entry that may hold payloads but is not read; null: another entry. A link here leads to a folder or is
 * a lock of Emacs. A special file is a FIFO, a socket or a device.
 */
function passedOver(entry: Dirent, enters: (name: string) => boolean): string | null {
  if (entry.isSymbolicLink()) return enters(entry.name) ? 'linked folder' : null;
  if (!entry.isFile()) return WANTED.test(entry.name) ? 'special file' : null;
  const extension = UNWANTED.exec(entry.name)?.[1];
  return extension === undefined ? null : `*.${extension.toLowerCase()} file`;
}

/**
 * The files that a glob matches, whatever their names: dot files as well, as in folders. `node_modules` and dot folders
 * are searched only if the glob names them.
 */
export async function findByGlob(pattern: string, scope: Scope): Promise<Found> {
  const isOther = (name: string): boolean => name !== 'node_modules' || pattern.includes('node_modules');
  const plain = (name: string): boolean => isOther(name) && !isHidden(name);
  const found = await find([pattern], scope, plain, { cwd: scope.cwd, dot: true });
  if (!/(?:^|[/{,(|])\.(?![./])/.test(pattern)) return found;
  const named = await find([pattern], scope, isOther, { cwd: scope.cwd });
  return {
    files: [...new Set([...found.files, ...named.files])],
    failures: [...found.failures, ...named.failures],
  };
}

/** The parts that both kinds of search share: the results, and how a folder is listed. */
function search(scope: Scope, enters: (name: string) => boolean) {
  const files: string[] = [];
  const failures: Failure[] = [];
  /** Broken links and their messages, by path: failures only if their names match. */
  const broken = new Map<string, string>();
  const fail = (path: string, message: string): void => {
    failures.push({ file: scope.nameOf(path), message });
  };
  const list = async (folder: string): Promise<Dirent[]> => {
    const listed: Dirent[] = [];
    for (const entry of await readOrFail(folder, scope.readFolder ?? readFolder, fail)) {
      if (entry.isDirectory()) {
        if (enters(entry.name) && !scope.isLeftOut(join(folder, entry.name), 'folder')) listed.push(entry);
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
      if (!scope.isLeftOut(path, 'file')) fail(path, wordsForLink(error));
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
    if (scope.isLeftOut(path, 'file')) continue;
    const words = broken.get(path);
    if (words === undefined) files.push(path);
    else fail(path, words);
  }
  return { files, failures };
}

/** A missing folder is empty: it may have been removed since it was listed, or be one that a glob only tries. */
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
 * Turns a link to a file into a file, and a broken one too, so that fast-glob matches its name. One to a folder stays a
 * link, which fast-glob neither enters nor lists; nor does it list a special file. A broken link `.#name` is a lock of
 * Emacs.
 */
async function followToFile(path: string, entry: Dirent, broken: Map<string, string>): Promise<Dirent> {
  try {
    const target = await ask.stat(path);
    return target.isDirectory() ? entry : asFile(entry, target.isFile());
  } catch (error) {
    if (entry.name.startsWith('.#')) return entry;
    broken.set(resolve(path), wordsForLink(error));
    return asFile(entry, true);
  }
}

/** What `link` leads to: a regular file, or a special one. */
function asFile(link: Dirent, isRegular: boolean): Dirent {
  const file: Dirent = Object.create(link);
  file.isFile = () => isRegular;
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
    // Like any callback of Node, fast-glob ignores the value if there is an error.
    ask(path).then(
      (value) => done(null, value),
      (error: NodeJS.ErrnoException) => done(error, undefined as T),
    );
  };
}

/** fast-glob always asks for entries with types, except with the option `stats`, which is not used here. */
function fastGlobReaddir(list: (folder: string) => Promise<Dirent[]>): NonNullable<FileSystem['readdir']> {
  const answer = withCallback(list);
  return (folder: string, _options: unknown, done?: Callback<Dirent[]>) => answer(folder, done!);
}
