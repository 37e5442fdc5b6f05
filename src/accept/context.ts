/**
 * What the parts of the accept compiler say to one another: the code for an object or an array asks for the code of its values.
 */
import type { Schema, SchemaObject } from '../schema/load.ts';
import { add, type Code, get, i32 } from '../wasm/assembler.ts';

/** What a member that is a clue to the kind must and must not be, beside what its schema says. */
export interface Clue {
  readonly allowed: readonly string[] | null;
  readonly forbidden: readonly string[];
}

/** What a test asks of one member. */
export interface GuardMember extends Clue {
  /** The member must be there. */
  readonly required: boolean;
  /** The member must not be there. */
  readonly absent: boolean;
}

export interface Guard {
  /** Only an object passes the test. False where the schema alone decides. */
  readonly object: boolean;
  /** By name. */
  readonly members: ReadonlyMap<string, GuardMember>;
}

export const NO_GUARD: Guard = { object: false, members: new Map() };

/** The members with a default, spelled as they are to be inserted. */
export interface DefaultTexts {
  /** The text of the default of the member `name` of an object with this schema; null where it has none. */
  textOf(schema: SchemaObject, name: string): string | null;
}

/** An object that can miss members with a default. */
export interface FillableObject {
  /** Pointer with `*` for any index. */
  readonly path: string;
  /** In the schema's order; `bit` of a note's mask is set where the member is missing. */
  readonly members: readonly { readonly name: string; readonly bit: bigint; readonly text: string }[];
}

/** What the code for objects and arrays needs of the compiler. */
export interface CompilerContext {
  /** The defaults that are filled in, or thought to be; null if payloads are judged as they are. */
  readonly defaults: DefaultTexts | null;
  /** The objects that can miss members with a default, by the number that notes give them. */
  readonly fillable: readonly FillableObject[];
  /** False if a schema is used at more than one path: then the paths of the fillable objects may be others. */
  exactPaths: boolean;
  /** Gives a fillable object its number. */
  register(object: FillableObject): number;
  /**
   * Code for a value at `p`, no white space before it. `depth`: the brackets open around it; `path`: its place, as a pointer with `*` for
   * any index.
   */
  value(schema: Schema, depth: Code, path: string, clue?: Clue): Code;
}

/** Every function that reads a value takes these. */
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

/** The brackets open around what stands in a container. */
export const inner: Code = add(get('depth'), i32(1));
