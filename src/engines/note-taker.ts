/**
 * Creates a note taker: loaded only by runs with many invalid payloads.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import { type NoteCode, Noter, readNotes } from '../accept/noter.ts';
import { NoteTaker } from '../examine/noted.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { Limits } from '../types.ts';
import { OverTime, type Within } from './time-limit.ts';

/** `file`: with functions for the kinds of `set`; null: there is none. `memory`: of the window. Null if the schemas do not allow notes. */
export async function makeNoteTaker(
  { set, forced, file, within }: NoteSource,
  acceptor: Acceptor,
  memory: WebAssembly.Memory,
  limits: Limits,
): Promise<NoteTaker | null> {
  const code = file === null ? null : readNotes(file, set);
  const made = code ?? (await compiled(set, forced, within));
  return made === null
    ? null
    : new NoteTaker(new Noter(made, memory, limits, acceptor), { set, redact: limits.redact });
}

/** `forced`: see `Engines`. */
export interface NoteSource {
  readonly set: SchemaSet;
  readonly forced: string | null;
  readonly file: string | null;
  /** If it takes too long to compile the functions, there are none. */
  readonly within: Within;
}

async function compiled(set: SchemaSet, forced: string | null, within: Within): Promise<NoteCode | null> {
  const { compileNoteCode } = await import('./compile-notes.ts');
  try {
    return within(() => compileNoteCode(set, forced));
  } catch (error) {
    if (error instanceof OverTime) return null;
    throw error;
  }
}
