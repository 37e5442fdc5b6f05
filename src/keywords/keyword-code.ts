/**
 * The code of keywords for the compiled engine: one object for each keyword or family, in a file beside the keyword's own,
 * which is loaded when something is compiled. It tests one value that was just read, and returns "surely invalid" or
 * "unsure", or goes on. `codes.ts` has them all.
 */

import type { DialectKeyword } from '../schema/dialect.ts';
import type { FormatDefinition } from '../schema/formats/format.ts';
import type { Keywords, Schema, SchemaNode } from '../schema/node.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';

/** Thrown for what has no code: such values are examined, with the same result. The message is the reason. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** What the code needs from the compiler. */
export interface CodeContext {
  /** Whether the text in [from, textEnd), which are locals, matches a regular expression. */
  readonly matches: (source: string) => Code;
  /** The result for an item that begins at an address: 0 for "unsure", 1 for "surely invalid", more for a match. */
  readonly item: (schema: Schema, at: Code) => Code;
  /** Null: the format asserts nothing. */
  readonly formatNamed: (name: string) => FormatDefinition | null;
  /** Missing members are filled in with their defaults. */
  readonly fills: boolean;
}

interface KeywordCode {
  readonly keywords: readonly DialectKeyword[];
}

export interface StringCode extends KeywordCode {
  /** After the opening quote, before the text is read. */
  readonly before?: (node: SchemaNode) => Code;
  /** For the text in [from, textEnd), which are locals. Without escapes. */
  readonly check: (node: SchemaNode, context: CodeContext) => Code;
}

export interface NumberCode extends KeywordCode {
  /** For the number in the globals that the function `number` sets. `isInteger`: it is known to be a whole number. */
  readonly check: (node: SchemaNode, context: CodeContext, isInteger: boolean) => Code;
}

export interface ContainerCode extends KeywordCode {
  /** Null: the keywords allow every array or object. */
  readonly make: (keywords: Keywords, context: CodeContext) => ContainerPart | null;
}

/** Code for an array or object. It can use the locals `result`, `contained` and `unclear` as well. */
export interface ContainerPart {
  /** It needs the number of items or members so far in the local `count`. */
  readonly counts?: true;
  /** It needs the start of each item in the local `itemAt`. */
  readonly needsItems?: true;
  /** At the opening bracket, which is at `p`. */
  readonly before?: Code;
  /** After each item, which ends before `p`. */
  readonly each?: Code;
  /** At the closing bracket. */
  readonly after: Code;
}

/** A count from the schema as an i32. Nothing in a window can have more than the largest i32. */
export function count32(count: number): Code {
  return asm.i32Const(Math.min(count, 0x7fff_ffff));
}
