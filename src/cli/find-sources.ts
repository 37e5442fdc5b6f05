/** The sources of a run: PATHs and what they lead to, without what flags and the config leave out, each with its kind. */
import { relative, resolve } from 'node:path';
import { type Config, inConfig } from '../config/config.ts';
import type { CheckFlags } from '../config/flags.ts';
import { fileRules, namedFiles, type Settings, schemasForFiles } from '../config/settings.ts';
import { Interrupted, MissingPath, UsageError } from '../errors.ts';
import { byteOrderMark, otherEncoding } from '../json/utf8.ts';
import { bundledSchemas } from '../package.ts';
import { type KindFile, kindFiles } from '../schema/set.ts';
import { withCommands } from '../source/ci-log.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import { resolveSources } from '../source/paths.ts';
import { isPipe, readLimited, statsOfDescriptor } from '../source/read-file.ts';
import { hasInput } from '../source/standard-input.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Failure, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';
import { print } from './outputs.ts';
import type { ReadFile } from './own-output.ts';
import { reportFiles } from './reports.ts';
import type { Watched } from './watch.ts';

export interface FoundSources {
  readonly sources: readonly Source[];
  readonly failures: readonly Failure[];
  /** Absolute paths of the folders that were searched; that of a glob is the one before its first wildcard. */
  readonly searched: readonly string[];
  /** If there are no sources: the options that excluded files, as messages name them. */
  readonly leftOutBy: readonly string[];
  /** No PATH was given: the sources are the files of the config, or standard input, which is empty. Absent: neither. */
  readonly from?: 'config' | 'empty input';
}

export interface FindOptions {
  /** The files that the run writes beside its reports, as they were typed; undefined is none. */
  readonly written?: readonly (string | undefined)[];
  /** Absolute paths of schemas beside those of the settings. No output may be one of them. */
  readonly others?: readonly string[];
  /** Without a PATH, those of the config are read if standard input has nothing. Absent: only standard input is. */
  readonly byConfig?: boolean;
  /** Why standard input is read only if it is named, as the end of a message; null: it is read without a PATH, too. */
  readonly notStdin?: string | null;
  /** Whether a file is read that folders are else not searched for, such as `package.json`. */
  readonly holdsPayload?: (path: string) => boolean;
  /** Absent: all sources that are found are wanted. */
  readonly isWanted?: (source: Source) => boolean;
}

/** Finds the sources for `named`. Throws MissingPath and Interrupted. */
export async function findSources(
  named: readonly string[],
  settings: Settings,
  io: Io,
  options: FindOptions,
): Promise<FoundSources> {
  const { written = [], others = [], holdsPayload = () => false, isWanted = () => true } = options;
  const files = written.flatMap((name) => (name === undefined ? [] : [resolve(io.cwd, name)]));
  const { flags, config } = settings;
  const { filesFrom, shard } = flags;
  const isNamed = named.length > 0 || filesFrom !== undefined;
  const input: Input = isNamed ? { paths: named } : await inputOf(settings, options, io);
  const listed = filesFrom === undefined ? [] : await readPaths(filesFrom, io);
  const paths = [...input.paths, ...listed];
  if (filesFrom === '-' && paths.includes('-'))
    throw new UsageError('--files-from - reads standard input, so it cannot be read for payloads as well');
  const { baseline } = settings;
  const kinds = async (): Promise<readonly KindFile[]> => kindFiles(await settings.schemas());
  const rules = await fileRules({ ...config, baseline }, schemasForFiles(config, flags.schema), kinds);
  const { sources, failures, unmatched, passedOver, searched } = await resolveSources(paths, {
    cwd: io.cwd,
    ignore: flags.ignore ?? [],
    stdinName: flags.stdinFilename ?? null,
    framing: flags.input ?? null,
    schemas: async () => [...(await schemaPaths(settings)), ...others],
    holdsPayload: (path) => rules.kindOf(path) !== null || holdsPayload(path),
  });
  if (passedOver.size > 0 && !flags.quiet) {
    const sorted = [...passedOver].sort(([a], [b]) => (a < b ? -1 : 1));
    const all = sorted.map(([what, count]) => plural(count, what));
    io.stderr.write(`paylint: note: not read in folders: ${all.join(', ')}\n`);
  }
  const pathOf = ({ path, name }: Source): string => path ?? resolve(io.cwd, name);
  const wanted = sources.filter(({ path }) => path === null || !rules.ignores(path));
  const isFirst = (shard?.index ?? 1) === 1;
  if (isFirst && config.path !== null && !flags.quiet) await noteUnmatched(paths, sources, settings, io);
  const reports = [...reportFiles(settings.reports.targets, settings.reports.folder), ...files];
  let readable: readonly Source[] = wanted;
  if (reports.length > 0 || statsOfDescriptor(io.stdout.fd)?.isFile()) {
    const { refuseSharedFiles, withoutOwnOutput } = await import('./own-output.ts');
    refuseSharedFiles(reports, [...others, ...(await readBeside(settings, io))], io);
    readable = withoutOwnOutput(wanted, paths, reports, io);
  }
  const own = shard === undefined ? readable : (await import('../source/shard.ts')).sourcesOfShard(readable, shard);
  const arraysFor = await arrayReader(settings);
  return {
    sources: own.filter(isWanted).map((source) => {
      const kind = flags.kind ?? rules.kindOf(pathOf(source));
      const arrays = arraysFor(kind);
      // There may be many sources, so unchanged ones are not copied.
      return kind === null && arrays === undefined ? source : { ...source, kind, arrays };
    }),
    // Missing paths belong to the first shard, so that the shards together report them once.
    failures: !isFirst ? [] : flags.allowEmpty ? failures : [...failures, ...unmatched],
    searched,
    leftOutBy: readable.length > 0 ? [] : leftOutBy(paths, settings),
    ...(input.from === undefined ? {} : { from: input.from }),
  };
}

