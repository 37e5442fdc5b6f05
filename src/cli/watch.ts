/**
 * `--watch`: rounds of a verb, one after each change of what it reads, until `q`, a signal or the end of standard input. A
 * source that has not changed since the last round is not judged again.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { CONFIG_NAME } from '../config/config-search.ts';
import { endingFor, Interrupted, UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { bundledSchema } from '../package.ts';
import { NOTHING, sumOf } from '../report/merge.ts';
import { plural } from '../report/number-text.ts';
import { Report, type ReportTarget } from '../report/report.ts';
import type { ReportEvent, Source, Summary } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { RunCounts } from './exit.ts';
import type { CheckFlags } from './flags.ts';
import type { Found } from './settings.ts';

/** Milliseconds without a change before the next round. */
const SETTLING = 100;

/** One round; the exit code. */
type Round = (kept: Kept) => Promise<number | null>;

/** Resolves to the exit code of the last round; null if there is nothing to do but to show the help. */
export async function watch(
  round: Round,
  paths: readonly string[],
  flags: CheckFlags,
  io: Io,
): Promise<number | null> {
  refuse(paths, flags);
  const { watch: watchFiles } = await import('chokidar');
  const kept = new Kept();
  const rounds = new Rounds(round, kept, io);
  const roots = paths.filter((path) => !path.startsWith('!')).map((path) => rootOf(resolve(io.cwd, path)));
  // Changes during the first round count.
  const watcher = watchFiles([...new Set([...roots, join(io.cwd, CONFIG_NAME)])], {
    ignoreInitial: true,
    ignored: (path) => /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(path),
  });
  try {
    await new Promise<void>((ready) => watcher.once('ready', ready));
    // With several paths, it says so a moment before it sees new files.
    await new Promise((wait) => setTimeout(wait, SETTLING));
    // Schemas of the package do not change, and may be in the one file that runs without Node.
    const isWatched = (file: string): boolean =>
      roots.some((root) => file === root || file.startsWith(join(root, sep))) ||
      file.startsWith(bundledSchema(''));
    const beside = (): string[] => kept.files.filter((file) => !isWatched(file));
    return await untilEnd(rounds, { watcher, kept, beside }, io);
  } finally {
    await watcher.close();
    io.stdin.destroy();
  }
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly kept: Kept;
  /** What was read outside of the folders that are watched. */
  readonly beside: () => string[];
}

/** Resolves to the exit code of the last round. */
async function untilEnd(rounds: Rounds, { watcher, kept, beside }: Watched, io: Io): Promise<number | null> {
  let timer: NodeJS.Timeout | null = null;
  let fail: (error: unknown) => void = () => {};
  const settle = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      rounds.again().then(watchMore, fail);
    }, SETTLING);
  };
  // What was read may be elsewhere, and may have changed before it was watched.
  const watchMore = (): void => {
    watcher.add(beside());
    if (kept.isStale) settle();
  };
  watcher.on('all', settle);
  try {
    if ((await rounds.first()) === null) return null;
    await new Promise<void>((done, failed) => {
      fail = failed;
      watchMore();
      onEnd(io, done);
    });
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
  await rounds.settled;
  return rounds.code;
}

function refuse(paths: readonly string[], { shard, filesFrom }: CheckFlags): void {
  if (paths.length === 0 && filesFrom === undefined)
    throw new UsageError('--watch needs a PATH: standard input cannot be watched');
  if (paths.includes('-') || filesFrom === '-')
    throw new UsageError('--watch watches files, and standard input is none; leave out -');
  if (shard !== undefined)
    throw new UsageError('--watch and --shard do not go together: a share changes with the files');
}

/** The path itself, or, of a glob or what is not there yet, the nearest folder that is. */
function rootOf(path: string): string {
  let root = path;
  while (!existsSync(root) && dirname(root) !== root) root = dirname(root);
  return root;
}

/** What a terminal's stream has. */
type Terminal = Io['stdin'] & { setRawMode?(raw: boolean): void };

/** Standard input ends, or someone types `q`; or a signal comes. */
function onEnd({ stdin, interrupt }: Io, end: () => void): void {
  if (interrupt.aborted) end();
  interrupt.addEventListener('abort', end);
  if (stdin.isTTY === true) (stdin as Terminal).setRawMode?.(true);
  stdin.on('data', (typed: Buffer | string) => {
    // In raw mode, Ctrl-C and Ctrl-D are letters.
    if (stdin.isTTY === true && /[q\x03\x04]/i.test(String(typed))) end();
  });
  for (const event of ['end', 'close', 'error']) stdin.on(event, end);
}

class Rounds {
  readonly #round: Round;
  readonly #kept: Kept;
  readonly #io: Io;
  #isRunning = false;
  #isAsked = false;
  /** Of the last round. */
  code = 0;
  /** The round under way. */
  settled: Promise<unknown> = Promise.resolve();

