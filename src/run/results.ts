/** Receives what is found in the sources, in order: counts it, makes events of it, and passes pieces on. */
import { Interrupted, wordsForInterrupt } from '../errors.ts';
import { editsIn } from '../json/edits.ts';
import { countsIn, type HiddenCount, ROW, ViolationLog } from '../log/violation-table.ts';
import type { EventTaker } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import type { Window } from '../source/window.ts';
import type {
  ChangedPlace,
  ChangeEvent,
  Extra,
  Repair,
  ReportEvent,
  Statement,
  ViolationPlace,
  ViolationTable,
} from '../types.ts';
import { visible } from '../words/escape.ts';
import { notChecked } from '../words/own-rules.ts';
import { levelOf } from '../words/rule-levels.ts';
import { Budget, comparesTwo } from './check/flow.ts';
import { CHANGED, Counts } from './counts.ts';
import type { Job, Progress } from './job.ts';
import type { PayloadFault, SourceEvent } from './outlets/sink.ts';
import type { Batch, Collector, Part, PartEnd } from './part.ts';
import type { RelatedPayloads } from './related-payloads.ts';
import { SourceEnds, type SourceResults, unlistedHint } from './source-ends.ts';
import type { AtWork } from './workers/claims.ts';
import type { Gathered } from './workers/gather.ts';

/** Most memory that violations and their texts may use before they are written. In bytes, roughly. */
const MOST_LOGGED = 8 << 20;

/** For verbs whose result is about all payloads. */
const UNREAD = 'it was not read to its end: what follows the fault is not known';

export class Results implements Collector {
  /** Sources and the run end here. */
  readonly ends: SourceEnds;
  /** An invalid payload has ended the run. */
  stopped = false;
  /** The window of a part whose results are reported as they come. */
  reading: Window | null = null;
  /** Null: payloads are not compared. */
  related: RelatedPayloads | null = null;
  /** Of the last source. */
  lastName = '';
  readonly #job: Job;
  readonly #report: EventTaker;
  readonly #progress: Progress;
  readonly #io: Io;
  readonly #budget: Budget;
  readonly #turns: Turns;
  /** Null between sources. */
  #current: SourceResults | null = null;
  /** Violations of the present part that are not reported yet; null: there were none so far. */
  #log: ViolationLog | null = null;
  /** Payloads rejected in the parts that are done, of all sources. */
  #rejects = 0;
  /** Bytes read of finished parts. */
  #bytes = 0;
  /** A bug's stack was already shown in this run. */
  #bugShown = false;

  constructor(job: Job, report: EventTaker, progress: Progress, io: Io) {
    this.ends = new SourceEnds(job, report, progress, io);
    this.#job = job;
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
    this.#budget = new Budget(job.options.budget);
    this.#turns = new Turns(io);
  }

