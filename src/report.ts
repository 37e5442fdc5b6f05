/**
 * The report service: owns the writers, hands every event to each reporter, and sends on what they answer.
 */
import type { Output } from './output.ts';
import type { ReportEvent, Reporter } from './types.ts';

/** A format and where its text goes. */
export interface ReportTarget {
  readonly reporter: Reporter;
  readonly output: Output;
}

export class Report {
  readonly #targets: readonly ReportTarget[];
  /** Called before text is written, so that a progress line can make way. */
  readonly #beforeWrite: () => void;
  /** What has happened since the last flush. */
  #events: ReportEvent[] = [];

  constructor(targets: readonly ReportTarget[], beforeWrite: () => void) {
    this.#targets = targets;
    this.#beforeWrite = beforeWrite;
  }

  event(event: ReportEvent): void {
    this.#events.push(event);
  }

  /** Writes what has happened. Throws ClosedPipe and WriteError. */
  async flush(): Promise<void> {
    await this.#draw();
    for (const { output } of this.#targets) {
      if (output.isEmpty) continue;
      this.#beforeWrite();
      await output.flush();
    }
  }

  /** Writes all and closes what is the report's own. Every output is closed, whatever happens to the others. */
  async close(): Promise<void> {
    await this.#draw();
    this.#beforeWrite();
    const outcomes = await Promise.allSettled(this.#targets.map(({ output }) => output.close()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #draw(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    const violations = events.filter((event) => event.type === 'violation');
    if (violations.length > 0) for (const { reporter } of this.#targets) await reporter.prepare?.(violations);
    for (const { reporter, output } of this.#targets) {
      for (const event of events) output.write(reporter(event));
    }
  }
}
