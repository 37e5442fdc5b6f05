/**
 * The flow on one screen: sources in order, their violations to the reports, the counts to the exit code.
 */
import { setImmediate } from 'node:timers/promises';
import type { CheckOptions, CheckSink } from './check.ts';
import type { Progress } from './cli/progress.ts';
import { type AcceptSource, createEngines, type EngineOptions } from './engines.ts';
import { Interrupted } from './input/failure.ts';
import { Window } from './input/window.ts';
import type { Report } from './report.ts';
import type { SchemaSet } from './schema/load.ts';
import { Tally } from './tally.ts';
import type { Failure, Io, Source, Violation } from './types.ts';
import { visible } from './words/escape.ts';
import { checkPart, type PartEnd, type PartResult } from './workers/part.ts';
import { type Part, plan, planSerial } from './workers/plan.ts';
import { schedule } from './workers/schedule.ts';

export interface Job {
  readonly sources: readonly Source[];
  /** What went wrong while the sources were looked for. */
  readonly failures: readonly Failure[];
  readonly schemas: SchemaSet;
  readonly engineOptions: EngineOptions;
  readonly accept: AcceptSource;
  readonly options: CheckOptions;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
  /** How many threads may work. */
  readonly threads: number;
}

/**
 * Checks all sources and reports; resolves to the counts, from which the exit code follows.
 * Throws Interrupted, ClosedPipe and WriteError.
 */
export async function run(job: Job, report: Report, progress: Progress, io: Io): Promise<Tally> {
  const begun = performance.now();
  const window = new Window();
  const engines = createEngines(job.schemas, job.engineOptions, window.memory, job.accept);
  const context = { window, engines, options: job.options, stdin: io.stdin, interrupt: io.interrupt };
  const desk = new Desk(job, report, progress, io);
  for (const failure of job.failures) desk.fail(failure);
  const batches = job.threads === 1 ? planSerial(job.sources) : plan(job.sources, job.options.framing);
  const share = () => ({
    schemas: job.schemas,
    engineOptions: job.engineOptions,
    options: job.options,
    bail: job.bail,
    accept: new Map(job.sources.map(({ kind }) => [kind, job.accept(kind)])),
  });
  for await (const { batch, results } of schedule(batches, job.threads, context, share)) {
    desk.reading = results === null ? window : null;
    for (const [i, part] of batch.parts.entries()) {
      const found = results?.[i];
      if (found !== undefined) desk.replay(found);
      else if (results !== null) break; // the rest was left undone: an invalid payload has ended the run
      desk.endPart(part, found ?? (await checkPart(part, context, desk.sink)));
      await desk.sink.flush();
      if (desk.stopped) break;
    }
    if (desk.stopped) break;
  }
  report.event({ type: 'summary', summary: desk.tally.summary(Math.round(performance.now() - begun)) });
  progress.end();
  await report.close();
  return desk.tally;
}

/** Milliseconds after which signals and pipes get their turn. */
const TURN = 20;

/** Where results arrive, in order: they are counted and reported. */
class Desk {
  readonly tally = new Tally();
  /** An invalid payload has ended the run. */
  stopped = false;
  /** Where a part is being read whose results go out as they come. */
  reading: Window | null = null;
  /** Bytes read of the parts that are done. */
  #bytes = 0;
  /** Payloads and lines in the parts of the present source that are done. */
  #before = { payloads: 0, lines: 0 };
  #opened = false;
  #turn = performance.now();
  readonly #job: Job;
  readonly #report: Report;
  readonly #progress: Progress;
  readonly #io: Io;

  constructor(job: Job, report: Report, progress: Progress, io: Io) {
    this.#job = job;
    this.#report = report;
    this.#progress = progress;
    this.#io = io;
  }

  readonly sink: CheckSink = {
    violation: (violation, excerpt) => {
      const { payloads, lines } = this.#before;
      const placed = payloads + lines === 0 ? violation : moved(violation, payloads, lines);
      this.tally.violation(placed);
      this.#report.event({ type: 'violation', violation: placed, excerpt });
    },
    payload: (kind, valid) => {
      this.tally.payloads(kind, valid, 1);
      this.stopped = this.#job.bail && !valid;
      return !this.stopped;
    },
    transcript: null,
    accepted: (kind, payloads) => this.tally.payloads(kind, true, payloads),
    flush: async () => {
      this.#progress.update(this.tally.total, this.#bytes + (this.reading?.bytesRead ?? 0));
      await this.#report.flush();
      if (performance.now() - this.#turn > TURN) {
        await setImmediate();
        this.#turn = performance.now();
      }
      if (this.#io.interrupt.aborted) throw new Interrupted(this.#io.interrupt);
    },
  };

  /** Counts and reports what was found elsewhere. */
  replay({ violations, payloads }: PartResult): void {
    for (const { violation, excerpt } of violations) this.sink.violation(violation, excerpt);
    for (const { kind, valid, count } of payloads) {
      this.tally.payloads(kind, valid, count);
      this.stopped ||= this.#job.bail && !valid;
    }
  }

  endPart({ source, last }: Part, { opened, failure, lines, bytes }: PartEnd): void {
    this.#bytes += bytes;
    this.reading = null;
    this.#opened ||= opened;
    this.#before = { payloads: this.tally.ofSource, lines: this.#before.lines + lines };
    if (failure !== null) this.fail({ file: source.name, message: failure });
    if (!last && !this.stopped) return;
    if (this.#opened) this.#report.event({ type: 'source', source: this.tally.endSource(source.name) });
    this.#before = { payloads: 0, lines: 0 };
    this.#opened = false;
  }

  fail(failure: Failure): void {
    this.tally.failure();
    this.#report.event({ type: 'failure', failure });
    this.#progress.clear();
    this.#io.stderr.write(`paylint: ${visible(failure.file)}: ${visible(failure.message)}\n`);
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

function isPlace(value: unknown): value is { readonly line: number } {
  return typeof value === 'object' && value !== null && 'line' in value && typeof value.line === 'number';
}
