/**
 * The class of `openPaylint`: validates and fills payloads, files and streams with schemas that were loaded once.
 * No global state: instances with different schemas can be used side by side, and each by many tasks at once.
 */
import { resolve } from 'node:path';
import { NO_BUDGET } from '../check/budget.ts';
import { ID_CONFLICT, levelOf } from '../check/levels.ts';
import type { RunOptions } from '../check/run-options.ts';
import { anyJson, kindsOnly } from '../engines/accept.ts';
import { UsageError } from '../errors.ts';
import { NO_FILLS } from '../examine/fill-table.ts';
import { environmentFault } from '../input/environment.ts';
import { arrayReading } from '../schema/array-root.ts';
import { detectedKinds } from '../schema/deciding.ts';
import type { Framing, Source } from '../types.ts';
import type {
  Completion,
  ConvertOptions,
  Explanation,
  FileOptions,
  FilesResult,
  FillOptions,
  FillResult,
  FilterOptions,
  LibraryChild,
  LibraryViolation,
  Paylint,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
  Verdict,
} from './api.ts';
import { pathText, requireOptions, wordText } from './arguments.ts';
import { completionAt } from './complete.ts';
import { explanationOf } from './explain.ts';
import { filled } from './filled.ts';
import { framingOf } from './framing-of.ts';
import { knownFraming, knownKind } from './known.ts';
import { Lanes } from './lanes.ts';
import { examineText, oneText, TEXT_NAME, verdictOf } from './one-text.ts';
import type { Parts } from './parts.ts';
import { PayloadIterator, type PayloadRun, payloadsNow, sourceOf } from './payload-stream.ts';
import { bytesOf, requireText } from './text-bytes.ts';
import { TextJudge } from './text-judge.ts';
import { transformed } from './transforms.ts';
import { runOverFiles } from './validate-files.ts';
import { kindOfValue } from './values.ts';
import { type LongCall, Work } from './work.ts';

export class PaylintInstance implements Paylint {
  readonly #made: Parts;
  readonly #judge: TextJudge;
  readonly #lanes: Lanes;
  readonly #work = new Work();
  /** Every violation is an error, and there is no advice, so the engines can judge from the bytes alone. */
  readonly #isPlain: boolean;

