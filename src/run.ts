/**
 * The flow on one screen: sources one after another, their violations to the reports, the counts to the exit code.
 */
import { type CheckOptions, type CheckSink, checkSource, type Engines } from './check.ts';
import type { Progress } from './cli/progress.ts';
import { type ByteReader, openBytes } from './input/bytes.ts';
import { Interrupted, SourceError } from './input/failure.ts';
import { Window } from './input/window.ts';
import type { Report } from './report.ts';
import { Tally } from './tally.ts';
import type { Failure, Io, Source } from './types.ts';
import { visible } from './words/escape.ts';

export interface Job {
  readonly sources: readonly Source[];
  /** What went wrong while the sources were looked for. */
  readonly failures: readonly Failure[];
  readonly options: CheckOptions;
  readonly engines: (memory: WebAssembly.Memory) => Engines;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
}

/**
 * Checks all sources and reports; resolves to the counts, from which the exit code follows.
 * Throws Interrupted, ClosedPipe and WriteError.
 */
export async function run(job: Job, report: Report, progress: Progress, io: Io): Promise<Tally> {
  const begun = performance.now();
  const tally = new Tally();
  const window = new Window();
  const engines = job.engines(window.memory);
  let stopped = false;
  let reader: ByteReader | null = null;
  const sink: CheckSink = {
    violation(violation, excerpt) {
      tally.violation(violation);
      report.event({ type: 'violation', violation, excerpt });
    },
    payload(kind, valid) {
      tally.payloads(kind, valid, 1);
      stopped = job.bail && !valid;
      return !stopped;
    },
    accepted(kind, payloads) {
      tally.payloads(kind, true, payloads);
    },
    async flush() {
      if (io.interrupt.aborted) throw new Interrupted(io.interrupt);
      progress.update(tally.total, reader?.progress.bytes ?? 0);
      await report.flush();
    },
  };
  const fail = (failure: Failure): void => {
    tally.failure();
    report.event({ type: 'failure', failure });
    progress.clear();
    io.stderr.write(`paylint: ${visible(failure.file)}: ${visible(failure.message)}\n`);
  };
  for (const failure of job.failures) fail(failure);
  for (const source of job.sources) {
    if (stopped) break;
    tally.beginSource();
    try {
      reader = await openBytes(source, io.stdin, io.interrupt);
      window.reset(reader);
      await checkSource(source, window, engines, job.options, sink);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      fail({ file: source.name, message: error.message });
    } finally {
      await reader?.close();
    }
    if (reader !== null) report.event({ type: 'source', source: tally.endSource(source.name) });
    progress.sourceDone(reader?.progress.bytes ?? 0);
    reader = null;
    await sink.flush();
  }
  report.event({ type: 'summary', summary: tally.summary(Math.round(performance.now() - begun)) });
  progress.end();
  await report.close();
  return tally;
}
