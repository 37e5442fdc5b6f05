/**
 * `--list-files`: prints what would be read, one name per line, and reads nothing.
 */

import type { Io } from '../input/io.ts';
import { Output } from '../output/output.ts';
import { visible } from '../words/escape.ts';
import type { CheckFlags } from './flags.ts';
import type { Found } from './settings.ts';

/** Names are escaped on a terminal and unchanged in a pipe. Resolves to the exit code. */
export async function listFiles({ sources, failures }: Found, flags: CheckFlags, io: Io): Promise<number> {
  const output = new Output(io.stdout, 'standard output');
  for (const { name } of sources) {
    if (flags.null) output.write(`${name}\0`);
    else output.write(`${io.stdout.isTTY ? visible(name) : name}\n`);
  }
  await output.close();
  for (const { file, message } of failures)
    io.stderr.write(`paylint: ${visible(file)}: ${visible(message)}\n`);
  if (failures.length > 0) return 2;
  if (sources.length > 0 || flags.allowEmpty || (flags.shard?.index ?? 1) > 1) return 0;
  io.stderr.write('paylint: there is nothing to read\n');
  return 2;
}
