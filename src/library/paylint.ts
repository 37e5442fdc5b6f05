/**
 * The class of `openPaylint`: validates and fills payloads, files and streams with schemas that were loaded once.
 * No global state: instances with different schemas can be used side by side, and each by many tasks at once.
 */
import { NO_FILLS, NO_REMOVALS } from '../engine/judge/row-log.ts';
import { CallerFault, PayloadError, UsageError } from '../errors.ts';
import { arrayReading } from '../schema/array-root.ts';
import { detectedKinds } from '../schema/facts.ts';
import { type KindFile, kindFiles } from '../schema/set.ts';
import { environmentFault } from '../source/system-errors.ts';
import type { Framing } from '../types.ts';
import type {
  Completion,
  Explanation,
  FileOptions,
  FilesResult,
  FillOptions,
  FillResult,
  LibraryChild,
  LibraryViolation,
  Paylint,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
  PruneResult,
  StandardSchema,
  Verdict,
} from './api.ts';
import { completionAt } from './complete.ts';
import { explanationOf, jsonSchemaOf } from './explanation.ts';
import {
  bytesOf,
  framingOf,
  knownKind,
  type LongCall,
  OpenCalls,
  pathText,
  requireOptions,
  requireText,
  stringOf,
} from './inputs.ts';
import type { InstanceParts } from './instance-settings.ts';
import { examineText, failed, type OneText, oneText, TEXT_NAME, verdictOf } from './one-text.ts';
import { PayloadIterator, type PayloadRun, payloadsNow } from './payload-stream.ts';
import { payloadRun, validateFiles } from './source-calls.ts';
import { SourceWorkspaces } from './source-workspace.ts';
import { issuesOf } from './standard.ts';
import { filled } from './text-filler.ts';
import { kindOfValue, TextJudge } from './text-judge.ts';
import { withoutMembers } from './text-pruner.ts';

export class PaylintInstance implements Paylint {
  readonly #made: InstanceParts;
  /** By the given kind. */
  readonly #judges = new Map<string | null, TextJudge>();
  readonly #work = new OpenCalls();
  readonly #workspaces: SourceWorkspaces;
  /** Every violation is an error, and nothing is advised, so the engines can judge from the bytes alone. */
  readonly #isPlain: boolean;

  constructor(parts: InstanceParts) {
    const { judging } = parts;
    this.#made = parts;
    this.#workspaces = new SourceWorkspaces(parts);
    this.#isPlain = !judging.advice && Object.keys(judging.rules).length === 0;
  }

  #judgeFor(kind: string | null): TextJudge {
    const known = this.#judges.get(kind);
    if (known !== undefined) return known;
    const { schemas, limits } = this.#made;
    const examine = (text: OneText): Verdict => orFailure(limits, () => this.#examined(text, kind));
    const judge = new TextJudge({ schemas, kind, limits, examine });
    this.#judges.set(kind, judge);
    return judge;
  }

