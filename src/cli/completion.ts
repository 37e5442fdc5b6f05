/**
 * `paylint completion SHELL`: the script that completes command lines of paylint in a shell.
 */
import { loadConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../source/io.ts';
import { quote } from '../words/escape.ts';
import { completions, type VerbRow } from './completion/rows.ts';
import { bashCompletion, fishCompletion, powershellCompletion, zshCompletion } from './completion/scripts.ts';
import { chosen, InvalidValue } from './flags.ts';
import { loadSchemasFor } from './options.ts';
import { print } from './outputs.ts';
import { SHELLS, type Verb } from './verb.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (verbs: readonly VerbRow[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** Throws UsageError if there is no such shell. */
export async function completion(shell: string | undefined, all: readonly Verb[], io: Io): Promise<number> {
  const script = SCRIPTS[shellNamed(shell)];
  // Of the bundled schemas: a script is made once, for all folders.
  const { kinds } = await loadSchemasFor({}, await loadConfig(false, io), io);
  const names = kinds.map(({ name }) => name);
  await print(script(completions(all, names)), io);
  return 0;
}

function shellNamed(shell: string | undefined): keyof typeof SCRIPTS {
  if (shell === undefined) throw new UsageError(`a shell is missing: ${SHELLS.join(', ')}`);
  try {
    return chosen(shell, { choices: SHELLS }) as keyof typeof SCRIPTS; // one of the choices
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new UsageError(`SHELL: ${error.message}, found ${quote(shell)}`);
  }
}
