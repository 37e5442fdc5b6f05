/**
 * main(io): parse, resolve, run. It has the only catch-all, and turns errors into exit codes.
 */

import { VALIDATE_FLAGS, type ValidateFlags } from './cli/flags.ts';
import { quickParse } from './cli/quick-parse.ts';
import { validate } from './cli/validate.ts';
import { endingFor } from './errors.ts';
import { environmentFault } from './input/environment.ts';
import type { Io } from './input/io.ts';
import { visible } from './words/escape.ts';

/** Verbs that commander need not know of, see `quick-parse.ts`. */
const QUICK_VERBS: ReadonlySet<string> = new Set(['convert', 'fill', 'filter', 'render']);

/** Runs paylint with `io` as its world. Resolves to the exit code and never throws. */
export async function main(io: Io): Promise<number> {
  try {
    return (await validateQuickly(io)) ?? (await runQuickly(io)) ?? (await runProgram(io));
  } catch (error) {
    return explain(error, io);
  }
}

/** The entry of a worker thread. */
export async function work(): Promise<void> {
  const { isDeepThread, workDeep } = await import('./engines/deep-thread.ts');
  if (isDeepThread()) return workDeep();
  const { work } = await import('./threads/thread.ts');
  await work();
}

/** The most common verb, without loading what only the others need. Null: the command line is for `runProgram`. */
async function validateQuickly(io: Io): Promise<number | null> {
  const [verb, ...args] = io.args;
  const parsed = verb === 'validate' ? quickParse(args, VALIDATE_FLAGS) : null;
  if (parsed === null) return null;
  return validate(parsed.paths, parsed.flags as unknown as ValidateFlags, io); // as the table of flags defines
}

/** The same for the other verbs with PATHs. */
async function runQuickly(io: Io): Promise<number | null> {
  const [name, ...args] = io.args;
  if (name === undefined || !QUICK_VERBS.has(name)) return null;
  const { VERBS } = await import('./cli/verbs.ts');
  const verb = VERBS.find((verb) => verb.name === name);
  const parsed = verb?.takes === 'paths' ? quickParse(args, verb.flags) : null;
  if (verb?.takes !== 'paths' || parsed === null) return null;
  return (await verb.load())(parsed.paths, parsed.flags as never, io); // as the table of flags defines
}

async function runProgram(io: Io): Promise<number> {
  const { runProgram } = await import('./cli/program.ts');
  return runProgram(io);
}

function explain(error: unknown, io: Io): number {
  const ending = endingFor(error, io.interrupt.reason);
  const message = ending === null ? environmentFault(error) : ending.message;
  if (message !== null) io.stderr.write(`paylint: ${message.split('\n').map(visible).join('\n')}\n`);
  if (ending !== null) return ending.code;
  if (message !== null) return 2;
  const stack = error instanceof Error ? error.stack : String(error);
  io.stderr.write(`paylint: this is a bug in paylint, please report it\n${stack}\n`);
  return 2;
}
