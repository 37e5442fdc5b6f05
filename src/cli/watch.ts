/**
 * `--watch`: the plain run again after each change of what it reads, until `q`, a signal or the end of standard input.
 * Folders are watched, which see every change of their entries; they are walked anew before each run.
 */
import { existsSync, type FSWatcher, readdirSync, readlinkSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CONFIG_NAME } from '../config/config-search.ts';
import type { CheckFlags } from '../config/flags.ts';
import { endingFor, Interrupted, SchemaError, UsageError, unlessFailed } from '../errors.ts';
import { bundledSchema } from '../package.ts';
import { type Io, ioWith, printMessages } from '../source/io.ts';
import { beforeWildcard, shownPath, slashed } from '../source/path-text.ts';
import { isFolder } from '../source/read-file.ts';
import { plural } from '../words/number-text.ts';

/** Milliseconds without a change before the next run. */
const SETTLING = 100;

const FAILURE = 'this run failed (exit code 2) and the next change starts another';

/** `watched`: is told what it reads and writes as soon as that is known; `io`: the world in which `q` interrupts the run. */
type Run = (watched: Watched, io: Io) => Promise<number>;

/** Resolves to the exit code of the last whole run. Throws Interrupted if the first one is interrupted. */
export async function watch(run: Run, paths: readonly string[], flags: CheckFlags, world: Io): Promise<number> {
  const typed = new AbortController();
  const interrupt = AbortSignal.any([world.interrupt, typed.signal]);
  const io = ioWith(world, { interrupt: { value: interrupt, enumerable: true } });
  refuse(paths, flags);
  const sources = paths.filter((path) => !path.startsWith('!')).map((path) => withoutGlob(resolve(io.cwd, path)));
  const { config, schema, baseline, filesFrom, ref = [] } = flags;
  const others = [CONFIG_NAME, config, schema, baseline, filesFrom, ...ref.map((text) => text.replace(/^.*=/s, ''))];
  const given = others.filter((path) => typeof path === 'string').map((path) => resolve(io.cwd, path));
  const watched = new Watched([...sources, ...given]);
  let code: number | null = null;
  try {
    const end = new Promise<'end'>((done) => onEnd(io, typed, () => done('end')));
    do {
      watched.renew();
      code = await oneRun(run, watched, code, io);
      // What was read elsewhere is watched, too.
      watched.renew();
    } while ((await Promise.race([end, watched.changed()])) !== 'end');
    return code;
  } finally {
    watched.close();
    io.stdin.destroy();
  }
}

/** `before`: of the run before; null: none. After the first, a config or schema that cannot be used is reported. */
async function oneRun(run: Run, watched: Watched, before: number | null, io: Io): Promise<number> {
  const isTerminal = io.stdout.isTTY === true;
  if (isTerminal) io.stdout.write('\x1b[2J\x1b[3J\x1b[H');
  const status = (words: string): void => {
    const time = new Date().toTimeString().slice(0, 8);
    if (isTerminal) io.stderr.write(`paylint: ${words}, last change at ${time}; q ends\n`);
  };
  try {
    const next = await run(watched, io);
    const files = plural(watched.sources, 'file');
    status(next === 2 ? `${files}, ${FAILURE}` : files);
    return next;
  } catch (error) {
    if (error instanceof SchemaError) watched.read(error.missing);
    if (before === null) throw error;
    if (error instanceof Interrupted) return before;
    const ending = endingFor(error, null, (path) => shownPath(path, io.cwd));
    if (ending === null || ending.messages.length === 0) throw error;
    printMessages(ending.messages, io);
    status(FAILURE);
    return ending.code;
  }
}

function refuse(paths: readonly string[], { shard, filesFrom }: CheckFlags): void {
  if (paths.includes('-') || filesFrom === '-')
    throw new UsageError('--watch watches files, and standard input is none; leave out -');
  if (shard !== undefined)
    throw new UsageError('--watch and --shard do not go together: a shard changes with the files');
}

/** The path itself, or, of a glob, the folder before its first special character. */
function withoutGlob(path: string): string {
  return existsSync(path) ? path : resolve(beforeWildcard(slashed(path)));
}

