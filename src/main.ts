/**
 * main(io): parse, resolve, run. The only catch-all, and the place where errors become exit codes.
 */
import { VALIDATE_FLAGS, type ValidateFlags } from './cli/flags.ts';
import { quickParse } from './cli/quick-parse.ts';
import { validate } from './cli/validate.ts';
import { environmentFault } from './input/environment.ts';
import { Interrupted, UsageError } from './input/failure.ts';
import { ClosedPipe, WriteError } from './output.ts';
import { SchemaError } from './schema/error.ts';
import type { Io } from './types.ts';
import { visible } from './words/escape.ts';

/** Runs paylint with `io` as its world; resolves to the exit code and never throws. */
export async function main(io: Io): Promise<number> {
  try {
    return (await validateQuickly(io)) ?? (await runProgram(io));
  } catch (error) {
    return explain(error, io);
  }
}

/** What a worker thread does. */
export async function work(): Promise<void> {
  const { isDeepThread, workDeep } = await import('./deep-thread.ts');
  if (isDeepThread()) return workDeep();
  const { work } = await import('./workers/thread.ts');
  await work();
}

/** The most common verb, without loading what only the others need; null: a command line for `runProgram`. */
async function validateQuickly(io: Io): Promise<number | null> {
  const [verb, ...args] = io.args;
  const parsed = verb === 'validate' ? quickParse(args, VALIDATE_FLAGS) : null;
  if (parsed === null) return null;
  return validate(parsed.paths, parsed.flags as unknown as ValidateFlags, io); // as the table of flags has it
}

async function runProgram(io: Io): Promise<number> {
  const { runProgram } = await import('./cli/program.ts');
  return runProgram(io);
}

const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function explain(error: unknown, io: Io): number {
  if (error instanceof ClosedPipe) return 141;
  if (error instanceof Interrupted) return SIGNAL_CODES[String(error.cause)] ?? 130;
  const isExpected =
    error instanceof UsageError || error instanceof SchemaError || error instanceof WriteError;
  const message = isExpected ? error.message : environmentFault(error);
  if (message !== null) {
    io.stderr.write(`paylint: ${message.split('\n').map(visible).join('\n')}\n`);
    return 2;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  io.stderr.write(`paylint: this is a bug in paylint, please report it\n${stack}\n`);
  return 2;
}
