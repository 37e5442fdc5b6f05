/**
 * Compiles schemas to functions that note violations: loaded only by runs with many invalid payloads, and schemas without precompiled ones.
 */
import type { NoteCode } from '../accept/noter.ts';
import { compileNotes } from '../accept/notes.ts';
import { Unsupported } from '../accept/unsupported.ts';
import type { SchemaSet } from '../schema/load.ts';
import { encode } from '../wasm/encode.ts';
import { isTooLarge } from '../wasm/too-large.ts';

/** Null if the schemas do not allow notes. `forced`: see `Engines`. */
export function compileNoteCode(set: SchemaSet, forced: string | null): NoteCode | null {
  try {
    const { module, ...code } = compileNotes(set, forced);
    return { ...code, module: new WebAssembly.Module(encode(module)) };
  } catch (error) {
    if (error instanceof Unsupported || isTooLarge(error)) return null;
    throw error;
  }
}
