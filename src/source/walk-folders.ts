/**
 * PATHs other than plain files to the files they name: folders are walked here, globs are searched by fast-glob over
 * a file system made here, and `--ignore` and `!` patterns are applied. Loaded only if there is something to search
 * or to leave out.
 *
 * That file system keeps the promises: a symbolic link to a file is a file, and one to a folder is not entered; a
 * broken link with a matching name is a failure; an unreadable folder is one failure and the walk continues; folders
 * that are left out are not entered. At most four folders are open at a time.
 */
import { type Dirent, lstat, readdir, type Stats, stat } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { callbackify, promisify } from 'node:util';
import type { Options } from 'fast-glob';
import type { Failure } from '../json/vocabulary.ts';
import type { IgnoreTest } from './globs.ts';
import { slashed } from './path-text.ts';
import { codeOf, isNotUtf8, wordsFor } from './system-errors.ts';

/** What a search needs from its caller. Paths are absolute. */
export interface Scope {
  readonly cwd: string;
  readonly nameOf: (path: string) => string;
  readonly isLeftOut: IgnoreTest;
  /** Lists a folder; absent: the real one. */
  readonly readFolder?: ReadFolder | undefined;
  /** Called for each entry of a folder that may hold payloads but is not read: `*.zst file`, `linked folder`. */
  readonly passOver?: ((what: string) => void) | undefined;
  /** Absolute paths of schemas, which are not read as payloads; absent: none. */
  readonly schemas?: ReadonlySet<string> | undefined;
  /** Whether a file (its absolute path) in a folder holds payloads, whatever it is called; absent: not known. */
  readonly holdsPayload?: ((path: string) => boolean) | undefined;
  /** Absolute paths of files that are read anyway; absent: none. */
  readonly named?: ReadonlySet<string>;
}

export type ReadFolder = (folder: string) => Promise<readonly Dirent[]>;

