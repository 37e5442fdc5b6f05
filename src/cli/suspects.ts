/**
 * Writes warnings about probable mistakes in a user's schemas to standard error.
 */

import type { Io } from '../input/io.ts';
import type { LoadedSchemas } from '../schema/load.ts';

/**
 * Throws SchemaError for a file that accepts everything by mistake. The warnings are about the schemas and not about
 * payloads, so `--quiet` does not suppress them. `strict`: they are errors.
 */
export async function warnOfSuspects(
  set: LoadedSchemas,
  { strict }: { readonly strict: boolean },
  io: Io,
): Promise<void> {
  const { firstOf, suspect, strictError } = await import('../schema/suspect.ts');
  const warnings = suspect(set);
  if (strict && warnings.length > 0) throw strictError(set, warnings);
  for (const warning of firstOf(warnings)) io.stderr.write(`paylint: warning: ${warning}\n`);
}
