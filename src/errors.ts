/**
 * Every error that is expected, and the exit code that each leads to. Anything else that is thrown is a bug in paylint, or a limit of the
 * machine (`input/environment.ts`).
 */

/** The command line makes no sense; nothing was read. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A schema that cannot be used: which file, where in it, why. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** What should have been written could not be: the job is not done. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

/** paylint cannot run here at all. The message is a sentence that says what is missing, and what helps. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** The reader of standard output is gone. No message is needed: nobody reads it. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** A read was ended by the interrupt signal: neither an end of input nor a failure. */
export class Interrupted extends Error {
  override readonly name = 'AbortError';

  /** `signal`: an AbortSignal. */
  constructor(signal: { readonly reason: unknown }) {
    super('interrupted', { cause: signal.reason });
  }
}

/** One source cannot be read, or not to its end; the run goes on with the next. The message is one clause without the file's name. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** One payload could not be examined; the cause is what was thrown. The others can still be. */
export class Unexamined extends Error {
  override readonly name = 'Unexamined';
}

/** By the name of the signal that interrupted the run. */
const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** How an error ends the command line. */
export interface Ending {
  readonly code: number;
  /** What to print; null: nothing. */
  readonly message: string | null;
}

/** The ending for an error of this file that ends the run; null for any other. */
export function endingFor(error: unknown): Ending | null {
  if (error instanceof ClosedPipe) return { code: 141, message: null };
  if (error instanceof Interrupted) return { code: SIGNAL_CODES[String(error.cause)] ?? 130, message: null };
  const isExpected =
    error instanceof UsageError || error instanceof SchemaError || error instanceof WriteError;
  return isExpected ? { code: 2, message: error.message } : null;
}
