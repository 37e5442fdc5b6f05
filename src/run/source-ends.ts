/**
 * Ends the sources of a run in their order: the destination finishes each, then it is reported. If the destination puts
 * work off, that source waits with its reports, and so do later sources and messages, in their order.
 */
import { LISTED_VIOLATIONS } from '../limits.ts';
import type { EventLog } from '../log/event-log.ts';
import type { EventTaker } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Failure, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';
import { Budget } from './check/flow.ts';
import { Counts, Sums } from './counts.ts';
import type { Job, Progress } from './job.ts';
import type { SourceOutcome } from './outlets/outlet.ts';

/** Number of held events that are reported before the reports are written. */
const HELD_AT_ONCE = 1000;

/** Sources without payloads that are named. */
const NAMED_EMPTY = 3;

export class SourceEnds {
  readonly counts = new Counts();
  readonly #job: Job;
  readonly #report: EventTaker;
  readonly #progress: Progress;
  readonly #io: Io;
  readonly #budget: Budget;
  /** Sources before the current one whose results are not known yet. */
  #pending: PendingSource[] = [];
  /** Characters of their events, roughly. */
  #weight = 0;
  /** When the first of them began to wait. */
  #since = 0;
  /** The names of the first sources without payloads. */
  readonly #empty: string[] = [];
  /** Messages about the current source that must follow those about the pending sources. */
  #deferred: (() => void)[] = [];

  constructor(job: Job, report: EventTaker, progress: Progress, io: Io) {
    this.#job = job;
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
    this.#budget = new Budget(job.options.budget);
  }

  /** Ends the current source. `whole`: all of it was checked. */
  async end(results: SourceResults, whole: boolean): Promise<void> {
    // What a file loses is kept before the file is replaced.
    await this.#job.removed?.flush();
    const outcome = await this.#endDestination(results.held, whole);
    if (this.#pending.length === 0) {
      if (outcome !== null) return this.#conclude(results, outcome);
      this.#since = this.#io.now();
    }
    this.#pending.push({ results, outcome, deferred: this.#deferred });
    this.#weight += results.held?.weight ?? 0;
    this.#deferred = [];
    // How many violations of other sources are shown depends on whether these are.
    const isCounted = results.shown > 0 && this.#budget.left < Number.POSITIVE_INFINITY;
    const isFull = this.#pending.length >= MOST_WAITING || this.#weight >= MOST_WEIGHT;
    if (isCounted || isFull || this.#job.destination?.isFull) await this.settle();
  }

  /** Lets the destination end the current source. Null: the destination has put that off. */
  async #endDestination(held: EventLog | null, whole: boolean): Promise<SourceOutcome | null> {
    const { destination } = this.#job;
    if (destination === null) return { done: true, failure: null };
    const error = held?.error ?? null;
    const isWhole = whole && error === null;
    if (isWhole && destination.endLater !== undefined) return destination.endLater();
    const outcome = await destination.end(isWhole);
    if (error === null || outcome.failure !== null) return outcome;
    return { done: false, failure: `its report cannot be kept in the temporary folder: ${wordsFor(error)}` };
  }

  /** Late sources have waited for long enough. */
  get isDue(): boolean {
    return this.#pending.length > 0 && this.#io.now() - this.#since > LONGEST_WAIT_MS;
  }

  /** Finishes what the destination has put off, and reports it. */
  async settle(): Promise<void> {
    if (this.#pending.length === 0) return;
    const settled = (await this.#job.destination?.settle?.()) ?? [];
    const outcomes = settled.values(); // one for each source without an outcome
    for (const { results, outcome, deferred } of this.#takePending()) {
      for (const write of deferred) write();
      await this.#conclude(results, outcome ?? outcomes.next().value!);
    }
    this.#writeDeferred();
  }

  #takePending(): readonly PendingSource[] {
    const pending = this.#pending;
    this.#pending = [];
    this.#weight = 0;
    return pending;
  }

  /** Reports a source whose destination is done with it. */
  async #conclude(results: SourceResults, { done, failure, warning }: SourceOutcome): Promise<void> {
    const { source, sums, patterns, held, failed } = results;
    if (warning) this.#message(source.name, `warning: ${warning}`);
    if (failure !== null) this.fail({ file: source.name, message: failure });
    // A file that was replaced is reported, even if it may not be durable.
    if (held !== null && ((failure !== null && !done) || failed)) return held.clear();
    if (!done) {
      sums.filled = 0; // nothing was written anywhere
      sums.pruned = 0;
      for (const counts of Object.values(patterns)) counts.clear();
    }
    if (held !== null) await this.#release(held, results.shown, done);
    if (sums.payloads === 0 && !failed && failure === null && ++this.counts.empty <= NAMED_EMPTY)
      this.#empty.push(source.name);
    this.#reportSource(results);
  }