interface FoundFile {
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
const ask = { lstat: promisify(lstat), stat: promisify(stat), readdir: promisify(readdir) };

export function readFolder(folder: string): Promise<readonly Dirent[]> {
  return ask.readdir(folder, { withFileTypes: true });
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
async function findInFolder(folder: string, scope: Scope): Promise<FoundFile> {
  const enters = (name: string): boolean => name !== 'node_modules' && !isHidden(name);
  const { files, failures, take, list } = search(scope, enters);
  const folders = [folder];
  for (let here = folders.pop(); here !== undefined; here = folders.pop()) {
    const prefix = here.endsWith(sep) ? here : here + sep;
    for (const entry of await list(here)) {
      const path = prefix + entry.name;
      if (entry.isDirectory()) folders.push(path);
      else if (!scope.isLeftOut(path, 'file')) {
        const isPayload = entry.isFile() && WANTED.test(entry.name);
        const what = isPayload ? otherJson(path, entry.name, scope) : passedOver(entry, enters);
        if (what !== null) scope.passOver?.(what);
        else if (isPayload) take(path);
      }
    }
  }
  return { files, failures };
}

/** What a file of JSON is that holds no payload; null: it may hold one. Their names decide, and what the run uses. */
function otherJson(path: string, name: string, { schemas, holdsPayload, named }: Scope): string | null {
  if (named?.has(path)) return null;
  if (schemas?.has(path)) return 'schema file';
  const isOther = name === 'package.json' || name === 'package-lock.json' || /^tsconfig.*\.json$/.test(name);
  if (!isOther || holdsPayload?.(path)) return null;
  return name.startsWith('tsconfig') ? 'tsconfig*.json file' : `${name} file`;
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

/** The files of a glob, dot files as well. `node_modules` and dot folders are searched only if the glob names them. */
export async function findByGlob(pattern: string, scope: Scope): Promise<FoundFile> {
  const isOther = (name: string): boolean => name !== 'node_modules' || pattern.includes('node_modules');
  const plain = (name: string): boolean => isOther(name) && !isHidden(name);
  const found = await find([pattern], scope, plain, { cwd: scope.cwd, dot: true });
  if (!/(?:^|[/{,(|])\.(?![./])/.test(pattern)) return found;
  const named = await find([pattern], scope, isOther, { cwd: scope.cwd });
  return { files: [...new Set([...found.files, ...named.files])], failures: [...found.failures, ...named.failures] };
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
  const take = (path: string): void => {
    const words = broken.get(path);
    if (words === undefined) files.push(path);
    else fail(path, words);
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
  return { files, failures, take, fail, list };
}

async function find(
  patterns: string[],
  scope: Scope,
  enters: (name: string) => boolean,
  options: Options & { readonly cwd: string },
): Promise<FoundFile> {
  const { default: fastGlob } = await import('fast-glob');
  const { files, failures, take, fail, list } = search(scope, enters);
  const statOf = async (path: string): Promise<Stats> => {
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

  const answerList = callbackify(list);
  const matched = await fastGlob(patterns, {
    ...options,
    followSymbolicLinks: false,
    concurrency: 4,
    fs: {
      // fast-glob always asks for entries with types, except with the option `stats`, which is not used here.
      readdir: (folder: string, _: unknown, done?: Parameters<typeof answerList>[1]) => answerList(folder, done!),
      lstat: callbackify(statOf),
    },
  });
  for (const match of matched) {
    const path = resolve(options.cwd, match);
    if (!scope.isLeftOut(path, 'file')) take(path);
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
 * Turns a link to a file into a file, and a broken one too, so that fast-glob matches its name. One to a folder stays a link,
 * which fast-glob neither enters nor lists; nor does it list a special file. A broken link `.#name` is a lock of Emacs.
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

/** The meaning of one PATH. Paths are absolute, patterns as typed. The path of a glob is that of its folder. */
export type Typed =
  | { readonly is: 'stdin' }
  | { readonly is: 'file'; readonly path: string }
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'glob'; readonly pattern: string; readonly path: string }
  | { readonly is: 'minus'; readonly pattern: string }
  | { readonly is: 'failure'; readonly failure: Failure };

export interface Searched {
  /** Absolute paths, and whether each is known to be a regular file. */
  readonly files: ReadonlyMap<string, boolean>;
  readonly failures: readonly Failure[];
  /** Patterns and folders without files. */
  readonly unmatched: readonly Failure[];
  /** How many entries of folders may hold payloads but are not read, by what they are: `*.zst file`. */
  readonly passedOver: ReadonlyMap<string, number>;
}

/** `wayTo`: the relative path from `cwd`, which patterns match. */
type World = Omit<Scope, 'isLeftOut'> & { readonly wayTo: (path: string) => string };

/** Searches for everything in `typed`, without what `ignore` and `!` patterns leave out. */
export async function searchAll(typed: readonly Typed[], ignore: readonly string[], world: World): Promise<Searched> {
  const isLeftOut = await leftOutTest(typed, ignore, world);
  const files = new Map<string, boolean>();
  const failures: Failure[] = [];
  const unmatched: Failure[] = [];
  const passedOver = new Map<string, number>();
  const named = new Set(typed.flatMap((one) => (one.is === 'file' ? [one.path] : [])));
  const passOver = (what: string): void => {
    passedOver.set(what, (passedOver.get(what) ?? 0) + 1);
  };
  for (const one of typed) {
    if (one.is === 'failure') failures.push(one.failure);
    else if (one.is === 'file' && !isLeftOut(one.path, 'file')) files.set(one.path, false);
    else if (one.is === 'folder' || one.is === 'glob') {
      const found = await searchOne(one, { ...world, isLeftOut, passOver, named });
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
  const { compileAnchoredGlob, ignoreTest } = await import('./globs.ts');
  const ignores = ignoreTest(ignore, cwd);
  const globs = typed.flatMap((one) =>
    one.is === 'minus' ? [{ isPath: isAbsolute(one.pattern), matches: compileAnchoredGlob(one.pattern) }] : [],
  );
  return (path, is) => {
    const name = nameOf(path);
    if (name === '.') return false;
    return ignores(path, is) || globs.some(({ isPath, matches }) => matches(isPath ? slashed(path) : name));
  };
}

/** The files in a folder or of a glob. Finding none is a fault only if no failure explains it and nothing was left out. */
async function searchOne(
  typed: Extract<Typed, { is: 'folder' | 'glob' }>,
  scope: Scope,
): Promise<FoundFile & { readonly nothing: Failure | null }> {
  const find = (within: Scope): Promise<FoundFile> =>
    typed.is === 'folder' ? findInFolder(typed.path, within) : findByGlob(typed.pattern, within);
  if (typed.is === 'folder' && scope.isLeftOut(typed.path, 'folder')) return { files: [], failures: [], nothing: null };
  const found = await find(scope);
  if (found.files.length > 0) return { ...found, nothing: null };

  const whole = await find({ ...scope, isLeftOut: () => false, passOver: undefined });
  if (whole.files.length > 0 || whole.failures.length > 0) return { ...found, nothing: null };
  const nothing: Failure =
    typed.is === 'folder'
      ? { file: scope.nameOf(typed.path), message: 'no *.json, *.ndjson or *.jsonl file in this folder' }
      : { file: typed.pattern, message: `no file matches this pattern${quotedByGit(typed.pattern)}` };
  return { ...found, nothing };
}

/** Git writes unusual names as `"caf\303\251.json"`, unless it is told to end names with NULs. */
function quotedByGit(pattern: string): string {
  const isQuoted = /^"(?=.*\\)(?:[^"\\]|\\.)*"$/s.test(pattern) || /\\[0-3][0-7]{2}/.test(pattern);
  return isQuoted
    ? '; git writes names like this: its flag -z keeps them as they are, and --files-from reads that'
    : '';
}
