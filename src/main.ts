/** main(io): parse, resolve, run. It has the only catch-all, and turns errors into exit codes. */

import { quickParse, type Verb } from './cli/command-line.ts';
import { printUsage } from './cli/exit.ts';
import { validate } from './cli/validate.ts';
import { VALIDATE_FLAGS } from './config/flags.ts';
import { endingFor, MissingPath } from './errors.ts';
import { forLogOfCi } from './source/ci-log.ts';
import { type Io, printMessages } from './source/io.ts';
import { shownPath } from './source/path-text.ts';
import { environmentFault } from './source/system-errors.ts';

/** Runs paylint in its world. Resolves to the exit code and never throws. */
export async function main(world: Io): Promise<number> {
  const io = forLogOfCi(world);
  try {
    return (await runQuickly(io)) ?? (await runProgram(io));
  } catch (error) {
    const code = explain(error, io);
    if (error instanceof MissingPath) printUsage(io);
    return code;
  }
}

/** The entry of a worker thread. */
export async function work(): Promise<void> {
  const { isAjvThread, isDeepThread, workDeep } = await import('./engine/deep.ts');
  if (isDeepThread()) return workDeep();
  if (isAjvThread()) return (await import('./engine/ajv.ts')).workAjv();
  const { work } = await import('./run/workers/thread.ts');
  await work();
}

/** A verb with PATHs, without commander. Null: the command line is for `runProgram`. */
async function runQuickly(io: Io): Promise<number | null> {
  const [name, ...args] = io.args;
  // `validate`, the most common verb, needs no table of verbs, so it starts faster.
  const verb = name === 'validate' ? { flags: VALIDATE_FLAGS, load: async () => validate } : await find(name);
  const parsed = verb === null ? null : quickParse(args, verb.flags);
  if (verb === null || parsed === null) return null;
  return (await verb.load())(parsed.paths, parsed.flags as never, io); // the table of flags guarantees the type
}

/** Null: the verb takes no PATHs, or does not exist. */
async function find(name: string | undefined): Promise<Extract<Verb, { takes: 'paths' }> | null> {
  const { VERBS } = await import('./cli/verbs.ts');
  const verb = VERBS.find((one) => one.name === name);
  return verb?.takes === 'paths' ? verb : null;
}

async function runProgram(io: Io): Promise<number> {
  const { runProgram } = await import('./cli/program.ts');
  return runProgram(io);
}

function explain(error: unknown, io: Io): number {
  const ending = endingFor(error, io.interrupt.reason, (path) => shownPath(path, io.cwd));
  if (ending !== null) {
    printMessages(ending.messages, io);
    return ending.code;
  }
  const fault = environmentFault(error);
  if (fault !== null) {
    printMessages([fault], io);
    return 2;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  io.stderr.write(`paylint: this is a bug in paylint, please report it\n${stack}\n`);
  return 2;
}
