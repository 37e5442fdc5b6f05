/**
 * The interface between the parts of the accept compiler. Code for an object or an array needs code for the values in
 * it. And the types of values, as their first byte shows them.
 */
import { jsonEqual } from '../../json/value.ts';
import type { JsonType } from '../../json/vocabulary.ts';
import type { CodeContext } from '../../keywords/keyword-code.ts';
import { possibleTypes, valueTypes } from '../../schema/facts.ts';
import { formatNamed } from '../../schema/formats/format-table.ts';
import type { Schema, SchemaNode } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Code, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { matchCode, type Patterns } from './pattern-tables.ts';

/** What the entry schema's tests require of a member's value, in addition to the kind's own schema. */
export interface KindCondition {
  readonly allowed: readonly string[] | null;
  readonly forbidden: readonly string[];
}

export const NO_CONDITION: KindCondition = { allowed: null, forbidden: [] };

export interface GuardMember extends KindCondition {
  readonly required: boolean;
  readonly absent: boolean;
}

export interface Guard {
  /** True if only an object passes the test. False if the schema alone decides. */
  readonly object: boolean;
  readonly members: ReadonlyMap<string, GuardMember>;
}

export const NO_GUARD: Guard = { object: false, members: new Map() };

/** The members with a default, as text to insert. */
export interface DefaultTexts {
  /** The text of the default of member `name` of an object with this schema; null if it has none. */
  textOf(schema: SchemaNode, name: string): string | null;
}

/** An object that can have missing members with a default. */
export interface FillableObject {
  /** Pointer with `*` for any index. */
  readonly path: string;
  /** In the schema's order. A gap's mask has `bit` set if the member is missing. */
  readonly members: readonly { readonly name: string; readonly bit: bigint; readonly text: string }[];
}

/**
 * How a function reads a value.
 *
 * - `first`: the value is read for the first time. A result that is an address also says that the text is well-formed,
 *   without duplicate names, and not too deep.
 * - `try`: the same, for an alternative: the value may be read again. Its work is counted.
 * - `again`: the text was read before and is known to be well-formed. Only the schema is checked. Its work is counted.
 * - `check`: the same, but a result of more than 1 only says that the value matches: it need not be the end of the value,
 *   so an object is read only up to the last member that matters.
 * - `note`: the value is read for the first time, and to its end if it does not match, too: a keyword that fails is noted,
 *   see `Notes`.
 */
export type Reading = 'first' | 'try' | 'again' | 'check' | 'note';

/** True if the value is known to be well-formed. */
export function isReread(reading: Reading): boolean {
  return reading === 'again' || reading === 'check';
}

/** True if the work is counted, because the value may be read more than once. */
export function isCharged(reading: Reading): boolean {
  return reading !== 'first' && reading !== 'note';
}

/** The reading to use if the end of the value is needed. */
export function toItsEnd(reading: Reading): Reading {
  return reading === 'check' ? 'again' : reading;
}

/** Where and how a value is read. */
export interface ReadingPlace {
  readonly reading: Reading;
  /** The number of open brackets around the value. */
  readonly depth: Code;
  /** The value's place as a pointer with `*` for any index. */
  readonly path: string;
  readonly kindCondition: KindCondition;
}

/** True if all values at `path` have the same pointer. */
export function isOnePointer(path: string): boolean {
  return !path.includes('/*');
}

/** A keyword of a schema that can fail for values at one place. */
export interface NoteSite {
  readonly schema: SchemaNode;
  readonly keyword: string;
  /** The name that is missing, for `required`. */
  readonly missing: string | null;
  /** The pointer of the value; null if it is not the same for all values that are read here. */
  readonly pointer: string | null;
}

/** A schema, for values at `path`. */
export interface SchemaAt {
  readonly schema: SchemaNode;
  readonly path: string;
}

/** Code that notes what is wrong with the value in [start, end): these are locals. */
export interface Notes {
  /** Tests the value by each keyword of the schema except those in `handled`, and notes those that fail. */
  others(schema: SchemaAt, handled: readonly string[]): Code;
  /** Notes that a required member is missing. `hasUnknownNames`: not 0 if the object has names that the schema does not know. */
  missing(schema: SchemaAt, name: string, hasUnknownNames: Code): Code;
  /** Notes the member with the name in [nameStart, p), which must not be there. The end of the object is not known yet. */
  extra(schema: SchemaAt, nameStart: Code): Code;
}

/** What the code for a keyword needs from the compiler. */
export interface CompilerContext {
  readonly set: SchemaSet;
  /** The defaults to fill in, or to regard as filled in; null if there are none. */
  readonly defaults: DefaultTexts | null;
  /** The objects that can have gaps. A gap refers to its object by index. */
  readonly fillable: readonly FillableObject[];
  readonly patterns: Patterns;
  /** Null: nothing is read in the way `note`. */
  readonly notes: Notes | null;
  /** False if a schema is used at more than one path: then a fillable object's path is not the only one. */
  exactPaths: boolean;
  register(object: FillableObject): number;
  /** Code for a value at `p`, with no white space before it: moves `p` after it, or returns. */
  value(schema: Schema, place: ReadingPlace): Code;
  /** The name of a function that does the same: it takes `p` and the depth. */
  functionFor(schema: Schema, reading: Reading, path: string): string;
  /** Adds a global of type i32, with the value 0, and returns its name. */
  addGlobal(name: string): string;
}

/** The parameters of every function that reads a value. */
export const PARAMS = asm.i32s('p', 'depth');

/** The locals that templates use. */
export const LOCALS: Variables = [['v', 'v128'], ...asm.i32s('from', 'textEnd', 'length')];

/** The number of open brackets around a value inside the current container. */
export const inner: Code = asm.i32Add('depth', 1);

/** The place of a value that is inside the value at `place`, or at its member `token`. */
export function inside(
  place: Pick<ReadingPlace, 'reading' | 'path'>,
  token: string,
  kindCondition: KindCondition = NO_CONDITION,
): ReadingPlace {
  return { reading: toItsEnd(place.reading), depth: inner, path: `${place.path}/${token}`, kindCondition };
}

/** What the code of keywords needs, for a value at `path`. */
export function codeContext(compiler: CompilerContext, path: string): CodeContext {
  const { set, defaults, patterns } = compiler;
  return {
    matches: (source) => matchCode(patterns.entryOf(source), asm.localGet('from'), asm.localGet('textEnd')),
    item: (schema, at) => asm.call(compiler.functionFor(schema, 'check', `${path}/*`), at, inner),
    formatNamed: (name) => (set.assertsFormats === false ? null : formatNamed(name, set.formats)),
    fills: defaults !== null,
  };
}

/** All types, the more frequent ones first. */
export const TYPES: readonly JsonType[] = ['string', 'object', 'number', 'boolean', 'array', 'null'];

/** The types in the keyword `type`; all if it is missing. */
export function namedTypes({ type }: SchemaNode): readonly JsonType[] {
  if (type === undefined) return TYPES;
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return TYPES.filter((one) => named.includes(one) || (one === 'number' && named.includes('integer')));
}

/** The types that a value of the schema can have, at most. */
export function typesOf(schema: Schema): readonly JsonType[] {
  const possible = possibleTypes(schema);
  return TYPES.filter((type) => valueTypes(type).some((one) => possible.includes(one)));
}

/** The values that `enum` and `const` allow; null if the schema has neither. */
export function valuesOf(schema: SchemaNode): readonly unknown[] | null {
  const listed = schema.enum ?? null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.some((value) => jsonEqual(value, schema.const)) ? [schema.const] : [];
}