/** Standard input ends, after which the run goes on; or someone types `q`, or a signal comes, which interrupt it. */
function onEnd({ stdin, interrupt }: Io, typed: AbortController, end: () => void): void {
  if (interrupt.aborted) end();
  interrupt.addEventListener('abort', end);
  if (stdin.isTTY === true) (stdin as { setRawMode?(raw: boolean): void }).setRawMode?.(true); // as a terminal's stream
  stdin.on('data', (text: Buffer | string) => {
    // In raw mode, Ctrl-C and Ctrl-D are letters.
    if (stdin.isTTY === true && /[q\x03\x04]/i.test(String(text))) typed.abort('SIGINT');
  });
  for (const event of ['end', 'close', 'error']) stdin.on(event, end);
}

/** The folders of what runs read, and whether something in them has changed. All paths are absolute. */
export class Watched {
  /** Files and folders, with all that is in these; some may be missing. */
  readonly #paths: Set<string>;
  readonly #written = new Set<string>();
  #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isChanged = false;
  #announce: () => void = () => {};
  sources = 0;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
  }

  /** Payloads, schemas, config, baseline, lists. */
  read(paths: readonly string[]): void {
    for (const path of paths) if (!this.#isRead(path) && !path.startsWith(bundledSchema(''))) this.#paths.add(path);
  }

  /** Changes of what a run writes start no run. */
  written(paths: readonly string[]): void {
    for (const path of paths) this.#written.add(path);
  }

  /** Watches all folders as they are now. Changes from here on are seen. */
  renew(): void {
    const before = this.#watchers;
    this.#watchers = [];
    for (const folder of this.#folders()) this.#watch(folder);
    // What they have seen is still to be told.
    setTimeout(() => closeAll(before), SETTLING).unref();
  }

  /** Resolves some time after the last of one or more changes, counted from the beginning of the last run. */
  async changed(): Promise<'change'> {
    await new Promise<void>((done) => {
      this.#announce = done;
      if (this.#isChanged) this.#change();
    });
    this.#isChanged = false;
    return 'change';
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    closeAll(this.#watchers);
  }

  #change(): void {
    this.#isChanged = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#announce(), SETTLING);
  }

  #watch(folder: string): void {
    const see = (name: string | null): void => {
      if (name === null || this.#matters(join(folder, name)) || name === basename(folder)) this.#change();
    };
    try {
      const watcher = watchFolder(folder, (_, name) => see(name));
      // It cannot be watched any more, as when it is removed on Windows.
      watcher.on('error', () => see(null));
      this.#watchers.push(watcher);
    } catch {
      // Not a folder, not readable, or gone meanwhile.
    }
  }

  #folders(): Set<string> {
    const folders = new Set<string>();
    const links: string[] = [];
    for (const path of this.#paths) {
      for (const folder of foldersIn(path, links)) folders.add(folder);
      // What a link leads to is read, too.
      for (const target of links.splice(0)) this.#paths.add(target);
      folders.add(existing(dirname(path)));
    }
    return folders;
  }

  #isRead(path: string): boolean {
    return [...this.#paths].some((one) => isIn(path, one) && !isLeftOut(relative(one, path)));
  }

  /** True for what is read, or is on the way to it. */
  #matters(path: string): boolean {
    if (this.#written.has(path) || /(?:^|[\\/])\.paylint-[\w-]+\.tmp$/.test(path)) return false;
    return this.#isRead(path) || [...this.#paths].some((one) => isIn(one, path));
  }
}

function closeAll(watchers: readonly FSWatcher[]): void {
  for (const watcher of watchers) watcher.close();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isLeftOut(path: string): boolean {
  return /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(path);
}

/** The folder itself, or, if it is missing, the nearest one around that is there. */
function existing(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** The folder at `path` and all below it; none if it is no folder. `links` receives what links lead to. */
function foldersIn(path: string, links: string[]): string[] {
  links.push(...targetsOf(path));
  const folders = isFolder(path) ? [path] : [];
  for (const folder of folders) {
    // It may be gone meanwhile.
    for (const entry of unlessFailed(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory() && !isLeftOut(entry.name)) folders.push(inner);
      if (entry.isSymbolicLink()) links.push(...targetsOf(inner));
    }
  }
  return folders;
}

/** What a link leads to, link by link, even if there is nothing; none for what is no link. */
function targetsOf(link: string): string[] {
  const targets: string[] = [];
  try {
    for (let at = link; targets.length < 40; ) {
      at = resolve(dirname(at), readlinkSync(at));
      targets.push(at);
    }
  } catch {
    // The last one is no link.
  }
  return targets;
}
