/**
 * The code with which the engines check single texts, made when a text first needs it.
 */
import type { AcceptCode, GrowingCode } from '../accept/code.ts';
import { readAccept } from '../accept/code-file.ts';
import { type NoteCode, readNotes } from '../accept/noter.ts';
import { compileNoteCode, growingAcceptCode } from '../engines/compile.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/set.ts';

/** The code, and the number of texts after which it is made. */
export interface TextCodes {
  /** Texts that are examined before code is made for them. */
  readonly first: number;
  readonly accept: () => AcceptCode | GrowingCode;
  /** Null: there is none, or not yet. Call it for each invalid text. */
  readonly notes: () => NoteCode | null;
}

/** To compile the code of a schema takes about as long as to examine this number of texts. */
const FIRST = 8;
/** Subschemas of a small schema, at most. */
const SMALL = 150;
/** The same for the code that notes violations. */
const INVALID_OF_SMALL = 50;
const INVALID_OF_LARGE = 5000;

interface CodeParts {
  readonly set: SchemaSet;
  /** The given kind; null: it is detected. */
  readonly kind: string | null;
  /** Files that were made for all kinds of `set`; null: there are none. */
  readonly precompiled: PrecompiledFiles | null;
}

export function textCodes({ set, kind, precompiled }: CodeParts): TextCodes {
  const files = kind === null ? precompiled : null;
  let left = files !== null ? 0 : set.nodes.length > SMALL ? INVALID_OF_LARGE : INVALID_OF_SMALL;
  let accept: AcceptCode | GrowingCode | null = null;
  let notes: NoteCode | null | undefined;
  return {
    first: files === null ? FIRST : 0,
    accept() {
      accept ??= (files === null ? null : readAccept(files.accept)) ?? growingAcceptCode(set, kind);
      return accept;
    },
    notes() {
      if (left-- > 0) return null;
      if (notes === undefined)
        notes = (files === null ? null : readNotes(files.notes, set)) ?? compileNoteCode(set, kind);
      return notes;
    },
  };
}
