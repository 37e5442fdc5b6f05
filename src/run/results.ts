/**
 * Receives results in the order of the sources: counts them, reports them, and passes pieces on to their destination.
 */
import { Budget } from '../check/budget.ts';
import type { Claim, PayloadFault, Sink } from '../check/flow.ts';
import { levelOf } from '../check/levels.ts';
import { Interrupted, wordsForInterrupt } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { wordsFor } from '../input/system-errors.ts';
import { Turns } from '../input/turns.ts';
import type { Window } from '../input/window.ts';
import type { Destination, Left } from '../outlet/destination.ts';
import type { Pieces } from '../outlet/outlet.ts';
import type { Report } from '../report/report.ts';
import { ROW, type ViolationLog } from '../report/violation-table.ts';
import type { AtWork } from '../threads/claims.ts';
import type { Find, Gathered, HiddenCounts } from '../threads/gather.ts';
import type { Batch, Collector, Part, PartEnd } from '../threads/part.ts';
import type {
  Extra,
  Failure,
  ReportEvent,
  Source,
  Statement,
  ViolationPlace,
  ViolationTable,
} from '../types.ts';
import { visible } from '../words/escape.ts';
import { Counts, type Sums } from './counts.ts';
import type { HeldEvents } from './held-events.ts';
import type { Identities } from './identities.ts';
import type { Job, Progress } from './job.ts';
import { LateSources, type ReadSource } from './late.ts';

/** Most memory that violations and their texts may use before they are written. In bytes, roughly. */
const MOST_LOGGED = 8 << 20;

/** Number of held events that are reported before the reports are written. */
const AT_ONCE = 1000;

export class Results implements Collector {
  readonly counts: Counts;
  readonly sink: Sink;
  readonly pieces: Pieces;
  /** An invalid payload has ended the run. */
  stopped = false;
  /** The window of a part whose results are reported as they come. */
  reading: Window | null = null;
  /** Bytes read of finished parts. */
  #bytes = 0;
  /** Payloads and lines in the finished parts of the current source. */
  #before = { payloads: 0, lines: 0 };
  /** Payloads rejected in the parts that are done, of all sources. */
  #rejects = 0;
  /** Payloads rejected in the present part. */
  #rejectsOfPart = 0;
  #opened = false;
  /** The current source; null between sources. */
  #source: Source | null = null;
  /** The current source could not be read to its end. */
  #failed = false;
  /** Members filled into the current source, by pointer. */
  #patterns = new Map<string, number>();
  /** A bug's stack was already shown in this run. */
  #bugShown = false;
  /** Only if payloads of the same `@id` are compared. */
  identities: Identities | null = null;
  readonly #turns: Turns;
  readonly #job: Job;
  readonly #report: Report;
  readonly #progress: Progress;
  readonly #io: Io;
  readonly #destination: Destination | null;
  readonly #budget: Budget;
  /** Violations of the present part that are not reported yet; null: there were none so far. */
  #log: ViolationLog | null = null;
  /** The events of the current source, if its destination may still fail; null: everything is reported at once. */
  readonly #held: HeldEvents | null;
  /** Violations of the current source that will be shown, if they are held. */
  #shown = 0;
  /** Sources before the current one whose results are not known yet. */
  readonly #late = new LateSources();
  /** Messages about the current source that must follow those about the late sources. */
  #said: (() => void)[] = [];

  constructor(job: Job, report: Report, progress: Progress, io: Io) {
    this.#job = job;
    this.counts = new Counts(job.options.rules);
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
    this.#turns = new Turns(io);
    this.#destination = job.destination;
    this.#budget = new Budget(job.options.budget);
    this.#held = job.held;
    this.sink = this.#makeSink();
    this.pieces = this.#makePieces();
  }