  /** Throws UsageError after `close`. */
  get #parts(): InstanceParts {
    this.#work.requireOpen();
    return this.#made;
  }

  get kinds(): readonly KindFile[] {
    return kindFiles(this.#parts.set);
  }

  /** Absolute paths of all schema files that were read. @internal */
  get schemaFiles(): readonly string[] {
    return this.#parts.set.paths;
  }

  get warnings(): readonly string[] {
    return this.#parts.warnings;
  }

  isValid(input: string | Uint8Array, options?: unknown): boolean {
    if (options !== undefined) requireNone('isValid', options);
    requireText(input);
    this.#work.requireOpen();
    try {
      const { kind } = this.#made;
      return this.#isPlain ? this.#judgeFor(kind).isValid(input) : this.#examined(oneText(input), kind).valid;
    } catch {
      return false; // `validate` reports why
    }
  }

  validate(input: string | Uint8Array, options?: unknown): Verdict {
    if (options !== undefined) requireNone('validate', options);
    requireText(input);
    return this.#validate(input, this.#parts.kind);
  }

  #validate(input: string | Uint8Array, kind: string | null): Verdict {
    return orFailure(this.#parts.limits, () =>
      this.#isPlain ? this.#judgeFor(kind).validate(input) : this.#examined(oneText(input), kind),
    );
  }

  /** Throws errors of the examination. */
  #examined(text: OneText, kind: string | null): Verdict {
    const { examiner, limits, judging } = this.#made;
    return verdictOf(text, examineText(text, examiner, kind, limits), judging);
  }

  validateValue(value: unknown, options?: unknown): Verdict<LibraryViolation> {
    if (options !== undefined) requireNone('validateValue', options);
    return this.#validateValue(value, this.#parts.kind);
  }

  #validateValue(value: unknown, given: string | null): Verdict<LibraryViolation> {
    const { areBundled, examiner, limits } = this.#parts;
    const judged = areBundled ? null : examiner;
    const kind = this.#isPlain ? unlessFailed(() => kindOfValue(value, given, limits, judged)) : null;
    if (kind !== null) return { valid: true, kind, violations: [] };
    const json = jsonOf(value);
    const { violations, ...verdict } = typeof json === 'string' ? this.#validate(json, given) : failed(json.failure);
    return {
      ...verdict,
      violations: violations.map((violation) => ({ ...withoutPlaces<LibraryViolation>(violation), file: '<value>' })),
    };
  }

  parse<T>(input: string | Uint8Array): T {
    const { valid, violations } = this.validate(input);
    if (!valid) throw new PayloadError(violations);
    const text =
      typeof input === 'string' ? input : Buffer.from(input.buffer, input.byteOffset, input.length).toString();
    return JSON.parse(text.replace(/^\ufeff/, '')) as T; // the caller says so
  }

  assert<T>(value: unknown): asserts value is T {
    const { valid, violations } = this.validateValue(value);
    if (!valid) throw new PayloadError(violations);
  }

  standard<T>(kind?: string): StandardSchema<T> {
    const { set, kind: own } = this.#parts;
    const given = knownKind(set, kind) ?? own;
    const validate = (value: unknown): ReturnType<StandardSchema<T>['~standard']['validate']> => {
      this.#work.requireOpen();
      const { valid, violations } = this.#validateValue(value, given);
      if (valid) return { value: value as T }; // the caller says so
      return { issues: issuesOf(value, violations) };
    };
    const written = (options?: { readonly target: string }) => jsonSchemaOf(set, given, options?.target);
    const jsonSchema = { input: written, output: written };
    return { '~standard': { version: 1, vendor: 'paylint', validate, jsonSchema } };
  }

  fill<Text extends string | Uint8Array>(input: Text, options: FillOptions = {}): FillResult<Text> {
    requireOptions('fill', options);
    const { deep = false } = options;
    requireText(input);
    const { kind, limits, fillers, judging } = this.#parts;
    const { examiner, filler } = deep ? fillers.deep() : fillers.shallow();
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
    const { kind, limits, pruner, judging } = this.#parts;
    const accepted = this.#isPlain ? unlessFailed(() => this.#judgeFor(kind).validate(input)) : null;
    if (accepted?.valid) return { text: input, removed: [], edits: [], ...accepted };
    const text = oneText(input);
    let removals = NO_REMOVALS;
    const verdict = orFailure(limits, () => {
      const examined = examineText(text, pruner(), kind, limits);
      removals = examined.removals ?? removals;
      return verdictOf(text, examined, judging);
    });
    return { ...withoutMembers(input, text, removals, limits.redact), ...verdict };
  }

  kindOf(input: string | Uint8Array, options?: unknown): string | null {
    requireNone('kindOf', options);
    const { kind, limits, finder } = this.#parts;
    try {
      return examineText(oneText(input), finder, kind, limits).kind;
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
    for (const judge of this.#judges.values()) judge.close();
    this.#workspaces.clear();
  }
}

const NOWHERE = { line: null, column: null, endLine: null, endColumn: null, offset: null };

function withoutPlaces<One extends LibraryViolation | LibraryChild>(one: One): One {
  const { children } = one;
  return { ...one, ...NOWHERE, ...(children === undefined ? {} : { children: children.map(withoutPlaces) }) };
}

/** Ignores what `map` passes, an index. Throws UsageError for an object with members. */
function requireNone(call: 'isValid' | 'validate' | 'validateValue' | 'kindOf' | 'prune', options: unknown): void {
  if (typeof options === 'object' && options !== null) requireOptions(call, options);
}

/** Null if it fails: then another way decides. */
function unlessFailed<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** An error thrown while a payload was examined is a failure of that payload. */
function orFailure({ redact }: InstanceParts['limits'], check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    const own = error instanceof CallerFault ? error.messageFor(redact) : wordsOf(error);
    return failed(environmentFault(error) ?? own);
  }
}

/** A value of a caller may have getters and proxies, which throw anything. */
function jsonOf(value: unknown): string | { readonly failure: string } {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json ?? { failure: `JSON has no ${typeof value}` };
  } catch (error) {
    return { failure: unlessFailed(() => wordsOf(error)) ?? 'the value cannot be read' };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
