/**
 * A run over files for the library: like that of the command line, but without a terminal, and with events instead of
 * the text of a report.
 */

import { resolve } from 'node:path';
import type { RunOptions } from '../check/flow.ts';
import type { Schemas } from '../engines/accept.ts';
import { endingFor, Interrupted, UsageError } from '../errors.ts';
import { resolveSources } from '../input/paths.ts';
import type { Baseline } from '../report/baseline.ts';
import { reportTo } from '../report/report.ts';
import { violationsOf } from '../report/violation-table.ts';
import { NO_PROGRESS } from '../run/job.ts';
import { run } from '../run/run.ts';
import type { ReportEvent, Source, Summary } from '../types.ts';
import type { FileEvent, FileOptions, FilesResult, StopSignal } from './api.ts';
import { pathList, pathText, wholeNumber } from './arguments.ts';
import { ioFor } from './instance-settings.ts';
import { version } from './version.ts';

/** How files are checked. */
export interface FileRun {
  readonly schemas: Schemas;
  /** The source with the settings for its file; null: it is left out. */
  readonly known: (source: Source) => Source | null;
  /** Makes the baseline; null: there is none. `cwd`: the folder of the names in reports. */
  readonly baseline: ((cwd: string) => Baseline) | null;
  readonly options: RunOptions;
}

/** Throws UsageError for arguments that cannot be used. */
export async function runOverFiles(
  paths: readonly string[],
  { schemas, known, baseline, options }: FileRun,
  { threads, ignore = [], cwd = '.', signal, onEvent = () => {} }: FileOptions,
): Promise<FilesResult> {
  if (pathList('paths', paths).includes('-')) {
    throw new UsageError(
      '- is standard input, which the library does not read; payloads(stream) reads a stream',
    );
  }
  const { sources, failures, unmatched } = await resolveSources(paths, {
    cwd: pathText('cwd', cwd),
    ignore: pathList('ignore', ignore),
    stdinName: null,
    framing: options.framing,
  });
  const job = {
    sources: sources.flatMap((source) => known(source) ?? []),
    failures: [...failures, ...unmatched],
    schemas,
    options,
    notes: false,
    threads: threads === undefined ? null : wholeNumber('threads', threads, Number.POSITIVE_INFINITY),
    destination: null,
    held: null,
    mayBeEmpty: true,
  };
  let summary: Summary | null = null;
  const take = (event: ReportEvent): void => {
    for (const told of fileEvents(event)) onEvent(told);
    if (event.type === 'summary') summary = event.summary;
  };
  const report = reportTo(take, baseline?.(resolve(cwd)) ?? null);
  const ended = run(job, report, NO_PROGRESS, ioFor(cwd, signal));
  await ended.catch((error: unknown) => {
    if (signal?.aborted !== true || summary === null) throw error;
  });
  return withExitCode(summary!, signal); // the run has ended normally or by the signal, so there is a summary
}

/** The exit code, as the command line determines it. */
function withExitCode(summary: Summary, signal: StopSignal | undefined): FilesResult {
  const { interrupted, failures, payloads, invalid } = summary;
  const ended =
    interrupted && signal !== undefined ? endingFor(new Interrupted(signal), signal.reason) : null;
  const exitCode = ended?.code ?? (failures > 0 || payloads === 0 ? 2 : invalid > 0 ? 1 : 0);
  return { ...summary, ok: exitCode === 0, exitCode };
}

function* fileEvents(event: ReportEvent): Generator<FileEvent> {
  switch (event.type) {
    case 'violations':
      for (const violation of violationsOf(event)) yield { type: 'violation', ...violation };
      break;
    case 'failure':
      yield { type: 'failure', ...event.failure };
      break;
    case 'source':
      yield { type: 'source', ...event.source };
      break;
    case 'summary':
      yield { type: 'summary', version: version(), ...event.summary };
  }
}