/** Names the globs of the config that match nothing. */
async function noteUnmatched(
  paths: readonly string[],
  sources: readonly Source[],
  { flags, config }: Settings,
  io: Io,
): Promise<void> {
  const { kinds, schemas, ignore, files } = config;
  if (kinds.length + schemas.length + ignore.length + files.length === 0) return;
  const { unmatchedGlobs } = await import('../config/unmatched-globs.ts');
  const found = sources.flatMap(({ path }) => path ?? []);
  const skips = [...(flags.kind === undefined ? [] : ['kinds']), ...(flags.schema === undefined ? [] : ['schemas'])];
  const all = unmatchedGlobs(config, { paths, cwd: io.cwd, files: found }, skips);
  if (all.length > 0) io.stderr.write(`paylint: note: nothing matches ${all.join(', ')}\n`);
}

type Input = Pick<FoundSources, 'from'> & { readonly paths: readonly string[] };

/** What is read if no PATH is given. Throws MissingPath and Interrupted. */
async function inputOf(
  { flags, typed, config }: Settings,
  { byConfig = false, notStdin = null }: FindOptions,
  io: Io,
): Promise<Input> {
  if (typed.stdinFilename !== undefined && notStdin === null) return { paths: ['-'] };
  const ofConfig = byConfig ? filesOf(config, io) : [];
  const why = flags.listFiles ? '--list-files lists files' : notStdin;
  const mayRead = why === null && io.stdin.isTTY !== true;
  const hasBytes = mayRead && (await hasInput(io, () => tellWait(flags, io)));
  if (hasBytes) return { paths: ['-'] };
  if (ofConfig.length > 0) return { paths: ofConfig, from: 'config' };
  if (mayRead) return { paths: ['-'], from: 'empty input' };
  throw new MissingPath(why === null ? NO_PATH : `a PATH is missing: ${why}, and - is standard input`);
}

const NO_PATH = 'a PATH is missing, and standard input is a terminal';

function tellWait({ quiet }: CheckFlags, { stderr }: Io): void {
  if (!quiet) stderr.write('paylint: waiting for standard input: no PATH is given (- reads it, </dev/null does not)\n');
}

/** The paths and globs that the config has for runs without PATH, from the working directory. */
function filesOf({ files, schemas, folder }: Config, { cwd }: Io): readonly string[] {
  const globs = files === 'schemas' ? schemas.map((one) => one.files) : files;
  const way = slashed(relative(cwd, folder)).replace(/[()[\]{}!*?+@|\\]/g, '\\$&');
  if (way === '') return globs;
  return globs.map((glob) => (glob.startsWith('!') ? `!${way}/${glob.slice(1)}` : `${way}/${glob}`));
}

async function schemaPaths({ bundled, files }: Settings): Promise<readonly string[]> {
  return bundled ? bundledSchemas() : (await files()).paths;
}

