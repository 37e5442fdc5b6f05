/**
 * Where results arrive, in the order of the sources: they are counted, reported, and handed on to where filled sources go.
 */

import type { CheckSink, PayloadFault } from '../check/check.ts';
import type { Progress } from '../cli/progress.ts';
import { Interrupted } from '../errors.ts';
import type { Left, Target } from '../fill/target.ts';
import type { TranscriptSink } from '../fill/transcript.ts';
import { wordsFor } from '../input/system-errors.ts';
import type { Window } from '../input/window.ts';
import { isPlace, settle } from '../report/drawn.ts';
import type { Report } from '../report/report.ts';
import type { PartResult } from '../threads/batch.ts';
import type { HiddenCounts } from '../threads/gather.ts';
import type { PartEnd } from '../threads/part.ts';
import type { Part } from '../threads/serial.ts';
import type { Excerpt, Failure, Io, ReportEvent, Source, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { Counts } from './counts.ts';
import type { HeldEvents } from './held-events.ts';
import type { FillJob, Job } from './run.ts';

/** Milliseconds after which signals and pipes get their turn. */
const TURN = 20;

/** Where violations have no end. */
const NO_END = Int32Array.of(0x7fff_ffff);

/** Held events that are reported at once, before the reports are written. */
const AT_ONCE = 1000;

export class Results {
  readonly counts = new Counts();
  /** An invalid payload has ended the run. */
  stopped = false;
  /** Where a part is being read whose results go out as they come. */
  reading: Window | null = null;
  /** Bytes read of the parts that are done. */
  #bytes = 0;
  /** Payloads and lines in the parts of the present source that are done. */
  #before = { payloads: 0, lines: 0 };
  #opened = false;
  /** The present source; null between two. */
  #source: Source | null = null;
  /** Something kept the present source from being read to its end. */
  #failed = false;
  /** Members filled in in the present source, by pointer. */
  #patterns = new Map<string, number>();
  /** Where in paylint a bug is was said once in this run. */
  #bugShown = false;
  #turn: number;
  readonly #job: Job;
  readonly #report: Report;
  readonly #progress: Progress;
  readonly #io: Io;
  readonly #target: Target | null;
  /** What is known of the present source, where its target may fail yet; null where everything is reported at once. */
  readonly #held: HeldEvents | null;
  /** Violations of the present source that will be shown, where they are held. */
  #shown = 0;

  constructor(job: Job, report: Report, progress: Progress, io: Io) {
    this.#job = job;
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
    this.#turn = io.now();
    this.#target = job.fill?.target ?? null;
    this.#held = job.fill?.held ?? null;
    this.sink = this.#makeSink(job.fill);
  }

  /** The source of `part` is now the present one. */
  beginPart({ source }: Part): void {
    if (this.#source === source) return;
    this.#source = source;
    this.#target?.begin(source);
  }

  readonly sink: CheckSink;

  #makeSink(fill: FillJob | null): CheckSink {
    return {
      violation: (violation, excerpt) => {
        const { payloads, lines } = this.#before;
        const placed = payloads + lines === 0 ? violation : moved(violation, payloads, lines);
        this.#violation(placed, excerpt);
      },
      hidden: ({ rule, fixable }) => this.#hidden({ rule, count: 1, fixable: fixable ? 1 : 0 }),
      payload: (kind, valid) => {
        this.counts.payloads(kind, valid, 1);
        this.stopped = this.#job.bail && !valid;
        return !this.stopped;
      },
      accepted: (kind, payloads) => this.counts.payloads(kind, true, payloads),
      transcript: fill === null ? null : this.#transcriptSink(fill),
      fault: (fault) => this.#fault(fault),
      flush: () => this.#flush(),
    };
  }

  #violation(violation: Violation, excerpt: Excerpt | null): void {
    const { rule, fixable } = violation;
    const { shownLeft, countsOthers } = this.#job.options;
    // Those of a source that is dropped take nothing away from the others: held ones are counted down when they are reported.
    const isHidden =
      this.#held !== null && countsOthers && this.#shown >= Atomics.load(shownLeft ?? NO_END, 0);
    if (isHidden) {
      this.#hidden({ rule, count: 1, fixable: fixable ? 1 : 0 });
      return;
    }
    if (this.#held !== null) this.#shown++;
    else if (shownLeft !== undefined) Atomics.sub(shownLeft, 0, 1);
    this.counts.violations(rule, 1);
    this.#event({ type: 'violation', violation, excerpt });
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
      this.#io.stderr.write(`paylint: this is a bug in paylint, please report it\n${shown}\n`);
    }
    this.stopped = this.#job.bail;
    return !this.stopped;
  }

  #hidden(counts: HiddenCounts): void {
    this.counts.violations(counts.rule, counts.count);
    this.#event({ type: 'hidden', ...counts });
  }

  #event(event: ReportEvent): void {
    if (this.#held === null) this.#report.event(event);
    else this.#held.add(event);
  }

  #transcriptSink({ target, wantsFills }: FillJob): TranscriptSink {
    return {
      wantsFills,
      bytes(chunk, changed) {
        if (target.wantsBytes) target.bytes(chunk, changed);
      },
      insertion(insertion) {
        if (target.wantsInsertions) target.insertion(insertion);
      },
      fill: (place) => {
        const { payloads, lines } = this.#before;
        const fill = { ...place, payload: place.payload + payloads, line: place.line + lines };
        this.#event({ type: 'fill', fill });
      },
      filled: (pattern, count) => {
        this.counts.filled(count);
        this.#patterns.set(pattern, (this.#patterns.get(pattern) ?? 0) + count);
      },
    };
  }

  async #flush(): Promise<void> {
    this.#progress.update(this.counts.total, this.#bytes + (this.reading?.bytesRead ?? 0));
    await this.#target?.flush();
    await this.#report.flush();
    if (this.#io.now() - this.#turn > TURN) {
      await new Promise((turn) => setImmediate(turn));
      this.#turn = this.#io.now();
    }
    if (this.#io.interrupt.aborted) throw new Interrupted(this.#io.interrupt);
  }

  /** Counts and reports what was found elsewhere. */
  replay({ finds, hidden, drawn, payloads, fills }: PartResult): void {
    for (const counts of hidden) this.#hidden(counts);
    if (drawn !== null) this.#drawn(drawn);
    const transcript = this.sink.transcript;
    for (const find of finds) {
      if ('fill' in find) transcript?.fill(find.fill);
      else this.sink.violation(find.violation, find.excerpt);
    }
    if (fills !== null && transcript !== null) {
      for (const { chunk, changed } of fills.chunks) transcript.bytes(chunk, changed);
      const { offsets, texts } = fills.insertions;
      for (const [i, offset] of offsets.entries()) transcript.insertion({ offset, bytes: texts[i]! });
      for (const [pattern, count] of fills.patterns) transcript.filled(pattern, count);
    }
    for (const { kind, valid, count } of payloads) {
      this.counts.payloads(kind, valid, count);
      this.stopped ||= this.#job.bail && !valid;
    }
  }

  #drawn({ text, rules }: NonNullable<PartResult['drawn']>): void {
    const { payloads, lines } = this.#before;
    if (text !== '') this.#event({ type: 'drawn', text: settle(text, payloads, lines) });
    for (const [rule, count] of rules) this.counts.violations(rule, count);
  }

  async endPart({ source, last }: Part, { opened, failure, lines, bytes }: PartEnd): Promise<void> {
    this.#bytes += bytes;
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
    this.#patterns = new Map();
  }

  async #endSource(source: Source): Promise<void> {
    const { filled, failure, warning } = await this.#leave();
    if (warning) this.#warn(source.name, warning);
    if (failure !== null) this.fail({ file: source.name, message: failure });
    // A file that is in its place is reported, even if it may not be durable.
    if (this.#held !== null && ((failure !== null && !filled) || this.#failed)) this.#drop(this.#held);
    else {
      if (!filled) {
        this.counts.nothingFilled();
        this.#patterns.clear();
      }
      if (this.#held !== null) await this.#release(this.#held, filled);
      this.#sourceEvent(source);
    }
    this.#shown = 0;
  }

  /** Has the target end the present source. */
  async #leave(): Promise<Left> {
    if (this.#target === null) return { filled: false, failure: null };
    const error = this.#held?.error ?? null;
    const left = await this.#target.end(!this.#failed && !this.stopped && error === null);
    if (error === null || left.failure !== null) return left;
    return {
      filled: false,
      failure: `its report cannot be kept in the temporary folder: ${wordsFor(error)}`,
    };
  }

  /** The present source is a failure, and nothing else. */
  #drop(held: HeldEvents): void {
    this.counts.dropSource();
    held.clear();
  }

  /** Reports what was held. `filled`: what was filled in has been left somewhere. */
  async #release(held: HeldEvents, filled: boolean): Promise<void> {
    const { shownLeft } = this.#job.options;
    if (shownLeft !== undefined) Atomics.sub(shownLeft, 0, this.#shown);
    let count = 0;
    for (const event of held.replay()) {
      if (event.type === 'fill' && !filled) continue;
      this.#report.event(event);
      if (++count % AT_ONCE === 0) await this.#report.flush();
    }
    held.clear();
  }

  #sourceEvent({ name }: Source): void {
    const counts = this.counts.endSource(name);
    if (this.#job.fill === null) {
      const { filled: _, ...source } = counts;
      this.#report.event({ type: 'source', source });
    } else this.#report.event({ type: 'source', source: counts, patterns: this.#patterns });
  }

  fail(failure: Failure): void {
    this.counts.failure();
    this.#report.event({ type: 'failure', failure });
    this.#say(failure.file, failure.message);
  }

  /** Reports what the user should know and what is not a failure. */
  #warn(file: string, warning: string): void {
    this.#say(file, `warning: ${warning}`);
  }

  #say(file: string, message: string): void {
    this.#progress.clear();
    this.#io.stderr.write(`paylint: ${visible(file)}: ${visible(message)}\n`);
  }

  /** The run is over, or broken off. */
  close(): void {
    this.#held?.clear();
  }
}

/** The violation as it counts from the beginning of its source, `payloads` and `lines` further up. */
function moved(violation: Violation, payloads: number, lines: number): Violation {
  const { first } = violation.params;
  return {
    ...violation,
    payload: violation.payload + payloads,
    line: violation.line + lines,
    endLine: violation.endLine + lines,
    params: isPlace(first)
      ? { ...violation.params, first: { ...first, line: first.line + lines } }
      : violation.params,
  };
}
