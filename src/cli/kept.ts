/**
 * What `--watch` keeps between two rounds: the events of each source. A source that has not changed is not judged
 * again; all of them are reported.
 */
import { statSync } from 'node:fs';
import { Interrupted } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { NOTHING, sumOf } from '../report/merge.ts';
import { Report, type ReportTarget } from '../report/report.ts';
import type { ReportEvent, Source, Summary } from '../types.ts';
import type { Found } from './settings.ts';

/** The events of a source, the summary of its run last, and what the file was when it was judged. */
interface Events {
  readonly stamp: string;
  readonly all: readonly ReportEvent[];
}

/** The counts of a round. */
export interface RoundCounts {
  readonly total: number;
  readonly invalid: number;
  readonly failures: number;
  readonly warnings: number;
  readonly filledMembers: number;
}

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
): Promise<RoundCounts> {
  const report = new Report(targets, () => {});
  const begun = io.now();
  let summary: Summary | null = null;
  let filledMembers = 0;
  try {
    for (const failure of found.failures) report.event({ type: 'failure', failure });
    for await (const event of kept.events(found, judge, io)) {
      if (event.type === 'summary') {
        summary = summary === null ? event.summary : sumOf(summary, event.summary);
        continue;
      }
      if (event.type === 'source') filledMembers += event.source.filled ?? 0;
      report.event(event);
      await report.flush();
    }
    const { length } = found.failures;
    const all = summary ?? NOTHING;
    const elapsedMs = Math.round(io.now() - begun);
    report.event({ type: 'summary', summary: { ...all, failures: all.failures + length, elapsedMs } });
    await report.close();
    const { payloads: total, invalid, failures, warnings } = all;
    return { total, invalid, failures: failures + length, warnings, filledMembers };
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
