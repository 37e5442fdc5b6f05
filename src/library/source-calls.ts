/**
 * The calls of an instance that read sources: files, bytes and streams. Each ends if its signal aborts, or if the
 * instance is closed.
 */
import { resolve } from 'node:path';
import type { Schemas } from '../engine/accept.ts';
import { endingFor, Interrupted, UsageError } from '../errors.ts';
import { FORM_OF_REPORTS } from '../package.ts';
import type { Baseline } from '../report/baseline.ts';
import { reportTo } from '../report/report.ts';
import { violationsOf } from '../report/violation-table.ts';
import { levelOf, NO_BUDGET, type Plan } from '../run/check/flow.ts';
import { exitOf } from '../run/exit.ts';
import { NO_PROGRESS } from '../run/job.ts';
import { run } from '../run/run.ts';
import { arrayReading } from '../schema/array-root.ts';
import { isLocal } from '../schema/set.ts';
import { resolveSources } from '../source/paths.ts';
import type { ReportEvent, Source, Summary } from '../types.ts';
import type {
  FileEvent,
  FileOptions,
  FilesResult,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
  StopSignal,
} from './api.ts';
import {
  bytesOf,
  knownFraming,
  knownKind,
  type OpenCalls,
  pathList,
  pathText,
  requireOptions,
  wholeNumber,
} from './inputs.ts';
import { type InstanceParts, ioFor } from './instance-settings.ts';
import { TEXT_NAME } from './one-text.ts';
import { PayloadIterator, type PayloadRun, payloadsNow, sourceOf } from './payload-stream.ts';
import type { SourceWorkspaces } from './source-workspace.ts';
import { version } from './version.ts';

/** The part of `Paylint` that reads sources. */
export class SourceCalls {
  readonly #made: InstanceParts;
  readonly #work: OpenCalls;
  readonly #workspaces: SourceWorkspaces;

  /** `work`: the calls in progress; `workspaces`: for one source each. */
  constructor(parts: InstanceParts, work: OpenCalls, workspaces: SourceWorkspaces) {
    this.#made = parts;
    this.#work = work;
    this.#workspaces = workspaces;
  }

  /** Throws UsageError after `close`. */
  get #parts(): InstanceParts {
    this.#work.requireOpen();
    return this.#made;
  }

  payloads(input: PayloadInput, options: PayloadOptions = {}): AsyncGenerator<PayloadResult> {
    requireOptions('payloads', options);
    return new PayloadIterator(input, this.#payloadRun(input, options));
  }

  payloadsOf(input: string | Uint8Array, options: PayloadOptions = {}): Generator<PayloadResult> {
    requireOptions('payloadsOf', options);
    const bytes = bytesOf(input);
    const run = this.#payloadRun(bytes, options);
    const { file = typeof input === 'string' ? TEXT_NAME : run.source.name } = options;
    return payloadsNow(bytes, { ...run, source: { ...run.source, name: file } });
  }

  #payloadRun(input: PayloadInput, options: PayloadOptions): PayloadRun {
    const path =
      options.file === undefined ? (typeof input === 'string' ? input : null) : pathText('file', options.file);
    const plan = this.#runOptions({ ...(path === null ? {} : this.#parts.reading), ...options });
    return {
      source: this.#known(sourceOf(input, path), path, plan, options.kind),
      workspaces: this.#workspaces,
      options: plan,
      baseline: path === null ? null : (this.#parts.baseline?.(resolve()) ?? null),
      begin: () => this.#work.begin(options.signal),
    };
  }

  async validateFiles(paths: readonly string[], given: FileOptions = {}): Promise<FilesResult> {
    requireOptions('validateFiles', given);
    const { schemas, baseline, files, reading } = this.#parts;
    const options = { ...reading, ...given };
    const runOptions = {
      ...this.#runOptions(options),
      ...(baseline === null ? {} : { each: true }),
    };
    const known = (source: Source): Source | null =>
      source.path !== null && files.ignores(source.path) ? null : this.#known(source, source.path, runOptions);
    const { stop, ended } = this.#work.begin(options.signal);
    try {
      const relations = await relationsFor(this.#made);
      const run = {
        schemas,
        isLocal: isLocal(this.#made.set),
        known,
        baseline,
        options: { ...runOptions, ...relations },
      };
      return await runOverFiles(paths, run, { ...options, signal: stop.signal });
    } finally {
      ended();
    }
  }

  /** Completes the source with the settings for its file. `kind`: the one that the call gives. */
  #known(source: Source, path: string | null, { framing }: Plan, kind?: string): Source {
    const { set, files, kind: given } = this.#made; // a run over files still asks for them after `close`
    const ofFile = path === null ? null : files.kindOf(resolve(path));
    const known = kind === undefined ? (given ?? ofFile) : knownKind(set, kind);
    return { ...source, kind: known, arrays: arrayReading(set, known, framing !== null) };
  }

  #runOptions({ input, whole }: Pick<PayloadOptions, 'input' | 'whole'>): Plan {
    const { limits, judging } = this.#parts;
    return Object.freeze({
      ...limits,
      ...judging,
      framing: knownFraming(input),
      whole: whole === true,
      bail: false,
      excerpts: false,
      budget: NO_BUDGET,
      outlet: null,
    });
  }
}

/** The checks that compare payloads, for one run. */
async function relationsFor({
  relations,
  judging,
}: Pick<InstanceParts, 'relations' | 'judging'>): Promise<Pick<Plan, 'relations'>> {
  if (relations.length === 0) return {};
  const { relationsOf } = await import('../checks/related.ts');
  return relationsOf(relations, (rule) => levelOf(rule, judging.rules) === 'off');
}

/** How files are checked. */
export interface FileRun {
  readonly schemas: Schemas;
  /** Functions of the caller judge, which no other thread has. */
  readonly isLocal: boolean;
  /** The source with the settings for its file; null: it is left out. */
  readonly known: (source: Source) => Source | null;
  /** Makes the baseline; null: there is none. `cwd`: the folder of the names in reports. */
  readonly baseline: ((cwd: string) => Baseline) | null;
  readonly options: Plan;
}

/**
 * A run over files for the library: like that of the command line, but without a terminal, and with events instead of
 * the text of a report. Throws UsageError for arguments that cannot be used.
 */
async function runOverFiles(
  paths: readonly string[],
  { schemas, isLocal, known, baseline, options }: FileRun,
  { threads, ignore = [], cwd = '.', signal, onEvent = () => {} }: FileOptions,
): Promise<FilesResult> {
  if (pathList('paths', paths).includes('-')) {
    throw new UsageError('- is standard input, which the library does not read; payloads(stream) reads a stream');
  }
  const { sources, failures, unmatched } = await resolveSources(paths, {
    cwd: pathText('cwd', cwd),
    ignore: pathList('ignore', ignore),
    stdinName: null,
    framing: options.framing,
  });
  const most = threads === undefined ? null : wholeNumber('threads', threads, Number.POSITIVE_INFINITY);
  const job = {
    sources: sources.flatMap((source) => known(source) ?? []),
    failures: [...failures, ...unmatched],
    schemas,
    options,
    notes: false,
    threads: isLocal ? 1 : most,
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
