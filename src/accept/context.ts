/**
 * The interface between the parts of the accept compiler. Code for an object or an array needs code for the values in
 * it.
 */
import type { Schema, SchemaObject } from '../schema/load.ts';
import { type Code, i32Add, i32Const, localGet } from '../wasm/assembler.ts';

/** What the entry schema's tests require of a member's value, in addition to the kind's own schema. */
export interface Clue {
  readonly allowed: readonly string[] | null;
  readonly forbidden: readonly string[];
}

/** What the tests require of one member. */
export interface GuardMember extends Clue {
  /** The member must be present. */
  readonly required: boolean;
  /** The member must be missing. */
  readonly absent: boolean;
}

export interface Guard {
  /** True if only an object passes the test. False if the schema alone decides. */
  readonly object: boolean;
  /** By name. */
  readonly members: ReadonlyMap<string, GuardMember>;
}

export const NO_GUARD: Guard = { object: false, members: new Map() };

/** The members with a default, as text to insert. */
export interface DefaultTexts {
  /** The text of the default of member `name` of an object with this schema; null if it has none. */
  textOf(schema: SchemaObject, name: string): string | null;
}

/** An object that can have missing members with a default. */
export interface FillableObject {
  /** Pointer with `*` for any index. */
  readonly path: string;
  /** In the schema's order. A gap's mask has `bit` set if the member is missing. */
  readonly members: readonly { readonly name: string; readonly bit: bigint; readonly text: string }[];
}

/** What the code for objects and arrays needs from the compiler. */
export interface CompilerContext {
  /** The defaults to fill in, or to regard as filled in; null if there are none. */
  readonly defaults: DefaultTexts | null;
  /** The objects that can have gaps. A gap refers to its object by index. */
  readonly fillable: readonly FillableObject[];
  /** False if a schema is used at more than one path: then a fillable object's path is not the only one. */
  exactPaths: boolean;
  /** Adds a fillable object and returns its number. */
  register(object: FillableObject): number;
  /**
   * Code for a value at `p`, with no white space before it. `depth`: number of open brackets around it; `path`: its
   * place, as a pointer with `*` for any index.
   */
  value(schema: Schema, depth: Code, path: string, clue?: Clue): Code;
}

/** The parameters of every function that reads a value. */
export const PARAMS = [
  ['p', 'i32'],
  ['depth', 'i32'],
] as const;

/** The locals that templates use. */
export const LOCALS = [
  ['v', 'v128'],
  ['from', 'i32'],
  ['length', 'i32'],
] as const;

/** The number of open brackets around a value inside the current container. */
export const inner: Code = i32Add(localGet('depth'), i32Const(1));
