/** How an instance reads sources: files, bytes and streams. */
import { resolve } from 'node:path';
import type { SchemaChoice } from '../engine/accept.ts';
import { endingFor, Interrupted, UsageError } from '../errors.ts';
import { violationsOf } from '../log/violation-table.ts';
import { FORM_OF_REPORTS } from '../package.ts';
import { reportTo } from '../report/report.ts';
import { NO_BUDGET, type Plan } from '../run/check/flow.ts';
import { exitOf } from '../run/exit.ts';
import { NO_PROGRESS } from '../run/job.ts';
import { run } from '../run/run.ts';
import { arrayReading } from '../schema/array-root.ts';
import { isLocal } from '../schema/set.ts';
import { resolveSources } from '../source/paths.ts';
import type { ReportEvent, Source, Summary } from '../types.ts';
import type { FileEvent, FileOptions, FilesResult, PayloadInput, PayloadOptions, StopSignal } from './api.ts';
import { knownFraming, knownKind, pathList, pathText, wholeNumber } from './inputs.ts';
import { version } from './inserted.ts';
import { type InstanceParts, ioFor } from './instance-settings.ts';
import { type PayloadRun, sourceOf } from './payload-stream.ts';

/** How `payloads` and `payloadsOf` read their input. Throws UsageError. */
export function payloadRun(
  parts: InstanceParts,
  input: PayloadInput,
  { file, ...options }: PayloadOptions,
): Pick<PayloadRun, 'source' | 'options' | 'baseline'> {
  const path = file === undefined ? (typeof input === 'string' ? input : null) : pathText('file', file);
  const plan = planOf(parts, { ...(path === null ? {} : parts.reading), ...options });
  return {
    source: known(parts, sourceOf(input, path), path, plan, options.kind),
    options: plan,
    baseline: path === null ? null : (parts.baseline?.(resolve()) ?? null),
  };
}

/** Completes the source with the settings for its file. `kind`: the one that the call gives. */
function known(
  { set, files, kind: given }: InstanceParts,
  source: Source,
  path: string | null,
  plan: Plan,
  kind?: string,
) {
  const ofFile = path === null ? null : files.kindOf(resolve(path));
  const own = kind === undefined ? (given ?? ofFile) : knownKind(set, kind);
  return { ...source, kind: own, arrays: arrayReading(set, own, plan.framing !== null) };
}

function planOf({ limits, judging }: InstanceParts, { input, whole }: Pick<PayloadOptions, 'input' | 'whole'>): Plan {
  return Object.freeze({
    ...limits,
    ...judging,
    framing: knownFraming(input),
    whole: whole === true,
    bail: false,
    excerpts: false,
    budget: NO_BUDGET,
    outlet: null,
    engine: 'plain',
  });
}

/** What a call reads whose signal was aborted before. */
const NO_SOURCES = { sources: [], failures: [], unmatched: [] } as const;

/** Like a run of the command line, with events instead of text. Throws UsageError for arguments that cannot be used. */
export async function validateFiles(
  parts: InstanceParts,
  paths: readonly string[],
  { threads, ignore = [], cwd = '.', signal, onEvent = () => {}, ...reading }: FileOptions,
): Promise<FilesResult> {
  const { set, engines, baseline, files, relations } = parts;
  const related = relations.length === 0 ? null : await import('../run/check/related-values.ts');
  const options = {
    ...planOf(parts, reading),
    ...(baseline === null ? {} : { each: true }),
    ...related?.relationsOf(relations),
  };
  if (pathList('paths', paths).includes('-')) {
    throw new UsageError('- is standard input, which the library does not read; payloads(stream) reads a stream');
  }
  const places = {
    cwd: pathText('cwd', cwd),
    ignore: pathList('ignore', ignore),
    stdinName: null,
    framing: options.framing,
  };
  const { sources, failures, unmatched } = signal?.aborted ? NO_SOURCES : await resolveSources(paths, places);
  const most = threads === undefined ? null : wholeNumber('threads', threads, Number.POSITIVE_INFINITY);
  const job = {
    sources: sources
      .filter(({ path }) => path === null || !files.ignores(path))
      .map((source) => known(parts, source, source.path, options)),
    failures: [...failures, ...unmatched],
    schemas: engines.schemas,
    options,
    hints: false,
    // Functions of the caller judge, which no other thread has.
    threads: isLocal(set) ? 1 : most,
    destination: null,
    held: null,
    mayBeEmpty: true,
  };
  let summary: Summary | null = null;
  /** What an `onEvent` that is asynchronous threw: an error of this call, as if it had thrown it. */
  const rejected: unknown[] = [];
  const take = (event: ReportEvent): void => {
    for (const one of fileEvents(event)) {
      const answer: unknown = onEvent(one);
      if (answer instanceof Promise) answer.catch((error: unknown) => rejected.push(error));
    }
    if (event.type === 'summary') summary = event.summary;
  };
  const report = reportTo(take, baseline?.(resolve(cwd)) ?? null);
  const io = ioFor(cwd, signal);
  const fillable = async (fixable: ReadonlySet<Source>): Promise<number | null> =>
    (await import('../run/fillable.ts')).fillableIn(fixable, job, () => fillingBy(parts), io);
  const ended = run({ ...job, fillable }, report, NO_PROGRESS, io);
  await ended.catch((error: unknown) => {
    if (signal?.aborted !== true || summary === null) throw error;
  });
  if (rejected.length > 0) throw rejected[0];
  return withExitCode(summary!, signal); // the run has ended normally or by the signal, so there is a summary
}

/** The schemas with the defaults that `fill` adds. */
async function fillingBy({ set, areBundled }: InstanceParts): Promise<SchemaChoice> {
  const { readDefaults } = await import('../repair/defaults.ts');
  return { load: async () => set, precompiled: null, defaults: { texts: await readDefaults(set, false, areBundled) } };
}

function withExitCode(summary: Summary, signal: StopSignal | undefined): FilesResult {
  const { interrupted, failures, payloads, invalid } = summary;
  const ended = interrupted && signal !== undefined ? endingFor(new Interrupted(signal), signal.reason) : null;
  const exitCode = ended?.code ?? exitOf({ failures, payloads, invalid }, {}).code;
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
      yield { type: 'summary', version: version(), ...FORM_OF_REPORTS, ...event.summary };
  }
}
