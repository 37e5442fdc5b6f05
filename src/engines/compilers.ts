/**
 * Compiles schemas to functions over bytes: those of accept, those that note violations, and those for payloads that
 * must only be well-formed. Loaded only by runs for which the build has not made them.
 */
import type { AcceptCode } from '../accept/code.ts';
import { type AcceptOptions, compileAccept } from '../accept/module.ts';
import type { NoteCode } from '../accept/noter.ts';
import { compileNotes } from '../accept/notes.ts';
import { AROUND, type Layout } from '../accept/payload-layout.ts';
import { Unsupported } from '../accept/unsupported.ts';
import { wellFormedModule } from '../accept/well-formed.ts';
import { defaultTexts } from '../fill/insertion.ts';
import type { DefaultMap } from '../fill/wanted-defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import { encode, isTooLarge } from '../wasm/encode.ts';
import { atLeisure, OverTime, type Within } from './time-limit.ts';

/** Accept functions for payloads of the kind `forced`, or (null) of any kind. `defaults`: see `EngineOptions`. */
export function compileAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  defaults: DefaultMap | null,
  within: Within = atLeisure,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  return compiled(schemas, { forced, defaults: texts, waits: true }, within);
}

/** If the code is too large for V8, or takes too long to make, every payload is unsure. */
function compiled(schemas: SchemaSet, options: AcceptOptions, within: Within): AcceptCode {
  try {
    return within(() => compiledAll(schemas, options));
  } catch (error) {
    if (!isTooLarge(error) && !(error instanceof OverTime)) throw error;
    return compiledAll(schemas, { ...options, forced: null, only: NO_KIND });
  }
}

/** Functions for which every payload is unsure. */
export function unsureCode(schemas: SchemaSet): AcceptCode {
  return compiledAll(schemas, { forced: null, defaults: null, waits: true, only: NO_KIND });
}

const NO_KIND = '';

function compiledAll(schemas: SchemaSet, options: AcceptOptions): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = compileAccept(schemas, options);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

export function compileJson(layout: Layout): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = wellFormedModule(AROUND[layout]);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

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