  /** Makes the source of `part` the current one. */
  beginPart({ source }: Part): void {
    if (this.#source === source) return;
    this.#source = source;
    this.#destination?.begin(source);
  }

  #makeSink(): Sink {
    return {
      violation: (statement, place, extra, again) => this.#violation(statement, place, extra, again),
      claim: (claim) => this.#claim(claim),
      note: (text) => this.#note(text),
      array: () => this.counts.arrays(1),
      hidden: ({ rule, fixable }, count = 1) => this.#hidden({ rule, count, fixable: fixable ? count : 0 }),
      payload: (kind, valid) => {
        this.counts.payloads(kind, valid, 1);
        this.stopped = this.#job.options.bail && !valid;
        return !this.stopped;
      },
      accepted: (kind, payloads) => this.counts.payloads(kind, true, payloads),
      fault: (fault) => this.#fault(fault),
      flush: () => this.#flush(),
    };
  }

  #makePieces(): Pieces {
    const destination = this.#destination;
    return {
      bytes: (chunk, changed, channel = 0) => destination?.bytes(chunk, changed, channel),
      edit: (edit) => destination?.edit(edit),
      fill: (place) => {
        const { payloads, lines } = this.#before;
        const fill = { ...place, payload: place.payload + payloads, line: place.line + lines };
        this.#event({ type: 'fill', fill });
      },
      filled: (pattern, count) => {
        this.counts.filled(count);
        this.#patterns.set(pattern, (this.#patterns.get(pattern) ?? 0) + count);
      },
      rejected: (count) => {
        this.#rejectsOfPart += count;
      },
    };
  }

  /** A violation of the present part. Returns false if reports should be written before the next one. */
  #violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again = false): boolean {
    const { rule, fixable } = statement;
    if (this.#admit(1) === 0) this.#hidden({ rule, count: 1, fixable: fixable ? 1 : 0 });
    else {
      this.#log ??= this.#report.createLog();
      this.#log.add(statement, place, extra, again);
    }
    return this.#log === null || this.#log.weight < MOST_LOGGED;
  }

  /**
   * How many of `count` violations are reported. A source that is dropped must not use up the budget of others, so held
   * violations are taken from it when they are reported.
   */
  #admit(count: number): number {
    if (this.#held === null) {
      this.#budget.take(count);
      return count;
    }
    const admitted = Math.min(count, this.#budget.room - this.#shown);
    this.#shown += admitted;
    return admitted;
  }

  /** Sends an event after all violations before it. */
  #send(event: ReportEvent): void {
    this.#reportLog();
    this.#report.event(event);
  }

  /** Reports the violations of the present part that were found in this thread so far. */
  #reportLog(): void {
    const table = this.#log?.take() ?? null;
    if (table !== null) this.#violations(table, 0, table.rows.length / ROW);
  }

  /** Counts and reports violations with indexes in [from, to). */
  #violations(table: ViolationTable, from: number, to: number): void {
    if (from === to) return;
    for (const [i, count] of countsIn(table, from, to).entries())
      if (count > 0) this.counts.violations(table.rules[i]!, count);
    const before = { ...this.#before, rejects: this.#rejects };
    this.#event({ type: 'violations', table, from, to, before });
  }

  /** Reports a payload whose `@id` an earlier payload has, if their contents differ. Returns whether that is an error. */
  #claim(claim: Claim): boolean {
    const { payloads, lines } = this.#before;
    const file = this.#source?.name ?? '';
    const placed = { ...claim, payload: claim.payload + payloads, line: claim.line + lines };
    const identities = this.identities!; // claims exist only with identities
    const wasFull = identities.isFull;
    const statement = identities.conflict(placed, file, this.#job.options.rules);
    if (identities.isFull && !wasFull) this.#note(identities.note);
    if (statement === null) return false;
    if (this.#budget.hidesAfter(0)) this.#hidden({ rule: statement.rule, count: 1, fixable: 0 });
    else {
      const { excerpt, inFile } = claim;
      const extra = { excerpt, ...(inFile === undefined ? {} : { inFile }) };
      this.#violation(statement, { ...claim, file, endLine: claim.line }, extra);
    }
    return statement.severity === 'error';
  }

  #fault({ payload, line, message, stack }: PayloadFault): boolean {
    const { payloads, lines } = this.#before;
    const where = `payload ${payload + payloads} (line ${line + lines})`;
    const why = message === null ? '' : `: ${message}`;
    this.counts.payloads(null, false, 1);
    this.fail({ file: this.#source?.name ?? '', message: `${where} could not be checked${why}` });
    if (stack !== null && !this.#bugShown) {
      this.#bugShown = true;
      const shown = stack.split('\n').map(visible).join('\n');
      const text = `paylint: this is a bug in paylint, please report it\n${shown}\n`;
      this.#inTurn(() => this.#io.stderr.write(text));
    }
    this.stopped = this.#job.options.bail;
    return !this.stopped;
  }

  /** Violations that are only counted; no report knows of those of rules that are off. */
  #hidden(counts: HiddenCounts): void {
    this.counts.violations(counts.rule, counts.count);
    if (levelOf(counts.rule, this.#job.options.rules) === 'off') return;
    this.#event({ type: 'hidden', file: this.#source?.name ?? '', ...counts });
  }

  #event(event: ReportEvent): void {
    this.#reportLog();
    if (this.#held === null) this.#report.event(event);
    else this.#held.add(event);
  }

  async #flush(): Promise<void> {
    this.#reportLog();
    if (this.#late.isDue(this.#io.now())) await this.#settle();
    this.#progress.update(this.counts.total, this.#bytes + (this.reading?.bytesRead ?? 0));
    await this.#destination?.flush();
    await this.#report.flush();
    await this.#turns.take();
  }

  /** Counts and reports the results of another thread. */
  replay(gathered: Gathered): void {
    const { notes, arrays, hidden, payloads, pieces } = gathered;
    for (const text of notes) this.#note(text);
    this.counts.arrays(arrays);
    for (const counts of hidden) this.#hidden(counts);
    this.#replayFinds(gathered);
    if (pieces !== null) {
      for (const { chunk, changed, channel } of pieces.chunks) this.pieces.bytes(chunk, changed, channel);
      this.pieces.rejected(pieces.rejected);
      const { offsets, texts } = pieces.insertions;
      for (const [i, offset] of offsets.entries()) this.pieces.edit({ offset, bytes: texts[i]! });
      for (const [pattern, count] of pieces.patterns) this.pieces.filled(pattern, count);
    }
    for (const { kind, valid, count } of payloads) {
      this.counts.payloads(kind, valid, count);
      this.stopped ||= this.#job.options.bail && !valid;
    }
  }

  /** Violations, and the other finds among them. */
  #replayFinds({ violations, finds, before }: Gathered): void {
    let from = 0;
    for (const [i, find] of finds.entries()) {
      if (violations !== null) this.#replayViolations(violations, from, before[i]!);
      from = before[i]!;
      this.#find(find);
    }
    if (violations !== null) this.#replayViolations(violations, from, violations.rows.length / ROW);
  }

  #replayViolations(table: ViolationTable, from: number, to: number): void {
    const admitted = from + this.#admit(to - from);
    this.#violations(table, from, admitted);
    for (const [i, count] of countsIn(table, admitted, to).entries())
      if (count > 0) this.#hidden({ rule: table.rules[i]!, count, fixable: table.fixable[i] ? count : 0 });
  }

  #find(find: Find): void {
    if ('fill' in find) this.pieces.fill(find.fill);
    // The thread has counted it as valid.
    else if (this.#claim(find.claim) && find.claim.valid) this.counts.isInvalid(find.claim.kind);
  }

  async endPart({ source, last }: Part, { opened, failure, lines, bytes }: PartEnd): Promise<void> {
    this.#reportLog();
    this.#bytes += bytes;
    this.#rejects += this.#rejectsOfPart;
    this.#rejectsOfPart = 0;
    this.reading = null;
    this.#opened ||= opened;
    // Every range of a file may fail for the same reason.
    const isFirst = !this.#failed;
    this.#failed ||= failure !== null;
    this.#before = { payloads: this.counts.ofSource, lines: this.#before.lines + lines };
    if (failure !== null && isFirst) this.fail({ file: source.name, message: failure });
    if (!last && !this.stopped) return;
    if (this.#opened) await this.#endSource(source);
    this.#before = { payloads: 0, lines: 0 };
    this.#opened = false;
    this.#failed = false;
    this.#source = null;
  }

  /** The run is interrupted while another thread checks `batch`. Throws Interrupted. */
  leave({ parts }: Batch, work: AtWork | null): never {
    const { interrupt } = this.#io;
    if (work !== null) {
      const { part, payload, line } = work;
      this.beginPart(parts[part]!); // it is one of them
      this.#fault({ payload, line, message: wordsForInterrupt(interrupt.reason), stack: null });
    }
    throw new Interrupted(interrupt);
  }

  /** The run is interrupted: reports what is known of the current source, unless its destination must be whole. */
  async breakOff(): Promise<void> {
    const source = this.#source;
    this.#source = null;
    await this.#settle();
    if (source === null) return;
    await this.#destination?.end(false);
    this.#reportPart(source);
  }

  /** Something cannot be written: reports what is known of the current source, and writes no more payloads. */
  abandon(): void {
    const source = this.#source;
    this.#source = null;
    for (const [{ said }] of this.#late.take([])) for (const say of said) say();
    this.#speak();
    if (source !== null) this.#reportPart(source);
  }

  #reportPart(source: Source): void {
    this.#reportLog(); // otherwise it would not be counted
    const { held, sums, patterns } = this.#takeRead(source);
    if (held !== null) held.clear();
    else this.#sourceEvent(source, sums, patterns);
  }

  async #endSource(source: Source): Promise<void> {
    const left = await this.#leave();
    const read = this.#takeRead(source);
    if (left !== null && this.#late.isEmpty) return this.#conclude(read, left);
    this.#late.add(read, left, this.#io.now());
    // How many violations of other sources are shown depends on whether these are.
    const isCounted = read.shown > 0 && this.#budget.left < Number.POSITIVE_INFINITY;
    if (isCounted || this.#late.isFull || this.#destination?.isFull) await this.#settle();
  }

  /** What is known of the current source. */
  #takeRead(source: Source): ReadSource {
    const read = {
      source,
      sums: this.counts.takeSource(),
      patterns: this.#patterns,
      held: this.#held?.take() ?? null,
      shown: this.#shown,
      failed: this.#failed,
      said: this.#said,
    };
    this.#patterns = new Map();
    this.#shown = 0;
    this.#said = [];
    return read;
  }

  /** Lets the destination end the current source. Null: the destination has put that off. */
  async #leave(): Promise<Left | null> {
    const destination = this.#destination;
    if (destination === null) return { done: false, failure: null };
    const error = this.#held?.error ?? null;
    const isWhole = !this.#failed && !this.stopped && error === null;
    if (isWhole && destination.endLater !== undefined) return destination.endLater();
    const left = await destination.end(isWhole);
    if (error === null || left.failure !== null) return left;
    return {
      done: false,
      failure: `its report cannot be kept in the temporary folder: ${wordsFor(error)}`,
    };
  }

  /** Finishes what the destination has put off, and reports it. */
  async #settle(): Promise<void> {
    if (this.#late.isEmpty) return;
    const settled = (await this.#destination?.settle?.()) ?? [];
    for (const [read, left] of this.#late.take(settled)) {
      for (const say of read.said) say();
      await this.#conclude(read, left);
    }
    this.#speak();
  }

  /** Writes the messages that had to wait. */
  #speak(): void {
    const said = this.#said;
    this.#said = [];
    for (const say of said) say();
  }

  /** Runs `action`, which writes to reports or to standard error, after the messages about earlier sources. */
  #inTurn(action: () => void): void {
    if (this.#late.isEmpty) action();
    else this.#said.push(action);
  }

  /** Reports a source whose destination is done with it. */
  async #conclude(read: ReadSource, { done, failure, warning }: Left): Promise<void> {
    const { source, sums, patterns, held, failed } = read;
    if (warning) this.#warn(source.name, warning);
    if (failure !== null) this.fail({ file: source.name, message: failure });
    // A file that was replaced is reported, even if it may not be durable.
    if (held !== null && ((failure !== null && !done) || failed)) {
      held.clear();
      return;
    }
    if (!done) {
      sums.filled = 0; // nothing was written anywhere
      patterns.clear();
    }
    if (held !== null) await this.#release(held, read.shown, done);
    if (sums.payloads === 0 && !failed && failure === null) this.counts.emptySource();
    this.#sourceEvent(source, sums, patterns);
  }

  /** Reports the held events, which show `shown` violations. `done`: the pieces of the source have been written. */
  async #release(held: HeldEvents, shown: number, done: boolean): Promise<void> {
    this.#budget.take(shown);
    let count = 0;
    for (const event of held.replay()) {
      if (event.type === 'fill' && !done) continue;
      this.#send(event);
      if (++count % AT_ONCE === 0) await this.#report.flush();
    }
    held.clear();
  }

  #sourceEvent({ name }: Source, sums: Sums, patterns: ReadonlyMap<string, number>): void {
    const counts = this.counts.endSource(name, sums);
    const { outlet } = this.#job.options;
    if (outlet?.type !== 'fill') {
      const { filled: _, ...source } = counts;
      this.#send({ type: 'source', source });
      return;
    }
    const isLeft = !outlet.bytes && counts.filled !== undefined && counts.filled > 0;
    const wouldFill = outlet.check ? 'check' : 'diff';
    const source = isLeft ? ({ ...counts, wouldFill } as const) : counts;
    this.#send({ type: 'source', source, patterns });
  }

  /** Ends the run's output. `whole`: all sources were passed through. */
  async finish(whole: boolean): Promise<void> {
    await this.#settle();
    const isWhole = whole && !this.stopped && this.counts.failures === 0;
    const isEmpty = this.counts.total === 0 && !this.#job.mayBeEmpty;
    const extent = isEmpty && this.counts.failures === 0 ? 'empty' : isWhole ? 'whole' : 'part';
    const failures = (await this.#destination?.finish?.(extent)) ?? [];
    for (const { file, message } of failures) this.#say(file, message);
  }

  fail(failure: Failure): void {
    this.counts.failure();
    this.#inTurn(() => {
      this.#send({ type: 'failure', failure });
      this.#say(failure.file, failure.message);
    });
  }

  /** Reports what the user should know, but is not a failure. */
  #warn(file: string, warning: string): void {
    this.#say(file, `warning: ${warning}`);
  }

  #note(text: string): void {
    if (!this.#job.notes) return;
    const file = this.#source?.name ?? '';
    this.#inTurn(() => this.#say(file, `note: ${text}`));
  }

  #say(file: string, message: string): void {
    this.#progress.clear();
    this.#io.stderr.write(`paylint: ${visible(file)}: ${visible(message)}\n`);
  }

  /** The run is over or interrupted. */
  close(): void {
    this.#held?.clear();
  }
}

/** By statement, how many of the violations with indexes in [from, to) have it. */
function countsIn({ rows, rules }: ViolationTable, from: number, to: number): Float64Array {
  const counts = new Float64Array(rules.length);
  for (let row = from; row < to; row++) counts[rows[row * ROW]!]!++;
  return counts;
}
