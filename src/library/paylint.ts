/**
 * The class of `openPaylint`: validates and fills payloads, files and streams with schemas that were loaded once.
 * No global state: instances with different schemas can be used side by side, and each by many tasks at once.
 */
import type { InstanceEngines } from '../engine/instance.ts';
import { UsageError, unlessFailed } from '../errors.ts';
import { NO_FILLS, NO_REMOVALS } from '../json/edits.ts';
import { memoized, once } from '../json/on-demand.ts';
import { arrayReading } from '../schema/array-root.ts';
import { detectedKinds } from '../schema/facts.ts';
import type { Framing } from '../types.ts';
import type {
  Completion,
  Explanation,
  FileOptions,
  FilesResult,
  FillOptions,
  FillResult,
  Paylint,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
  PruneResult,
  Verdict,
} from './api.ts';
import { completionAt } from './complete.ts';
import { explanationOf } from './explanation.ts';
import {
  bytesOf,
  framingOf,
  type LongCall,
  OpenCalls,
  pathText,
  requireNone,
  requireOptions,
  requireText,
  stringOf,
} from './inputs.ts';
import type { InstanceParts } from './instance-settings.ts';
import { isPlain, Judged, judgeChecks, orFailure, type TextChecks } from './judged.ts';
import { examineText, type OneText, oneText, TEXT_NAME, verdictOf } from './one-text.ts';
import { PayloadIterator, type PayloadRun, payloadsNow, SourceWorkspaces } from './payload-stream.ts';
import { payloadRun, validateFiles } from './source-calls.ts';
import { TextJudge } from './text-judge.ts';
import { filled, TextFiller, withoutMembers } from './text-repairs.ts';

/** By the engines, if every violation is an error; if they are unsure, by the judge. */
function engineChecks(parts: InstanceParts): TextChecks & { readonly close: () => void } {
  const { engines, limits, examiner, judging } = parts;
  const judges = new Map<string | null, TextJudge>();
  const judgeFor = memoized((kind: string | null): TextJudge => {
    const examine = (text: OneText): Verdict =>
      orFailure(limits, () => verdictOf(text, examineText(text, examiner, kind, limits), judging));
    return new TextJudge(engines.textsOf(kind), examine);
  }, judges);
  const byEngines: TextChecks = {
    isValid: (input, kind) => judgeFor(kind).isValid(input),
    validate: (input, kind) => judgeFor(kind).validate(input),
  };
  const close = (): void => {
    for (const judge of judges.values()) judge.close();
  };
  return { ...(isPlain(judging) ? byEngines : judgeChecks(parts)), close };
}

function fillerOf({ texts, examiner }: ReturnType<InstanceEngines['fillers']['deep']>) {
  return { filler: new TextFiller(texts), examiner };
}

export class PaylintInstance extends Judged implements Paylint {
  readonly #fillers = {
    shallow: once(() => fillerOf(this.#made.engines.fillers.shallow())),
    deep: once(() => fillerOf(this.#made.engines.fillers.deep())),
  };
  readonly #made: InstanceParts;
  readonly #checks: ReturnType<typeof engineChecks>;
  readonly #work: OpenCalls;
  readonly #workspaces: SourceWorkspaces;
  readonly #isPlain: boolean;

  constructor(parts: InstanceParts) {
    const checks = engineChecks(parts);
    const work = new OpenCalls();
    super(parts, checks, () => work.requireOpen());
    this.#made = parts;
    this.#checks = checks;
    this.#work = work;
    this.#workspaces = new SourceWorkspaces(parts.engines);
    this.#isPlain = isPlain(parts.judging);
  }

  /** Throws UsageError after `close`. */
  get #parts(): InstanceParts {
    this.#work.requireOpen();
    return this.#made;
  }

  get warnings(): readonly string[] {
    return this.#parts.warnings;
  }

  /** Absolute paths of all schema files that were read. @internal */
  get schemaFiles(): readonly string[] {
    return this.#parts.set.paths;
  }

  fill<Text extends string | Uint8Array>(input: Text, options: FillOptions = {}): FillResult<Text> {
    requireOptions('fill', options);
    const { deep = false } = options;
    requireText(input);
    const { kind, limits, judging } = this.#parts;
    const { examiner, filler } = deep ? this.#fillers.deep() : this.#fillers.shallow();
    const made = this.#isPlain ? unlessFailed(() => filler.fill(input)) : null;
    if (made !== null) return made;
    const text = oneText(input);
    let fills = NO_FILLS;
    const verdict = orFailure(this.#parts.limits, () => {
      const examined = examineText(text, examiner, kind, limits);
      fills = examined.fills;
      return verdictOf(text, examined, judging);
    });
    return { ...filled(input, text, fills), ...verdict };
  }

  prune<Text extends string | Uint8Array>(input: Text, options?: unknown): PruneResult<Text> {
    if (options !== undefined) requireNone('prune', options);
    requireText(input);
    const { kind, limits, engines, judging } = this.#parts;
    const accepted = this.#isPlain ? unlessFailed(() => this.#checks.validate(input, kind)) : null;
    if (accepted?.valid) return { text: input, removed: [], edits: [], ...accepted };
    const text = oneText(input);
    let removals = NO_REMOVALS;
    const verdict = orFailure(limits, () => {
      const examined = examineText(text, engines.pruner(), kind, limits);
      removals = examined.removals ?? removals;
      return verdictOf(text, examined, judging);
    });
    return { ...withoutMembers(input, text, removals, limits), ...verdict };
  }

  kindOf(input: string | Uint8Array, options?: unknown): string | null {
    requireNone('kindOf', options);
    const { kind, limits, engines } = this.#parts;
    try {
      return examineText(oneText(input), engines.finder, kind, limits).kind;
    } catch (error) {
      if (error instanceof TypeError) throw error; // the input is neither text nor bytes
      return null;
    }
  }

  framingOf(input: string | Uint8Array, name?: string): Framing {
    return framingOf(input, name === undefined ? undefined : pathText('name', name));
  }

  explain(subject?: string): Explanation {
    return explanationOf(subject === undefined ? undefined : stringOf('explain', subject, 'a string'), this.#parts.set);
  }

  complete(text: string, offset: number): Completion {
    if (typeof text !== 'string') throw new TypeError(`expected a string, found ${typeof text}`);
    if (!Number.isInteger(offset) || offset < 0 || offset > text.length)
      throw new UsageError(`complete: expected an offset from 0 to ${text.length}, found ${String(offset)}`);
    const { set, kind } = this.#parts;
    return completionAt(text, offset, {
      kinds: kind === null ? detectedKinds(set.kinds) : set.kinds.filter(({ name }) => name === kind),
      kindOf: (payload) => this.kindOf(JSON.stringify(payload)),
      isValid: (payload) => this.validate(payload).valid,
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
    const begin = (): LongCall => this.#work.begin(options.signal);
    return { ...payloadRun(this.#parts, input, options), workspaces: this.#workspaces, begin };
  }

  async validateFiles(paths: readonly string[], options: FileOptions = {}): Promise<FilesResult> {
    requireOptions('validateFiles', options);
    const parts = this.#parts;
    const { stop, ended } = this.#work.begin(options.signal);
    try {
      return await validateFiles(parts, paths, { ...parts.reading, ...options, signal: stop.signal });
    } finally {
      ended();
    }
  }

  async close(): Promise<void> {
    await this.#work.close();
    this.#checks.close();
    this.#workspaces.clear();
  }
}
