/**
 * Ends the sources of a run in their order: the destination finishes each, then it is reported. While the file of a source is not
 * in its place, its reports wait, and so does all that comes after them.
 */
import { LISTED_VIOLATIONS } from '../limits.ts';
import type { EventLog } from '../log/event-log.ts';
import type { EventTaker } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import { wordsFor } from '../source/system-errors.ts';
import type { Before, Failure, Repair, Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';
import { Budget } from './check/flow.ts';
import { Counts } from './counts.ts';
import type { Job, Progress } from './job.ts';
import { ALL_WRITTEN, type SourceOutcome } from './outlets/outlet.ts';

/** Number of held events that are reported before the reports are written. */
const HELD_AT_ONCE = 1000;

/** Sources without payloads that are named. */
const NAMED_EMPTY = 3;

/** What is known of a source while it is read, and until its destination is done with it. */
export interface SourceResults {
  readonly source: Source;
  /** Its events, if its destination may still fail; null: they are reported at once. */
  readonly held: EventLog | null;
  /** Violations among the held events that will be shown. */
  shown: number;
  readonly counts: Counts;
  /** Members filled in and removed, by pointer. */
  readonly patterns: Record<Repair, Map<string, number>>;
  /** Payloads and lines in its finished parts. */
  before: Omit<Before, 'rejects'>;
  opened: boolean;
  /** It could not be read to its end. */
  failed: boolean;
  /** It is not read to its end because of what is in it. */
  unread: boolean;
}

/** Lines for standard error, and the failure that they name; null: none. */
interface Message {
  readonly text: string;
  readonly failure: Failure | null;
}

export class SourceEnds {
  readonly counts = new Counts();
  readonly #job: Job;
  readonly #report: EventTaker;
  readonly #progress: Progress;
  readonly #io: Io;
  readonly #budget: Budget;
  /**
   * What is not reported yet, in its order: sources that their destination has not finished, and the messages after the first of
   * them.
   */
  #waiting: (SourceResults | Message)[] = [];
  /** Characters of the events of those sources, roughly. */
  #weight = 0;
  /** When the first of them began to wait. */
  #since = 0;
  /** The names of the first sources without payloads. */
  readonly #empty: string[] = [];

  constructor(job: Job, report: EventTaker, progress: Progress, io: Io) {
    this.#job = job;
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
    this.#budget = new Budget(job.options.budget);
  }

  /** Ends the current source. `whole`: all of it was checked. */
  async end(results: SourceResults, whole: boolean): Promise<void> {
    const { held, shown } = results;
    // What a file loses is kept before the file is replaced.
    await this.#job.removed?.flush();
    const isWhole = whole && (held?.error ?? null) === null;
    const outcomes = (await this.#job.destination?.end(isWhole)) ?? [ALL_WRITTEN];
    if (this.#waiting.length === 0) this.#since = this.#io.now();
    this.#waiting.push(results);
    this.#weight += held?.weight ?? 0;
    if (outcomes.length > 0) return this.#conclude(outcomes);
    // How many violations of other sources are shown depends on whether these are.
    const isCounted = shown > 0 && this.#budget.left < Number.POSITIVE_INFINITY;
    if (isCounted || this.#waiting.length >= MOST_WAITING || this.#weight >= MOST_WEIGHT) await this.settle();
  }

  /** Sources have waited for long enough. */
  get isDue(): boolean {
    return this.#waiting.length > 0 && this.#io.now() - this.#since > LONGEST_WAIT_MS;
  }

  /** Lets the destination finish the sources that wait, and reports them. */
  async settle(): Promise<void> {
    if (this.#waiting.length > 0) await this.#conclude((await this.#job.destination?.settle?.()) ?? []);
  }

  /** Reports what waits. `outcomes`: one for each source; fewer: no more is known, and the others are not reported. */
  async #conclude(outcomes: readonly SourceOutcome[]): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#weight = 0;
    const known = outcomes.values();
    for (const one of waiting) {
      if ('text' in one) this.#write(one);
      else {
        const { done, value } = known.next();
        if (done) one.held?.clear();
        else await this.#reportEnd(one, value);
      }
    }
  }

  /** Reports a source whose destination is done with it. */
  async #reportEnd(results: SourceResults, { done, failure: unwritten, warning }: SourceOutcome): Promise<void> {
    const { source, counts, patterns, held, failed } = results;
    const error = held?.error ?? null;
    const unkept = error && `its report cannot be kept in the temporary folder: ${wordsFor(error)}`;
    const failure = unwritten ?? unkept;
    if (warning) this.#say(source.name, `warning: ${warning}`);
    if (failure !== null) this.fail({ file: source.name, message: failure });
    // A file that was replaced is reported, even if it may not be durable.
    if (held !== null && ((failure !== null && !done) || failed)) return held.clear();
    if (!done) {
      counts.filled = 0; // nothing was written anywhere
      counts.pruned = 0;
      for (const times of Object.values(patterns)) times.clear();
    }
    if (held !== null) await this.#release(held, results.shown, done);
    if (counts.payloads === 0 && !failed && failure === null && ++this.counts.empty <= NAMED_EMPTY)
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

  #reportSource({ source: { name }, counts, patterns, unread }: SourceResults): void {
    const { filled = 0, pruned = 0, unread: isUnread, ...others } = this.counts.addSource(name, counts, unread);
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
  async abandon(current: SourceResults | null): Promise<void> {
    await this.#conclude([]);
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
    for (const { file, message } of unwritten) this.#say(file, message);
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
    this.message(lineOf(failure.file, failure.message), failure);
  }

  /** Tells the user what is neither a violation nor a failure. */
  hint(file: string, text: string): void {
    if (this.#job.hints) this.message(lineOf(file, `note: ${text}`));
  }

  /** Writes `text`, whole lines, to standard error, and reports the failure, after what is reported of earlier sources. */
  message(text: string, failure: Failure | null = null): void {
    const message = { text, failure };
    if (this.#waiting.length > 0) this.#waiting.push(message);
    else this.#write(message);
  }

  #write({ text, failure }: Message): void {
    if (failure !== null) this.#report.event({ type: 'failure', failure });
    this.#progress.clear();
    this.#io.stderr.write(text);
  }

  #say(file: string, message: string): void {
    this.#write({ text: lineOf(file, message), failure: null });
  }
}

function lineOf(file: string, message: string): string {
  return `paylint: ${visible(file)}: ${visible(message)}\n`;
}

/** `count`: violations of the payload that are not listed. */
export function unlistedHint(payload: number, count: number): string {
  const listed = `at most ${number(LISTED_VIOLATIONS)} violations of a payload are listed`;
  return `payload ${payload}: ${number(count)} more are only counted: ${listed}`;
}

/** Most sources that wait, and most characters of their events, roughly. */
const MOST_WAITING = 1000;
const MOST_WEIGHT = 2 << 20;

const LONGEST_WAIT_MS = 200;