/** How a top-level array is treated, by the kind of its source. All kinds of the bundled schemas are objects. */
async function arrayReader({ flags, schemas, bundled }: Settings): Promise<(kind: string | null) => Source['arrays']> {
  if (bundled) return () => undefined;
  const [{ arrayReading }, set] = await Promise.all([import('../schema/array-root.ts'), schemas()]);
  const isChosen = flags.input !== undefined;
  const known = new Map<string | null, Source['arrays']>();
  return (kind) => {
    if (!known.has(kind)) known.set(kind, arrayReading(set, kind, isChosen));
    return known.get(kind);
  };
}

/** Input other than payloads: schemas with all that they refer to, the config, the baseline and the list of paths. */
export async function readBeside(settings: Settings, { cwd }: Io): Promise<ReadFile[]> {
  const { flags, config, baseline } = settings;
  const { filesFrom } = flags;
  const read = await schemaPaths(settings);
  const list = filesFrom === undefined || filesFrom === '-' ? [] : [resolve(cwd, filesFrom)];
  const files = [...read, config.path, baseline, ...namedFiles(config), ...list];
  return [...files.filter((path) => path !== null), ...(filesFrom === '-' ? [null] : [])];
}

/** Tells a watch of what the run reads and writes. The schemas come last, because they may be faulty. */
export async function watchFound(files: Watched, found: FoundSources, settings: Settings, io: Io): Promise<void> {
  files.sources = found.sources.length;
  files.written(reportFiles(settings.reports.targets, settings.reports.folder));
  files.read([...found.sources.flatMap(({ path }) => path ?? []), ...found.searched]);
  files.read(settings.config.path === null ? [] : [settings.config.path]);
  files.read((await readBeside(settings, io)).filter((path) => path !== null));
}

/** Whether a run without payloads is allowed. The first shard has a source if there are any; others may be empty. */
export function mayBeEmpty({ allowEmpty, shard }: Pick<CheckFlags, 'allowEmpty' | 'shard'>): boolean {
  return allowEmpty === true || (shard?.index ?? 1) > 1;
}

function leftOutBy(paths: readonly string[], { flags, config }: Settings): string[] {
  return [
    ...(flags.ignore ?? []).map((glob) => `--ignore ${visible(glob)}`),
    ...paths.filter((path) => path.startsWith('!')).map(visible),
    ...config.ignore.map((glob, i) => `${inConfig(config, `/ignore/${i}`)}${visible(glob)}`),
  ];
}

/** `--list-files`: one name per line, escaped on a terminal and unchanged in a pipe. Resolves to the exit code. */
export async function listFiles({ sources, failures }: FoundSources, flags: CheckFlags, io: Io): Promise<number> {
  const isShown = io.stdout.isTTY === true && !flags.null;
  const names = sources.map(({ name }) => (isShown ? visible(name) : name) + (flags.null ? '\0' : '\n'));
  await print(names.join(''), { stdout: isShown ? io.stdout : withCommands(io.stdout) });
  for (const { file, message } of failures) io.stderr.write(`paylint: ${visible(file)}: ${visible(message)}\n`);
  if (failures.length > 0) return 2;
  if (sources.length > 0 || mayBeEmpty(flags)) return 0;
  io.stderr.write('paylint: there is nothing to read\n');
  return 2;
}

/** The PATHs that `file` (`-`: standard input) lists, one per line, or each ended by a NUL. Throws UsageError. */
async function readPaths(file: string, io: Io): Promise<string[]> {
  const bytes = await readList(file, io);
  // The encoding is detected by the byte order mark only: a list of one-character names separated by NULs looks like
  // UTF-16.
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) throw new UsageError(`the paths in ${visible(file)} are in ${otherEncoding(bytes)}, not in UTF-8`);
  const text = bytes.toString('utf8', byteOrderMark(bytes));
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((path) => path !== '');
}

async function readList(file: string, io: Io): Promise<Buffer> {
  try {
    const path = resolve(io.cwd, file);
    if (file !== '-' && !isPipe(path)) return readLimited(path);
    const { readPipe } = await import('../config/pipes.ts');
    return await readPipe(file === '-' ? null : path, io);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    throw new UsageError(`cannot read the paths in ${visible(file)}: ${wordsFor(cause)}`, { cause });
  }
}