  /** Reports the held events, which show `shown` violations. `done`: the pieces of the source have been written. */
  async #release(held: EventLog, shown: number, done: boolean): Promise<void> {
    this.#budget.take(shown);
    const turns = new Turns(this.#io);
    let count = 0;
    // After a signal, violations are only counted.
    for (const event of held.replay(() => this.#io.interrupt.aborted)) {
      if ((event.type === 'fill' || event.type === 'prune') && !done) continue;
      this.#report.event(event);
      if (++count % HELD_AT_ONCE === 0) await this.#report.flush();
      if (turns.isDue) await turns.turn();
    }
    held.clear();
  }

  #reportSource({ source: { name }, sums, patterns, unread }: SourceResults): void {
    const { filled = 0, pruned = 0, unread: isUnread, ...others } = this.counts.addSource(name, sums, unread);
    const end = isUnread === undefined ? {} : { unread: isUnread };
    const { outlet } = this.#job.options;
    if (outlet?.type !== 'fill') {
      this.#report.event({ type: 'source', source: { ...others, ...end } });
      return;
    }
    const left = outlet.check ? 'check' : 'diff';
    const source = {
      ...others,
      ...(outlet.repairs.includes('fill') ? { filled } : {}),
      ...(outlet.repairs.includes('prune') ? { pruned } : {}),
      ...end,
      ...(outlet.bytes || filled === 0 ? {} : ({ wouldFill: left } as const)),
      ...(outlet.bytes || pruned === 0 ? {} : ({ wouldPrune: left } as const)),
    };
    this.#report.event({ type: 'source', source, patterns });
  }

  /** The run is interrupted: reports what is known of the current source, unless its destination must be whole. */
  async breakOff(current: SourceResults | null): Promise<void> {
    await this.settle();
    if (current === null) return;
    await this.#job.destination?.end(false);
    this.#reportPart(current);
  }

  /** Something cannot be written: reports what is known of the current source, and writes no more payloads. */
  abandon(current: SourceResults | null): void {
    for (const { deferred } of this.#takePending()) for (const write of deferred) write();
    this.#writeDeferred();
    if (current !== null) this.#reportPart(current);
  }

  #reportPart(results: SourceResults): void {
    if (results.held === null) this.#reportSource(results);
    else results.held.clear();
  }

  /** Ends the run's output. `whole`: all sources were passed through. */
  async finish(whole: boolean): Promise<void> {
    await this.settle();
    const { payloads, failures, empty } = this.counts;
    if (payloads > 0 && empty > 0 && this.#job.hints) this.#hintOfEmpty(empty - this.#empty.length);
    const isEmpty = payloads === 0 && failures === 0 && !this.#job.mayBeEmpty;
    const extent = isEmpty ? 'empty' : whole && failures === 0 ? 'whole' : 'part';
    const unwritten = (await this.#job.destination?.finish?.(extent)) ?? [];
    for (const { file, message } of unwritten) this.#message(file, message);
  }

  /** Names the first sources without payloads; `more`: the number of the others. */
  #hintOfEmpty(more: number): void {
    const names = this.#empty.map(visible).join(', ');
    this.#progress.clear();
    this.#io.stderr.write(
      `paylint: note: no payload in ${names}${more > 0 ? ` and ${plural(more, 'more file')}` : ''}\n`,
    );
  }

  fail(failure: Failure): void {
    this.counts.failures++;
    this.inTurn(() => {
      this.#report.event({ type: 'failure', failure });
      this.#message(failure.file, failure.message);
    });
  }

  /** Tells the user what is neither a violation nor a failure. */
  hint(file: string, text: string): void {
    if (this.#job.hints) this.inTurn(() => this.#message(file, `note: ${text}`));
  }

  /** Runs `action`, which writes to reports or to standard error, after the messages about earlier sources. */
  inTurn(action: () => void): void {
    if (this.#pending.length === 0) action();
    else this.#deferred.push(action);
  }

  /** Writes the messages that had to wait. */
  #writeDeferred(): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const write of deferred) write();
  }

  #message(file: string, message: string): void {
    this.#progress.clear();
    this.#io.stderr.write(`paylint: ${visible(file)}: ${visible(message)}\n`);
  }
}

/** `count`: violations of the payload that are not listed. */
export function unlistedHint(payload: number, count: number): string {
  const listed = `at most ${number(LISTED_VIOLATIONS)} violations of a payload are listed`;
  return `payload ${payload}: ${number(count)} more are only counted: ${listed}`;
}

interface PendingSource {
  readonly results: SourceResults;
  /** Notes and failures that are reported before the rest. */
  readonly deferred: readonly (() => void)[];
  /** Null until its destination is done with it. */
  readonly outcome: SourceOutcome | null;
}

/** Most sources that wait, and most characters of their events, roughly. */
const MOST_WAITING = 1000;
const MOST_WEIGHT = 2 << 20;

const LONGEST_WAIT_MS = 200;

/** What is known of a source while it is read, and until its destination is done with it. */
export class SourceResults {
  readonly source: Source;
  /** Its events, if its destination may still fail; null: they are reported at once. */
  readonly held: EventLog | null;
  /** Violations among the held events that will be shown. */
  shown = 0;
  readonly sums = new Sums();
  /** Members filled in and removed, by pointer. */
  readonly patterns = { fill: new Map<string, number>(), prune: new Map<string, number>() };
  /** Payloads and lines in its finished parts. */
  before = { payloads: 0, lines: 0 };
  opened = false;
  /** It could not be read to its end. */
  failed = false;
  /** It is not read to its end because of what is in it. */
  unread = false;

  constructor(source: Source, held: EventLog | null) {
    this.source = source;
    this.held = held;
  }
}
