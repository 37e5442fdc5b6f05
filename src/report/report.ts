/** All reports of a run: gives every event to each reporter, and writes what they return. */
import { ClosedPipe } from '../errors.ts';
import type { ReportEvent, Reporter } from '../types.ts';
import { NOWHERE, Output } from '../write/stream-output.ts';

/** A format, and the output for its text. */
export interface ReportTarget {
  readonly reporter: Reporter;
  readonly output: Output;
}

/** Changes events before the reports get them, as a baseline does; null: the reports do not get the event. */
export interface EventFilter {
  event(event: ReportEvent): ReportEvent | null;
}

/** What a run needs of it. */
export type EventTaker = Pick<Report, 'event' | 'flush'>;

export class Report {
  readonly #targets: readonly ReportTarget[];
  /** Called before text is written, so that a progress line can be cleared. */
  readonly #beforeWrite: () => void;
  readonly #outlives: boolean;
  readonly #filter: EventFilter | null;
  /** Reports that can no longer be written, if that does not end the run. */
  readonly #lost = new Set<ReportTarget>();
  /** The events since the last flush. */
  #events: ReportEvent[] = [];

  /** `outlives`: a run continues without a report that can no longer be written, and `close` throws the error. */
  constructor(
    targets: readonly ReportTarget[],
    beforeWrite: () => void,
    outlives = false,
    filter: EventFilter | null = null,
  ) {
    this.#targets = targets;
    this.#beforeWrite = beforeWrite;
    this.#outlives = outlives;
    this.#filter = filter;
  }

  event(event: ReportEvent): void {
    const reported = this.#filter === null ? event : this.#filter.event(event);
    if (reported !== null) this.#events.push(reported);
  }

  /** Writes the events. Throws ClosedPipe and WriteError, unless the run outlives its reports. */
  async flush(): Promise<void> {
    await this.#draw();
    for (const target of this.#targets) {
      if (target.output.isEmpty || this.#lost.has(target)) continue;
      this.#beforeWrite();
      try {
        await target.output.flush();
      } catch (error) {
        if (!this.#outlives) throw error;
        this.#lost.add(target);
      }
    }
  }

  /** Writes everything and closes all files of reports. Throws ClosedPipe, or WriteError if there is one. */
  async close(): Promise<void> {
    await this.#draw();
    this.#beforeWrite();
    const outcomes = await Promise.allSettled(this.#targets.map(({ output }) => output.close()));
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (errors.length > 0) throw errors.find((error) => !(error instanceof ClosedPipe)) ?? errors[0];
  }

  /** The run cannot go on: completes reports in files, and writes no more to streams. Throws WriteError. */
  async abandon(): Promise<void> {
    for (const target of this.#targets) if (!target.output.isOwned) this.#lost.add(target);
    await this.#draw();
    const files = this.#targets.filter(({ output }) => output.isOwned);
    const outcomes = await Promise.allSettled(files.map(({ output }) => output.close()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Gives up the reports in files that are not closed. Never throws. */
  async discard(): Promise<void> {
    await Promise.all(this.#targets.map(({ output }) => output.discard()));
  }

  async #draw(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    const targets = this.#targets.filter((target) => !this.#lost.has(target));
    const violations = events.filter((event) => event.type === 'violations');
    if (violations.length > 0) for (const { reporter } of targets) await reporter.prepare?.(violations);
    for (const { reporter, output } of targets) {
      for (const event of events) output.write(reporter(event));
      if (reporter.flush !== undefined) output.write(reporter.flush());
    }
  }
}

/** A report whose events go to `take` instead of an output. */
export function reportTo(take: (event: ReportEvent) => void, filter: EventFilter | null): Report {
  const reporter = (event: ReportEvent): string => {
    take(event);
    return '';
  };
  return new Report([{ reporter, output: new Output(NOWHERE, 'nowhere') }], () => {}, false, filter);
}