  /** Used by `openPaylint`. */
  constructor(parts: Parts) {
    this.#made = parts;
    const { examiner, kind, limits, judging } = parts;
    this.#isPlain = !judging.advice && Object.keys(judging.rules).length === 0;
    this.#lanes = new Lanes({ ...parts, limits: { ...limits, advice: judging.advice } });
    this.#judge = new TextJudge({
      ...parts.codesOf(kind),
      set: parts.set,
      limits,
      examine: (text) => orFailure(() => verdictOf(text, examineText(text, examiner, kind, limits), judging)),
    });
  }

  /** Throws UsageError after `close`. */
  get #parts(): Parts {
    this.#work.requireOpen();
    return this.#made;
  }

  get kinds(): readonly { readonly name: string; readonly schema: string }[] {
    return this.#parts.set.kinds.map(({ name, document }) => ({ name, schema: document.path }));
  }

  get warnings(): readonly string[] {
    return this.#parts.warnings;
  }

  isValid(input: string | Uint8Array, options?: unknown): boolean {
    if (options !== undefined) requireNone('isValid', options);
    requireText(input);
    this.#work.requireOpen();
    try {
      return this.#isPlain ? this.#judge.isValid(input) : this.#examined(input).valid;
    } catch {
      return false; // `validate` reports why
    }
  }

  validate(input: string | Uint8Array, options?: unknown): Verdict {
    if (options !== undefined) requireNone('validate', options);
    requireText(input);
    this.#work.requireOpen();
    return orFailure(() => (this.#isPlain ? this.#judge.validate(input) : this.#examined(input)));
  }

  /** Throws errors of the examination. */
  #examined(input: string | Uint8Array): Verdict {
    const { examiner, kind, limits, judging } = this.#parts;
    const text = oneText(input, TEXT_NAME);
    return verdictOf(text, examineText(text, examiner, kind, limits), judging);
  }

  validateValue(value: unknown, options?: unknown): Verdict<LibraryViolation> {
    if (options !== undefined) requireNone('validateValue', options);
    const { areBundled, kind: given, limits } = this.#parts;
    const kind = areBundled && this.#isPlain ? kindOfValue(value, given, limits) : null;
    if (kind !== null) return { valid: true, kind, violations: [] };
    const json = jsonOf(value);
    if (typeof json !== 'string') return { valid: false, kind: null, violations: [], failure: json.failure };
    const { violations, ...verdict } = this.validate(json);
    return {
      ...verdict,
      violations: violations.map((violation) => ({
        ...withoutPlaces<LibraryViolation>(violation),
        file: '<value>',
      })),
    };
  }

  fill<Text extends string | Uint8Array>(input: Text, options: FillOptions = {}): FillResult<Text> {
    requireOptions('fill', options);
    const { deep = false } = options;
    requireText(input);
    const { kind, limits, fillers, judging } = this.#parts;
    const { examiner, filler } = deep ? fillers.deep() : fillers.shallow();
    const made = this.#isPlain ? unlessFailed(() => filler.fill(input)) : null;
    if (made !== null) return made;
    const text = oneText(input, TEXT_NAME);
    let fills = NO_FILLS;
    const verdict = orFailure(() => {
      const examined = examineText(text, examiner, kind, limits);
      fills = examined.fills;
      return verdictOf(text, examined, judging);
    });
    return { ...filled(input, text, fills), ...verdict };
  }

  kindOf(input: string | Uint8Array, options?: unknown): string | null {
    requireNone('kindOf', options);
    const { kind, limits, finder } = this.#parts;
    try {
      return examineText(oneText(input, TEXT_NAME), finder, kind, limits).kind;
    } catch (error) {
      if (error instanceof TypeError) throw error; // the input is neither text nor bytes
      return null;
    }
  }

  framingOf(input: string | Uint8Array, name?: string): Framing {
    return framingOf(input, name === undefined ? undefined : pathText('name', name));
  }

  explain(subject?: string): Explanation {
    return explanationOf(subject === undefined ? undefined : wordText('explain', subject), this.#parts.set);
  }

  complete(text: string, offset: number): Completion {
    if (typeof text !== 'string') throw new TypeError(`expected a string, found ${typeof text}`);
    if (!Number.isInteger(offset) || offset < 0 || offset > text.length)
      throw new UsageError(`complete: expected an offset from 0 to ${text.length}, found ${String(offset)}`);
    const { set, kind } = this.#parts;
    return completionAt(text, offset, {
      kinds: kind === null ? detectedKinds(set.kinds) : set.kinds.filter(({ name }) => name === kind),
      kindOf: (payload) => this.kindOf(JSON.stringify(payload)),
      isValid: (payload) => this.validateValue(payload).valid,
      hasLists: arrayReading(set, kind, true) === undefined,
    });
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
      source: this.#known(sourceOf(input, path, null), path, runOptions, options.kind),
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
    const source = this.#known(sourceOf(input, path, null), path, runOptions, options.kind);
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
    const plain = sourceOf(input, path, null);
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

  async close(): Promise<void> {
    await this.#work.close();
    this.#judge.close();
    this.#lanes.clear();
  }

  /** Completes the source with the settings for its file. `kind`: the one that the call gives. */
  #known(source: Source, path: string | null, { framing }: RunOptions, kind?: string): Source {
    const { set, files } = this.#made;
    const ofFile = path === null ? null : files.kindOf(resolve(path));
    const known = kind === undefined ? (this.#made.kind ?? ofFile) : knownKind(set, kind);
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
      noted: null,
      budget: NO_BUDGET,
      outlet: null,
    });
  }
}

/**
 * `map` passes an index in the place of options, which a call without options ignores. Throws UsageError for an object
 * with members.
 */
const NOWHERE = { line: null, column: null, endLine: null, endColumn: null, offset: null };

function withoutPlaces<One extends LibraryViolation | LibraryChild>(one: One): One {
  const { children } = one;
  return { ...one, ...NOWHERE, ...(children === undefined ? {} : { children: children.map(withoutPlaces) }) };
}

function requireNone(call: 'isValid' | 'validate' | 'validateValue' | 'kindOf', options: unknown): void {
  if (typeof options === 'object' && options !== null) requireOptions(call, options);
}

/** Null if it fails: then examine decides. */
function unlessFailed<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** An error thrown while a payload was examined is a failure of that payload. */
function orFailure(check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    const failure = environmentFault(error) ?? (error instanceof Error ? error.message : String(error));
    return { valid: false, kind: null, violations: [], failure };
  }
}

function jsonOf(value: unknown): string | { readonly failure: string } {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json ?? { failure: `JSON has no ${typeof value}` };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
