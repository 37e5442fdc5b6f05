/** All expected errors, with their exit codes. Any other is a bug, or a limit of the machine (`system-errors.ts`). */
import type { Place } from './json/lines.ts';
import { LISTED_FAULTS } from './limits.ts';
import { visible } from './words/escape.ts';

/** The command line, or a file that says what to do, is invalid; nothing was read. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Where the file is at fault; null: not known, or it is none. @internal */
  readonly at: FilePlace | null;

  /** @internal */
  constructor(message: string, { at = null, ...options }: ErrorOptions & { readonly at?: FilePlace | null } = {}) {
    super(message, options);
    this.at = at;
  }
}

/** Where a file is at fault; its path is absolute. @internal */
type FilePlace = Place & { readonly path: string };

/** A schema that cannot be used: the file, the place in it, and the reason. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  /** All that is wrong; empty if the message is not about places in files. */
  readonly faults: readonly SchemaFault[];
  /** Absolute paths of files that are missing: if one appears, the schema may be usable. */
  readonly missing: readonly string[];
  /** The beginning of the message and of each of the faults, such as what named the schema. */
  readonly about: string;

  constructor(
    message: string,
    {
      cause,
      faults = [],
      missing = [],
      about = '',
    }: ErrorOptions & Partial<Pick<SchemaError, 'faults' | 'missing' | 'about'>> = {},
  ) {
    super(about + message, { cause });
    this.faults = faults;
    this.missing = missing;
    this.about = about;
  }

  /** The same error about a schema that `about` names. */
  inContextOf(about: string): SchemaError {
    const { message, faults, missing } = this;
    return new SchemaError(message, { cause: this, faults, missing, about });
  }
}

export interface SchemaFault {
  /** Absolute path of the file; null: the schema is in memory. */
  readonly path: string | null;
  /** The file as `place` has it: relative to the folder of the schema that was asked for. */
  readonly file: string | null;
  /** In the file, 1-based, the column in UTF-16 code units; null: the fault is about the file, or it is in memory. */
  readonly line: number | null;
  readonly column: number | null;
  /** File and pointer, as `s.json#/type`; null: the file cannot be read, or is not JSON. */
  readonly place: string | null;
  /** What is wrong, without the place. */
  readonly message: string;
}

/** One line for each, as `s.json:2:11: s.json#/type: …`. `fileOf`: what the file at a path is called. */
export function linesOf(faults: readonly SchemaFault[], fileOf?: (path: string) => string): string[] {
  const lines = faults.slice(0, LISTED_FAULTS).map(({ path, file, line, column, place, message }) => {
    const name = path === null || fileOf === undefined ? file : fileOf(path);
    const position = line === null ? '' : `:${line}:${column}`;
    const parts = [name === null ? null : `${visible(name)}${position}`, place === null ? null : visible(place)];
    return [...parts, message].filter((part) => part !== null).join(': ');
  });
  return faults.length > LISTED_FAULTS ? [...lines, `and ${faults.length - LISTED_FAULTS} more`] : lines;
}

/** A payload that is not valid, for callers that ask for its value. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly violations: readonly ErrorViolation[];

  constructor(violations: readonly ErrorViolation[]) {
    const first = violations
      .slice(0, NAMED)
      .map(({ pointer, message, authorMessage }) => `${pointer || 'the payload'}: ${authorMessage ?? message}`);
    const more = violations.length > NAMED ? `; and ${violations.length - NAMED} more` : '';
    super(`the payload is not valid: ${first.join('; ')}${more}`);
    this.violations = violations;
  }
}

/** Violations that the message names. */
const NAMED = 3;

/** A violation, as far as it is the same for texts and for values. */
export interface ErrorViolation {
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
  readonly authorMessage?: string;
  readonly schema: string | null;
  readonly severity: 'error' | 'warning';
}

/** Output could not be written: the job is not done. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

/** paylint cannot run here. The message is a sentence about what is missing, and what helps. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** The reader of standard output has closed it. There is no message, because there is no reader. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** The interrupt signal ended a read: neither an end of input nor a failure. */
export class Interrupted extends Error {
  override readonly name = 'AbortError';

  /** `signal`: an AbortSignal. */
  constructor(signal: { readonly reason: unknown }) {
    super('interrupted', { cause: signal.reason });
  }
}

/** A source cannot be read to its end; the run goes on. The message is a clause without the file's name. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** There is nothing to read: no PATH is given, and standard input is not read for it. The usage follows the message. */
export class MissingPath extends UsageError {}

/** One payload could not be examined; the cause is the error. The run continues with the next. */
export class Unexamined extends Error {
  override readonly name = 'Unexamined';
}

/** Ajv, the second judge, failed on a payload. The message is a clause. */
export class AjvFault extends Error {
  override readonly name = 'AjvFault';
}

/** A payload needs more steps of its schema than allowed. The message is a clause with the place in the schema. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

/** A function that the caller of the library gave cannot judge a payload. The message is a clause. */
export class CallerFault extends Error {
  override readonly name = 'CallerFault';

  /** `showsText`: with what the function threw, which may quote the payload. */
  messageFor(showsText: boolean): string {
    const { cause, message } = this;
    return showsText && cause instanceof Error ? `${message}: ${visible(cause.message)}` : message;
  }
}

/** By the name of the signal that interrupted the run. */
const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** How an error ends the command line. */
export interface Ending {
  readonly code: number;
  /** What to print, each on lines of its own. */
  readonly messages: readonly string[];
}

/**
 * The ending for an error of this file that ends the run; null for any other error. `reason`: of the interrupt signal. If output
 * fails after SIGHUP, the terminal is closed, so the ending is that of SIGHUP. `fileOf`: what messages call the file at a path.
 */
export function endingFor(error: unknown, reason: unknown, fileOf?: (path: string) => string): Ending | null {
  if (reason === 'SIGHUP' && (error instanceof ClosedPipe || error instanceof WriteError))
    return { code: SIGNAL_CODES.SIGHUP!, messages: [] };
  if (error instanceof ClosedPipe) return { code: 141, messages: [] };
  if (error instanceof Interrupted) return { code: SIGNAL_CODES[String(error.cause)] ?? 130, messages: [] };
  if (error instanceof SchemaError && error.faults.length > 0)
    return { code: 2, messages: linesOf(error.faults, fileOf).map((line) => error.about + line) };
  const isExpected = error instanceof UsageError || error instanceof SchemaError || error instanceof WriteError;
  return isExpected ? { code: 2, messages: [error.message] } : null;
}

/** What `work` returns; null if it throws, whatever the reason: then another way decides, or the error comes again later. */
export function unlessFailed<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Why a payload was not examined to its end. `reason`: of the interrupt signal, which a caller of the library may give. */
export function wordsForInterrupt(reason: unknown): string {
  return typeof reason === 'string' && /^SIG[A-Z]+$/.test(reason)
    ? `the run was interrupted by ${reason}`
    : 'the run was interrupted';
}

/** Each default that is filled in requires another one, without end. */
export class EndlessDefaults extends Error {
  override readonly name = 'EndlessDefaults';
}

/** True for errors thrown if applying a schema to a value never ends, or overflows the stack. */
export function isEndless(error: unknown): boolean {
  return isStackOverflow(error) || error instanceof EndlessDefaults;
}

/** True for V8's error if the stack of this thread is full. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/** The error to throw for one during an examination. A SchemaError stays: schemas are compiled when needed. */
export function unexamined(cause: unknown): Error {
  return cause instanceof SchemaError ? cause : new Unexamined('a payload could not be examined', { cause });
}
