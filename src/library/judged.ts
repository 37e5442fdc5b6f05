/**
 * What `paylint`, `paylint/browser` and `paylint/validate` have in common: one text or one value is checked by the judge. The
 * instance of the first two asks faster engines before (`paylint.ts`).
 */

import type { ExamineSettings } from '../engine/compile/acceptor.ts';
import type { Examiner } from '../engine/judge/examine.ts';
import { CallerFault, PayloadError, unlessFailed } from '../errors.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { type KindFile, kindFiles } from '../schema/set.ts';
import { environmentFault } from '../source/system-errors.ts';
import { showsText } from '../words/rule.ts';
import type { Judging } from '../words/rule-levels.ts';
import type { LibraryChild, LibraryViolation, StandardSchema, ValidatePaylint, Verdict } from './api.ts';
import { jsonSchemaOf } from './explanation.ts';
import { knownKind, requireNone, requireText } from './inputs.ts';
import { examineText, failed, oneText, verdictOf } from './one-text.ts';
import { issuesOf } from './standard.ts';

export interface JudgedParts {
  readonly set: LoadedSchemas;
  /** The given kind; null: it is detected. */
  readonly kind: string | null;
  readonly limits: ExamineSettings;
  readonly judging: Required<Judging>;
  readonly examiner: Examiner;
}

/** How texts and values are checked. `kind`: the given kind; null: it is detected. Throws errors of the examination. */
export interface TextChecks {
  isValid(input: string | Uint8Array, kind: string | null): boolean;
  validate(input: string | Uint8Array, kind: string | null): Verdict;
}

/** By the judge alone. */
export function judgeChecks({ examiner, limits, judging }: JudgedParts): TextChecks {
  const validate = (input: string | Uint8Array, kind: string | null): Verdict => {
    const text = oneText(input);
    return verdictOf(text, examineText(text, examiner, kind, limits), judging);
  };
  return { isValid: (input, kind) => validate(input, kind).valid, validate };
}

/** Every violation is an error, and nothing is advised, so that a valid payload needs no report. */
export function isPlain({ rules, advice }: Judging): boolean {
  return advice !== true && Object.keys(rules).length === 0;
}

export class Judged implements ValidatePaylint {
  readonly #parts: JudgedParts;
  readonly #checks: TextChecks;
  readonly #isPlain: boolean;
  readonly #requireOpen: () => void;

  /** `requireOpen`: throws UsageError after `close`. */
  constructor(parts: JudgedParts, checks: TextChecks = judgeChecks(parts), requireOpen = (): void => {}) {
    this.#parts = parts;
    this.#checks = checks;
    this.#isPlain = isPlain(parts.judging);
    this.#requireOpen = requireOpen;
  }

  get #open(): JudgedParts {
    this.#requireOpen();
    return this.#parts;
  }

  get kinds(): readonly KindFile[] {
    return kindFiles(this.#open.set);
  }

  isValid(input: string | Uint8Array, options?: unknown): boolean {
    if (options !== undefined) requireNone('isValid', options);
    requireText(input);
    this.#requireOpen();
    try {
      return this.#checks.isValid(input, this.#parts.kind);
    } catch {
      return false; // `validate` reports why
    }
  }

  validate(input: string | Uint8Array, options?: unknown): Verdict {
    if (options !== undefined) requireNone('validate', options);
    requireText(input);
    return this.#validate(input, this.#open.kind);
  }

  #validate(input: string | Uint8Array, kind: string | null): Verdict {
    return orFailure(this.#open.limits, () => this.#checks.validate(input, kind));
  }

  validateValue(value: unknown, options?: unknown): Verdict<LibraryViolation> {
    if (options !== undefined) requireNone('validateValue', options);
    return this.#validateValue(value, this.#open.kind);
  }

  #validateValue(value: unknown, given: string | null): Verdict<LibraryViolation> {
    const kind = this.#kindOfValid(value, given);
    if (kind !== null) return { valid: true, kind, violations: [] };
    const json = jsonOf(value);
    const { violations, ...verdict } = typeof json === 'string' ? this.#validate(json, given) : failed(json.failure);
    return {
      ...verdict,
      violations: violations.map((violation) => ({ ...withoutPlaces<LibraryViolation>(violation), file: '<value>' })),
    };
  }

  /** Null: it may be invalid, and its text says how. */
  #kindOfValid(value: unknown, given: string | null): string | null {
    const { examiner, limits } = this.#parts;
    try {
      return this.#isPlain ? examiner.kindOfValid(value, given, limits) : null;
    } catch {
      return null;
    }
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
    const { set, kind: own } = this.#open;
    const given = knownKind(set, kind) ?? own;
    const validate = (value: unknown): ReturnType<StandardSchema<T>['~standard']['validate']> => {
      this.#requireOpen();
      const { valid, violations } = this.#validateValue(value, given);
      if (valid) return { value: value as T }; // the caller says so
      return { issues: issuesOf(value, violations) };
    };
    const written = (options?: { readonly target: string }) => jsonSchemaOf(set, given, options?.target);
    const jsonSchema = { input: written, output: written };
    return { '~standard': { version: 1, vendor: 'paylint', validate, jsonSchema } };
  }
}

const NO_POSITION = { line: null, column: null, endLine: null, endColumn: null, offset: null };

function withoutPlaces<One extends LibraryViolation | LibraryChild>(one: One): One {
  const { children } = one;
  return { ...one, ...NO_POSITION, ...(children === undefined ? {} : { children: children.map(withoutPlaces) }) };
}

/** An error thrown while a payload was examined is a failure of that payload. */
export function orFailure(wording: ExamineSettings, check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    const own = error instanceof CallerFault ? error.messageFor(showsText(wording)) : wordsOf(error);
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
