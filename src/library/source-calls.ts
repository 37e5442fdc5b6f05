/**
 * The calls of an instance that read sources: files, bytes and streams. Each ends if its signal aborts, or if the
 * instance is closed.
 */
import { resolve } from 'node:path';
import { NO_BUDGET } from '../check/budget.ts';
import type { RunOptions } from '../check/flow.ts';
import { ID_CONFLICT, levelOf } from '../check/levels.ts';
import { anyJson, kindsOnly } from '../engines/accept.ts';
import { UsageError } from '../errors.ts';
import { arrayReading } from '../schema/array-root.ts';
import type { Source } from '../types.ts';
import type {
  ConvertOptions,
  FileOptions,
  FilesResult,
  FilterOptions,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
} from './api.ts';
import { knownFraming, knownKind, pathText, requireOptions } from './arguments.ts';
import { bytesOf } from './inputs.ts';
import type { Parts } from './instance-parts.ts';
import type { Lanes } from './lanes.ts';
import { TEXT_NAME } from './one-text.ts';
import { PayloadIterator, type PayloadRun, payloadsNow, sourceOf } from './payload-stream.ts';
import { transformed } from './transforms.ts';
import { runOverFiles } from './validate-files.ts';
import type { LongCall, Work } from './work.ts';

/** The part of `Paylint` that reads sources. */
export class SourceCalls {
  readonly #made: Parts;
  readonly #work: Work;
  readonly #lanes: Lanes;

  /** `work`: the calls in progress; `lanes`: for one source each. */
  constructor(parts: Parts, work: Work, lanes: Lanes) {
    this.#made = parts;
    this.#work = work;
    this.#lanes = lanes;
  }

  /** Throws UsageError after `close`. */
  get #parts(): Parts {
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
    const { path, options: runOptions } = this.#reading(input, options);
    return {
      source: this.#known(sourceOf(input, path), path, runOptions, options.kind),
      lanes: this.#lanes,
      options: runOptions,
      baseline: path === null ? null : (this.#parts.baseline?.(resolve()) ?? null),
      begin: () => this.#work.begin(options.signal),
    };
  }

  filter(input: PayloadInput, options: FilterOptions = {}): AsyncGenerator<Uint8Array> {
    requireOptions('filter', options);
    const { path, options: read } = this.#reading(input, options);
    const outlet = {
      type: 'filter',
      invert: options.invert === true,
      rejects: false,
      reasons: false,
    } as const;
    const runOptions = { ...read, outlet };
    const source = this.#known(sourceOf(input, path), path, runOptions, options.kind);
    const { schemas } = this.#parts;
    const begin = (): LongCall => this.#work.begin(options.signal);
    return transformed({ input, source, schemas, options: runOptions, begin }, options.onViolation);
  }

  convert(input: PayloadInput, options: ConvertOptions = {}): AsyncGenerator<Uint8Array> {
    requireOptions('convert', options);
    const { to = 'ndjson', pretty = false, kind } = options;
    if (!['ndjson', 'json'].includes(to) || (pretty && to !== 'json'))
      throw new UsageError("convert: to is 'ndjson' or 'json', and pretty goes with 'json'");
    const { schemas, set } = this.#parts;
    const only = kind === undefined ? null : knownKind(set, kind);
    const { path, options: read } = this.#reading(input, options);
    const as = to !== 'json' ? 'lines' : pretty ? 'pretty array' : 'array';
    const outlet = { type: 'convert', as, only, split: null } as const;
    const runOptions = { ...read, outlet, syntaxOnly: true };
    const plain = sourceOf(input, path);
    const source = only === null ? plain : this.#known(plain, path, runOptions);
    const engines = only === null ? anyJson(as) : kindsOnly(schemas.load, schemas.precompiled);
    const begin = (): LongCall => this.#work.begin(options.signal);
    return transformed({ input, source, schemas: engines, options: runOptions, begin }, options.onViolation);
  }

  /** How a source is read, and the path of its file; null: there is no path. */
  #reading(input: PayloadInput, options: PayloadOptions) {
    const { file } = options;
    const path = file === undefined ? (typeof input === 'string' ? input : null) : pathText('file', file);
    const known = path === null ? {} : this.#parts.reading;
    return { path, options: this.#runOptions({ ...known, ...options }) };
  }

  async validateFiles(paths: readonly string[], given: FileOptions = {}): Promise<FilesResult> {
    requireOptions('validateFiles', given);
    const { schemas, baseline, files, reading, judging } = this.#parts;
    const options = { ...reading, ...given };
    const runOptions = {
      ...this.#runOptions(options),
      ...(baseline === null ? {} : { each: true }),
      identities: judging.advice && levelOf(ID_CONFLICT, judging.rules) !== 'off',
    };
    const known = (source: Source): Source | null =>
      source.path !== null && files.ignores(source.path)
        ? null
        : this.#known(source, source.path, runOptions);
    const { stop, ended } = this.#work.begin(options.signal);
    try {
      const run = { schemas, known, baseline, options: runOptions };
      return await runOverFiles(paths, run, { ...options, signal: stop.signal });
    } finally {
      ended();
    }
  }

  /** Completes the source with the settings for its file. `kind`: the one that the call gives. */
  #known(source: Source, path: string | null, { framing }: RunOptions, kind?: string): Source {
    const { set, files, kind: given } = this.#made; // a run over files still asks for them after `close`
    const ofFile = path === null ? null : files.kindOf(resolve(path));
    const known = kind === undefined ? (given ?? ofFile) : knownKind(set, kind);
    return { ...source, kind: known, arrays: arrayReading(set, known, framing !== null) };
  }

  #runOptions({ input, whole }: Pick<PayloadOptions, 'input' | 'whole'>): RunOptions {
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