  /** What is found belongs to it. */
  get #source(): SourceResults {
    return this.#current!; // results come between the beginning of a source and its end
  }

  /** Makes the source of `part` the current one. */
  beginPart({ source }: Part): void {
    if (this.#current?.source === source) return;
    this.lastName = source.name;
    this.#current = {
      source,
      held: this.#job.held?.() ?? null,
      shown: 0,
      counts: new Counts(),
      patterns: { fill: new Map(), prune: new Map() },
      before: { payloads: 0, lines: 0 },
      opened: false,
      failed: false,
      unread: false,
    };
    this.#job.destination?.begin(source);
  }

  async endPart({ last }: Part, { opened, failure, lines, unread, bytes }: PartEnd): Promise<void> {
    this.#reportLog();
    this.#bytes += bytes;
    this.reading = null;
    const results = this.#source;
    const { source, counts, before, failed } = results;
    results.opened ||= opened;
    results.failed ||= failure !== null;
    results.unread ||= unread;
    results.before = { payloads: counts.payloads, lines: before.lines + lines };
    // Every range of a file may fail for the same reason.
    if (failure !== null && !failed) this.ends.fail({ file: source.name, message: failure });
    if (unread && this.#job.options.engine !== 'plain') this.ends.fail({ file: source.name, message: UNREAD });
    if (!last && !this.stopped) return;
    if (results.opened) await this.ends.end(results, !results.failed && !this.stopped);
    this.#current = null;
  }

  /** The run is interrupted while another thread checks `batch`. Throws Interrupted. */
  interruptAt({ parts }: Batch, work: AtWork | null): never {
    const { interrupt } = this.#io;
    if (work !== null) {
      const { part, payload, line } = work;
      this.beginPart(parts[part]!); // it is one of them
      this.#fault({ payload, line, message: wordsForInterrupt(interrupt.reason), stack: null });
    }
    throw new Interrupted(interrupt);
  }

  /** The current source with all that was found in it so far; null: there is none. */
  unfinished(): SourceResults | null {
    this.#reportLog();
    return this.#current;
  }

  /** The run is over or interrupted. */
  close(): void {
    this.#current?.held?.clear();
  }

  /** Counts and reports the results of another thread. */
  replay({ violations, events, claims, counts, hidden, edits, chunks }: Gathered): void {
    const { source, counts: sums, before } = this.#source;
    if (claims.length > 0) this.related?.replay(claims, before, source);
    for (const one of hidden.values()) this.#hide(one);
    let from = 0;
    for (const { before: to, found } of events) {
      this.#admitted(violations, from, to);
      from = to;
      this.emit(found);
    }
    this.#admitted(violations, from, violations === null ? 0 : violations.rows.length / ROW);
    for (const { chunk, changed, channel } of chunks) this.bytes(chunk, changed, channel);
    for (const edit of editsIn(edits)) this.emit({ type: 'edit', edit });
    sums.add(counts);
    this.#stopAfter(counts.valid === counts.payloads);
  }

  violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again = false): boolean {
    const { rule, fixable } = statement;
    if (this.#admit(1) === 0) this.#hide({ rule, count: 1, fixable: Number(fixable) });
    else {
      this.#log ??= new ViolationLog();
      this.#log.add(statement, place, extra, again);
    }
    return this.#log !== null && this.#log.weight >= MOST_LOGGED;
  }

  emit(found: SourceEvent): void {
    const { source, counts, patterns, before } = this.#source;
    if (counts.take(found)) {
      if (found.type === 'payload') this.#stopAfter(found.valid);
      return;
    }
    switch (found.type) {
      case 'fault':
        this.#fault(found.fault);
        break;
      case 'hidden':
        this.#hide(found);
        break;
      case 'unlisted':
        counts.unlisted += found.count;
        this.ends.hint(source.name, unlistedHint(found.payload + before.payloads, found.count));
        break;
      case 'claim':
        this.related?.take(found.claim, before, source);
        break;
      case 'hint':
        this.ends.hint(source.name, found.text);
        break;
      case 'covered':
        this.#job.coverage?.add(found.counted, source.name, before);
        break;
      case 'edit':
        this.#job.destination?.edit?.(found.edit);
        break;
      case 'change':
        this.#change(found.repair, found.place);
        break;
      case 'changed': {
        const { repair, pattern, count } = found;
        counts[CHANGED[repair]] += count;
        patterns[repair].set(pattern, (patterns[repair].get(pattern) ?? 0) + count);
        break;
      }
      case 'rejected':
        this.#reportLog(); // violations of the part say how many were rejected before it
        this.#rejects += found.count;
    }
  }

  #stopAfter(valid: boolean): void {
    this.stopped ||= this.#job.options.bail && !valid;
  }

  #fault({ message, stack, ...place }: PayloadFault): void {
    this.#reportLog();
    const { source, before, counts } = this.#source;
    const [payload, line] = [place.payload + before.payloads, place.line + before.lines];
    const why = message === null ? '' : `: ${message}`;
    this.ends.fail({ file: source.name, message: notChecked(payload, line) + why, payload, line });
    if (stack !== null && !this.#bugShown) {
      this.#bugShown = true;
      const shown = stack.split('\n').map(visible).join('\n');
      this.ends.message(`paylint: this is a bug in paylint, please report it\n${shown}\n`);
    }
    // If two schemas are compared, it is not known that it broke.
    const valid = comparesTwo(this.#job.options);
    if (valid) counts.compared.failed++;
    this.emit({ type: 'payload', kind: null, valid });
  }

  /** A payload may take long to examine: signals are handled between two of them, too. */
  get isDue(): boolean {
    return this.#turns.isDue;
  }

  async flush(): Promise<void> {
    this.#reportLog();
    if (this.ends.isDue) await this.ends.settle();
    const payloads = this.ends.counts.payloads + (this.#current?.counts.payloads ?? 0);
    this.#progress.update(payloads, this.#bytes + (this.reading?.bytesRead ?? 0));
    await this.#job.removed?.flush();
    await this.#job.destination?.flush?.();
    await this.#report.flush();
    await this.#turns.take();
  }

  bytes(chunk: Uint8Array, changed: boolean, channel = 0): void {
    this.#job.destination?.bytes?.(chunk, changed, channel);
  }

  #change(repair: Repair, place: ChangedPlace): void {
    const { payloads, lines } = this.#source.before;
    const changed = { ...place, payload: place.payload + payloads, line: place.line + lines };
    this.#event({ type: repair, [repair]: changed } as ChangeEvent); // a place of that repair
    if (repair === 'prune') this.#job.removed?.add(changed);
  }

  /** Reports as many of the violations with indexes in [from, to) as may be shown, and counts the others. */
  #admitted(table: ViolationTable | null, from: number, to: number): void {
    if (table === null || from === to) return;
    const admitted = from + this.#admit(to - from);
    this.#violations(table, from, admitted);
    for (const counts of countsIn(table, admitted, to)) this.#hide(counts);
  }

  /**
   * How many of `count` violations are reported. A source that is dropped must not use up the budget of others, so held
   * violations are taken from it when they are reported.
   */
  #admit(count: number): number {
    const source = this.#source;
    if (source.held === null) {
      this.#budget.take(count);
      return count;
    }
    const admitted = Math.min(count, this.#budget.reportable - source.shown);
    source.shown += admitted;
    return admitted;
  }

  /** Reports the violations of the present part that were found in this thread so far. */
  #reportLog(): void {
    const table = this.#log?.take() ?? null;
    if (table !== null) this.#violations(table, 0, table.rows.length / ROW);
  }

  /** Counts and reports violations with indexes in [from, to). */
  #violations(table: ViolationTable, from: number, to: number): void {
    if (from === to) return;
    const { before } = this.#source;
    for (const counts of countsIn(table, from, to)) this.#counted(counts);
    this.#event({ type: 'violations', table, from, to, before: { ...before, rejects: this.#rejects } });
  }

  /** Violations that are only counted; no report knows of those of rules that are off. */
  #hide({ rule, count, fixable }: HiddenCount): void {
    this.#counted({ rule, count, fixable });
    if (levelOf(rule, this.#job.options.rules) !== 'off')
      this.#event({ type: 'hidden', file: this.#source.source.name, rule, count, fixable });
  }

  #counted({ rule, count, fixable }: HiddenCount): void {
    const { source, counts } = this.#source;
    counts.addViolations(rule, count, this.#job.options.rules);
    if (fixable > 0) this.ends.counts.fixable.add(source);
  }

  /** Reports an event after all violations before it. */
  #event(event: ReportEvent): void {
    this.#reportLog();
    const { held } = this.#source;
    if (held === null) this.#report.event(event);
    else held.add(event);
  }
}
