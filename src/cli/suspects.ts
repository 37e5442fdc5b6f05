/**
 * Says on standard error what is suspect about the schemas that a user brings.
 */

import type { Io } from '../input/io.ts';
import type { SchemaSet } from '../schema/load.ts';

/** Throws SchemaError for a schema that accepts everything because it is none. `quiet`: without warnings. */
export async function warnOfSuspects(set: SchemaSet, quiet: boolean, io: Io): Promise<void> {
  const { suspect } = await import('../schema/suspect.ts');
  const warnings = suspect(set);
  if (!quiet) for (const warning of warnings) io.stderr.write(`paylint: warning: ${warning}\n`);
}
