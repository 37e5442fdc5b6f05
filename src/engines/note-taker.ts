/**
 * Makes what takes notes of violations: loaded only by runs with many invalid payloads.
 */
import { Noter } from '../accept/noter.ts';
import { compileNotes } from '../accept/notes.ts';
import { Unsupported } from '../accept/unsupported.ts';
import { NoteTaker } from '../examine/noted.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { Limits } from '../types.ts';
import { encode } from '../wasm/encode.ts';

/** Null if the schemas do not allow it. `memory`: of the window. */
export function makeNoteTaker(
  set: SchemaSet,
  forced: string | null,
  memory: WebAssembly.Memory,
  limits: Limits,
): NoteTaker | null {
  try {
    const { module, ...code } = compileNotes(set, forced);
    const compiled = new WebAssembly.Module(encode(module));
    const noter = new Noter({ ...code, module: compiled }, memory, limits.maxDepth);
    return new NoteTaker(noter, { set, redact: limits.redact });
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}