  constructor(round: Round, kept: Kept, io: Io) {
    this.#round = round;
    this.#kept = kept;
    this.#io = io;
  }

  /** Throws what the round throws. Null: there is nothing to do. */
  async first(): Promise<number | null> {
    this.#isRunning = true;
    const code = await this.run();
    this.#isRunning = false;
    if (this.#isAsked) await this.again();
    return code;
  }

  /** After the first one, what cannot be used is said, and the next change may fix it. */
  async again(): Promise<void> {
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    const rounds = async (): Promise<void> => {
      while (this.#isAsked) {
        this.#isAsked = false;
        await this.run().catch((error: unknown) => this.#say(error));
      }
    };
    this.settled = rounds().finally(() => {
      this.#isRunning = false;
    });
    await this.settled;
  }

  async run(): Promise<number | null> {
    const { stdout, stderr } = this.#io;
    const isTerminal = stdout.isTTY === true;
    if (isTerminal) stdout.write('\x1b[2J\x1b[3J\x1b[H');
    const code = await this.#round(this.#kept);
    if (code === null) return null;
    this.code = code;
    const time = new Date().toTimeString().slice(0, 8);
    if (isTerminal)
      stderr.write(`paylint: ${plural(this.#kept.sources, 'file')}, last change at ${time}; q ends\n`);
    return code;
  }

  #say(error: unknown): void {
    if (error instanceof Interrupted) return;
    const ending = endingFor(error, null);
    if (ending?.message == null) throw error;
    this.code = ending.code;
    this.#io.stderr.write(`paylint: ${ending.message.split('\n').map(visible).join('\n')}\n`);
  }
}

/** The events of a source, the summary of its run last, and what the file was when it was judged. */
interface Events {
  readonly stamp: string;
  readonly all: readonly ReportEvent[];
}

/** What is kept between two rounds: the events of each source. One that has not changed is not judged again. */
export class Kept {
  /** By name. */
  #events = new Map<string, Events>();
  #beside = '';
  /** Absolute paths of the files that the last round has read: payloads, and schemas, config and baseline. */
  files: readonly string[] = [];
  #stamps = '';
  /** The number of sources of the last round. */
  sources = 0;

  /** `beside`: files that decide about all payloads. If one has changed, nothing is known any more. */
  begin({ sources }: Found, beside: readonly string[]): void {
    const stamp = beside.map(stampOf).join('\n');
    if (stamp !== this.#beside) this.#events.clear();
    this.#beside = stamp;
    this.files = [...sources.flatMap(({ path }) => path ?? []), ...beside];
    this.sources = sources.length;
    this.#stamps = this.files.map(stampOf).join('\n');
  }

  /** A file has changed since the last round began. */
  get isStale(): boolean {
    return this.files.map(stampOf).join('\n') !== this.#stamps;
  }

  /** The events of all sources, in order. `judge`: judges one source. Throws Interrupted. */
  async *events(
    { sources }: Found,
    judge: (source: Source) => Promise<readonly ReportEvent[]>,
    { interrupt }: Io,
  ): AsyncGenerator<ReportEvent> {
    const events = new Map<string, Events>();
    for (const source of sources) {
      if (interrupt.aborted) throw new Interrupted(interrupt);
      const stamp = stampOf(source.path ?? '');
      let known = this.#events.get(source.name);
      if (known?.stamp !== stamp) known = { stamp, all: await judge(source) };
      events.set(source.name, known);
      this.#events.set(source.name, known);
      yield* known.all;
    }
    // Files that are gone are forgotten.
    this.#events = events;
  }
}

/** Reports a round: what is kept, and what `judge` finds in sources that have changed. */
export async function reportRound(
  found: Found,
  kept: Kept,
  judge: (source: Source) => Promise<readonly ReportEvent[]>,
  { targets, io }: { readonly targets: readonly ReportTarget[]; readonly io: Io },
): Promise<RunCounts> {
  const report = new Report(targets, () => {});
  const begun = io.now();
  let summary: Summary | null = null;
  let filled = 0;
  try {
    for (const failure of found.failures) report.event({ type: 'failure', failure });
    for await (const event of kept.events(found, judge, io)) {
      if (event.type === 'summary') {
        summary = summary === null ? event.summary : sumOf(summary, event.summary);
        continue;
      }
      if (event.type === 'source') filled += event.source.filled ?? 0;
      report.event(event);
      await report.flush();
    }
    const { length } = found.failures;
    const all = summary ?? NOTHING;
    const elapsedMs = Math.round(io.now() - begun);
    report.event({ type: 'summary', summary: { ...all, failures: all.failures + length, elapsedMs } });
    await report.close();
    const { payloads, invalid, failures, warnings } = all;
    return { payloads, invalid, failures: failures + length, warnings, filled };
  } finally {
    await report.discard();
  }
}

/** Another text if the file has changed. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true });
    return `${path} ${mtimeNs} ${size} ${ino}`;
  } catch {
    return `${path} is missing`;
  }
}
