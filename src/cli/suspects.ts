/**
 * Writes to standard error what is probably wrong with a user's schemas.
 */

import type { Io } from '../input/io.ts';
import type { SchemaSet } from '../schema/load.ts';

/**
 * Throws SchemaError for a file that accepts everything because it is not a schema. `quiet`: without warnings;
 * `unique`: no name is twice in an object.
 */
export async function warnOfSuspects(
  set: SchemaSet,
  { quiet, unique = false }: { readonly quiet: boolean; readonly unique?: boolean },
  io: Io,
): Promise<void> {
  const { suspect } = await import('../schema/suspect.ts');
  const warnings = suspect(set, unique);
  if (!quiet) for (const warning of warnings) io.stderr.write(`paylint: warning: ${warning}\n`);
}
