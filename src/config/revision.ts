/**
 * Files of a revision of git, named `REV:PATH` as git names them. They are read by `git cat-file` as they are stored: no filter
 * runs, and nothing is fetched. A repository is not trusted: names go to the input of git, not to its command line.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, parse, posix, relative, resolve, sep } from 'node:path';
import { UsageError, unlessFailed } from '../errors.ts';
import { nodeModule } from '../json/on-demand.ts';
import { AUTHORED_BYTES, GIT_MS } from '../limits.ts';
import type { Io } from '../source/io.ts';
import { isOutside, slashed } from '../source/path-text.ts';
import { visible } from '../words/escape.ts';

export interface RevisionFile {
  /** Where it would be in the working tree: absolute, with its fragment. */
  readonly path: string;
  readonly files: RevisionFiles;
}

/** Null: `text` does not have the form `REV:PATH`. Throws UsageError, with the end of a sentence after `text`. */
export function openRevision(text: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): RevisionFile | null {
  // At the first colon that is not in braces, as in `HEAD^{/fix: typo}:a.json`.
  const colon = /^(?:[^:{]|\{[^}]*\}?)*:/.exec(text)?.[0].length ?? 0;
  if (colon === 0) return null;
  const revision = text.slice(0, colon - 1);
  const name = text.slice(colon);
  if (/[\n\0]/.test(text)) throw new UsageError('git names have no line breaks');
  const git = new Git(cwd, env);
  const top = git.line('rev-parse', '--show-toplevel');
  const isRelative = /^\.\.?\//.test(name);
  const path = isRelative ? resolve(cwd, name) : join(top, name);
  const files = new RevisionFiles(git, top, git.tree(revision));
  // The part after `#` is a fragment, unless a file is called so.
  const ends = [path.length, ...[...path.matchAll(/#/g)].map(({ index }) => index)];
  if (!ends.some((end) => files.has(path.slice(0, end)))) {
    const where = revision === '' ? 'the index' : `the revision ${visible(revision)}`;
    throw new UsageError(`${where} has no file ${visible(slashed(relative(top, path)))}`);
  }
  return { path, files };
}

/** By absolute path: the files of the revision, each read when it is first asked for. */
class RevisionFiles extends Map<string, Uint8Array> {
  readonly #git: Git;
  readonly #top: string;
  readonly #tree: string;
  readonly #missing = new Set<string>();
  #names: readonly string[] | null = null;

  /** `tree`: what git puts before the colon; empty for the index. */
  constructor(git: Git, top: string, tree: string) {
    super();
    this.#git = git;
    this.#top = top;
    this.#tree = tree;
  }

  /** Absolute paths of the JSON files below a folder, without `node_modules` and dot folders. */
  below(folder: string): readonly string[] {
    const isWanted = (path: string): boolean => {
      const way = relative(folder, path);
      const folders = way.split(sep).slice(0, -1);
      const isLeftOut = folders.some((name) => name === 'node_modules' || name.startsWith('.'));
      return /\.json$/i.test(path) && !isOutside(way) && !isLeftOut;
    };
    this.#names ??= this.#git.names(this.#tree).map((name) => join(this.#top, name));
    return this.#names.filter(isWanted).sort();
  }

  override has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  override get(path: string): Uint8Array | undefined {
    const known = super.get(path);
    if (known !== undefined || this.#missing.has(path)) return known;
    const way = relative(this.#top, path);
    const isInside = way !== '' && !isOutside(way) && !/[\n\0]/.test(way);
    const bytes = isInside ? this.#git.blob(this.#tree, slashed(way)) : null;
    if (bytes === null) this.#missing.add(path);
    else this.set(path, bytes);
    return bytes ?? undefined;
  }
}

/** Runs git without prompts and without the network. */
class Git {
  readonly #program: string;
  readonly #cwd: string;
  readonly #env: Io['env'];
  #flags: readonly string[];
  #links: Map<string, string> | null = null;

  /** Throws UsageError if there is no git, or it might fetch objects. */
  constructor(cwd: string, env: Io['env']) {
    this.#program = programIn(cwd, env);
    this.#cwd = cwd;
    this.#env = {
      ...env,
      ...{ LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
      ...{ GIT_PAGER: 'cat', GIT_EDITOR: ':', GIT_ASKPASS: '', GIT_SSH_COMMAND: 'false', GIT_EXTERNAL_DIFF: '' },
    };
    this.#flags = SAFE;
    // Older versions of git do not know the flag, and would run what the repository names to fetch what is missing.
    if (this.#run(['--no-lazy-fetch', 'version']).status === 0) this.#flags = ['--no-lazy-fetch', ...SAFE];
    else if (this.#run(['config', '--get-regexp', PARTIAL]).status === 0)
      throw new UsageError('this is a partial clone, and this version of git would fetch what is missing in it');
  }

  line(...args: readonly string[]): string {
    return this.#output(args)
      .toString()
      .replace(/\r?\n$/, '');
  }

  /** The name of the tree of a revision; that of the index is empty. Throws UsageError. */
  tree(revision: string): string {
    if (revision === '') return '';
    const [id, type] = this.#ask('--batch-check', `${revision}^{tree}`).toString().split(/[ \n]/);
    if (type !== 'tree' || id === undefined) throw new UsageError(`git knows no revision ${visible(revision)}`);
    return id;
  }

  /** The names of all files of a tree, from the top; an empty name: of the index. Throws UsageError. */
  names(tree: string): readonly string[] {
    const command = tree === '' ? ['ls-files', '--full-name', '-z', ':/'] : ['ls-tree', ...WHOLE, tree];
    return this.line(...command)
      .split('\0')
      .filter((name) => name !== '');
  }

  /** Symbolic links are followed as far as they stay in the tree. Null: there is none. Throws UsageError if it is too large. */
  blob(tree: string, path: string): Buffer | null {
    // Git does not follow those of the index.
    const name = `${tree}:${tree === '' ? this.#followed(path) : path}`;
    const answerToCheck = this.#ask('--batch-check', name).toString();
    const [how = ''] = /^(?:symlink|dangling|loop)(?= \d+\n)/.exec(answerToCheck) ?? [];
    if (how !== '') throw new UsageError(`${visible(path)} ${LINKS[how]!}`);
    const head = /^\w+ blob (\d+)\n$/.exec(answerToCheck);
    if (head === null) return null;
    const size = Number(head[1]);
    if (size > AUTHORED_BYTES) throw new UsageError(`${visible(name)} is larger than ${AUTHORED_BYTES >> 20} MiB`);
    const answer = this.#ask('--batch', name);
    const start = answer.indexOf('\n') + 1;
    return answer.subarray(start, start + size);
  }

  #ask(how: '--batch' | '--batch-check', name: string): Buffer {
    const follow = name.startsWith(':') ? [] : ['--follow-symlinks'];
    return this.#output(['cat-file', how, ...follow], `${name}\n`);
  }

  /** Where a path of the index leads, if links are followed. Throws UsageError if that is not in the index. */
  #followed(path: string): string {
    this.#links ??= this.#linksOfIndex();
    let at = path;
    for (let hops = 0; hops < MOST_LINKS; hops++) {
      const link = [...ancestorsOf(at)].find((one) => this.#links!.has(one)); // filled above
      if (link === undefined) return at;
      const target = this.#output(['cat-file', 'blob', this.#links.get(link)!]).toString(); // it has it
      const next = posix.join(posix.dirname(link), target, at.slice(link.length));
      if (posix.isAbsolute(target) || next === '..' || next.startsWith('../'))
        throw new UsageError(`${visible(path)} ${LINKS.symlink}`);
      at = next;
    }
    throw new UsageError(`${visible(path)} ${LINKS.loop}`);
  }

  /** The symbolic links of the index, by path: the names of their blobs. */
  #linksOfIndex(): Map<string, string> {
    const entries = this.line('ls-files', '--stage', '--full-name', '-z', ':/').split('\0');
    return new Map(
      entries.flatMap((entry) => {
        const [, blob, path] = /^120000 (\w+) \d\t(.*)$/s.exec(entry) ?? [];
        return blob === undefined || path === undefined ? [] : [[path, blob] as const];
      }),
    );
  }

  /** What a command prints. Throws UsageError with the reason of git. */
  #output(args: readonly string[], input = ''): Buffer {
    const { status, stdout, stderr } = this.#run(args, input);
    if (status === 0) return stdout;
    const [reason = ''] = stderr.toString().trim().split('\n');
    throw new UsageError(`git cannot read it: ${visible(reason.replace(/^(?:fatal|error): /, ''))}`);
  }

  #run(args: readonly string[], input = '') {
    const { error, ...result } = nodeModule('node:child_process').spawnSync(this.#program, [...this.#flags, ...args], {
      cwd: this.#cwd,
      env: this.#env,
      input,
      timeout: GIT_MS,
      maxBuffer: 2 * AUTHORED_BYTES,
      windowsHide: true,
    });
    if (error !== undefined) throw new UsageError(`git cannot be run: ${error.message}`, { cause: error });
    return result;
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** What git says of a link that it cannot follow. */
const LINKS: Readonly<Record<string, string>> = {
  symlink: 'is a symbolic link that leads out of the repository',
  dangling: 'is a symbolic link to nothing in the revision',
  loop: 'is a symbolic link that leads to itself',
};

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function* ancestorsOf(path: string): Generator<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at);
  yield path;
}

const WHOLE = ['--full-tree', '-r', '-z', '--name-only'];

/** What a partial clone has in its config. */
const PARTIAL = '^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$';

/**
 * Keys of a repository's config that name a program, or lead to one, each with a value that runs none. Those that need a
 * name in the middle (`filter.NAME.smudge`, `diff.NAME.textconv`) are asked by commands only that are not run here.
 */
const NO_PROGRAMS = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': ':',
  'core.askPass': '',
  'core.sshCommand': 'false',
  'core.gitProxy': 'none',
  'core.alternateRefsCommand': ':',
  'credential.helper': '',
  'diff.external': '',
  'gpg.program': 'false',
  'interactive.diffFilter': 'cat',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'sequence.editor': ':',
  'uploadpack.packObjectsHook': '',
} as const;

const SAFE: readonly string[] = [
  '--no-pager',
  ...Object.entries(NO_PROGRAMS).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
];

/** Git in an absolute folder of PATH that is not the repository's, with links followed. Throws UsageError. */
function programIn(cwd: string, { PATH = '', HOME, USERPROFILE }: Io['env']): string {
  const name = delimiter === ';' ? 'git.exe' : 'git';
  const top = topOf(realOf(cwd) ?? cwd);
  // All that is installed may be in there.
  const isWhole = top === parse(top).root || [HOME, USERPROFILE].some((home) => home && realOf(home) === top);
  const isTrusted = (path: string): boolean => (isWhole ? !isWritable(dirname(path)) : isOutside(relative(top, path)));
  for (const folder of PATH.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = join(folder, name);
    const real = realOf(program);
    if (real === null || !isTrusted(real) || !isTrusted(join(realOf(folder)!, name))) continue;
    try {
      accessSync(program, constants.X_OK);
      return program;
    } catch {
      // The next folder.
    }
  }
  throw new UsageError('git is not found in PATH');
}

/** The folder of the repository that a folder is in; without one, the folder itself. Real paths. */
function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** With links followed; null: there is nothing. */
function realOf(path: string): string | null {
  return unlessFailed(() => realpathSync(path));
}

/** Whether other users may write into a folder. Windows does not say it in this way. */
function isWritable(folder: string): boolean {
  return delimiter !== ';' && (statSync(folder).mode & 0o022) !== 0;
}
