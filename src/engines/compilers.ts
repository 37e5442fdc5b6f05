/**
 * Compiles schemas to functions over bytes: those of accept, those that note violations, and those for payloads that
 * must only be well-formed. Loaded only by runs for which the build has not made them.
 */
import type { AcceptCode, GrowingCode, SharedCode } from '../accept/code.ts';
import { type Begun, CodeByNames } from '../accept/growing.ts';
import { type AcceptOptions, compileAccept } from '../accept/module.ts';
import type { NoteCode } from '../accept/noter.ts';
import { compileNotes } from '../accept/notes.ts';
import { Patterns } from '../accept/pattern-tables.ts';
import { AROUND, type Layout } from '../accept/payload-layout.ts';
import { Unsupported } from '../accept/unsupported.ts';
import { wellFormedModule } from '../accept/well-formed.ts';
import type { Compiled } from '../automaton/matcher.ts';
import { defaultTexts } from '../fill/member-texts.ts';
import type { DefaultMap } from '../fill/wanted-defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import { encode, isTooLarge } from '../wasm/encode.ts';
import { ACCEPT_TABLES } from '../wasm/layout.ts';
import { atLeisure, OverTime, type Within } from './time-limit.ts';

/** Number of subschemas of a large schema. Most payloads have few of its members. */
const LARGE = 1000;

/** Accept functions for payloads of the kind `forced`, or (null) of any kind. `defaults`: see `EngineOptions`. */
export function compileAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  defaults: DefaultMap | null,
  within: Within = atLeisure,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  return compiled(schemas, { forced, defaults: texts, automata: new Map() }, within);
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
  return compiledAll(schemas, { forced: null, defaults: null, automata: new Map(), only: NO_KIND });
}

const NO_KIND = '';

function compiledAll(schemas: SchemaSet, options: AcceptOptions): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = compileAccept(schemas, options);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

/** The same without defaults, compiled as payloads need it. */
export function growingAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  within: Within = atLeisure,
): GrowingCode {
  return growing({ schemas, forced, within }, new Map());
}

/** The same in another thread, from the result of `shareable`. */
export function resumeAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  { code, names, patterns, automata }: SharedCode,
): GrowingCode {
  const known = new Map(automata);
  const waiting = new Patterns(ACCEPT_TABLES, true, known).await(patterns);
  const begun = { code: { ...code, tables: waiting.bytes, waiting }, names };
  return growing({ schemas, forced, within: atLeisure }, known, begun);
}

function growing(
  { schemas, forced, within }: { schemas: SchemaSet; forced: string | null; within: Within },
  automata: Map<string, Compiled>,
  begun?: Begun,
): GrowingCode {
  return new CodeByNames(
    {
      isLarge: schemas.nodes.length > LARGE,
      automata,
      compile: (names) => compiled(schemas, { forced, defaults: null, automata, names }, within),
    },
    begun,
  );
}

export function compileJson(layout: Layout): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = wellFormedModule(AROUND[layout]);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

/** Null if the schemas do not allow notes. `forced`: see `Engines`; `counts`: see `compileNotes`. */
export function compileNoteCode(set: SchemaSet, forced: string | null, counts = false): NoteCode | null {
  try {
    const { module, ...code } = compileNotes(set, forced, counts);
    return { ...code, module: new WebAssembly.Module(encode(module)) };
  } catch (error) {
    if (error instanceof Unsupported || isTooLarge(error)) return null;
    throw error;
  }
}
