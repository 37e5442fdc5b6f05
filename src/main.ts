/**
 * main(io): parse, resolve, run. The only catch-all, and the place where errors become exit codes.
 */
import { CommanderError } from 'commander';
import { createProgram, type Outcome } from './cli/program.ts';
import { Interrupted, UsageError } from './input/failure.ts';
import { ClosedPipe, Output, WriteError } from './output.ts';
import { SchemaError } from './schema/error.ts';
import type { Io } from './types.ts';
import { visible } from './words/escape.ts';

/** Runs paylint with `io` as its world; resolves to the exit code and never throws. */
export async function main(io: Io): Promise<number> {
  try {
    const outcome: Outcome = { exitCode: 0, text: '' };
    await createProgram(io, outcome).parseAsync(io.args, { from: 'user' }).catch(unlessDone);
    if (outcome.text !== '') await print(outcome.text, io);
    return outcome.exitCode;
  } catch (error) {
    return explain(error, io);
  }
}

/** What a worker thread does. */
export async function work(): Promise<void> {
  const { work } = await import('./workers/thread.ts');
  await work();
}

/** Commander throws to end the run, even where all that was asked for is help or the version. */
function unlessDone(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
}

async function print(text: string, io: Io): Promise<void> {
  const output = new Output(io.stdout, 'standard output');
  output.write(text);
  await output.close();
}

function explain(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return 2; // commander has said why
  if (error instanceof ClosedPipe) return 141;
  if (error instanceof Interrupted) return error.cause === 'SIGTERM' ? 143 : 130;
  if (error instanceof UsageError || error instanceof SchemaError || error instanceof WriteError) {
    const text = error.message.split('\n').map(visible).join('\n');
    io.stderr.write(`paylint: ${text}\n`);
    return 2;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  io.stderr.write(`paylint: this is a bug in paylint, please report it\n${stack}\n`);
  return 2;
}
