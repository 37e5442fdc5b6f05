/**
 * Objects: `properties`, `required`, `additionalProperties`, and no duplicate names. A name is looked up by its length,
 * then by its bytes. A bit mask records the names that were found.
 */

import { escapeToken, isIndexName } from '../json/pointer.ts';
import { isSchemaObject, type Schema, type SchemaObject } from '../schema/load.ts';
import {
  block,
  br,
  brTable,
  type Code,
  call,
  type FunctionCode,
  globalGet,
  globalSet,
  i8x16Bitmask,
  i8x16Eq,
  i32Add,
  i32Const,
  i32Ctz,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32LeU,
  i32Load8U,
  i32Ne,
  i32Sub,
  i64And,
  i64Const,
  i64Eqz,
  i64Ne,
  i64Or,
  i64Xor,
  if_,
  localGet,
  localSet,
  loop,
  return_,
  v128ConstSplat,
} from '../wasm/assembler.ts';
import { type Clue, type CompilerContext, type Guard, inner, LOCALS, PARAMS } from './context.ts';
import { advance, expectColon, proceed, skipSpace, UNSURE } from './runtime.ts';
import { loadText, pass, rawText, whenMatches } from './text.ts';
import { Unsupported } from './unsupported.ts';

/** A name that the schema or the guard mentions. */
interface Known {
  readonly name: string;
  /** The name's bytes with the closing quote. */
  readonly bytes: readonly number[];
  readonly bit: bigint;
  readonly schema: Schema;
  readonly clue: Clue | undefined;
  /** The member must be missing, or the payload is of another kind. */
  readonly absent: boolean;
}

/** The closing quote of a name of this length or more is not in the first sixteen bytes. */
const LONG = 16;

/**
 * The function that reads an object from its opening bracket. `path`: its place, as a pointer with `*` for any index.
 */
export function objectFunction(
  name: string,
  schema: SchemaObject,
  guard: Guard,
  compiler: CompilerContext,
  path: string,
): FunctionCode {
  const known = knownNames(schema, guard);
  const fills = compiler.defaults !== null;
  refuseDefaultsOfKindMembers(schema, guard, compiler);
  const required = maskOf(known, requiredNames(schema, guard, compiler));
  const p = localGet('p');
  const readMember = block(
    'member',
    block('unknown', dispatch(known, compiler, path)),
    unknownMember(schema, compiler, path),
  );
  const body: Code = [
    ...if_(i32Ne(i32Load8U(p), i32Const(0x7b)), UNSURE),
    ...if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
    ...localSet('base', globalGet('names')),
    ...(fills ? localSet('ownName', globalGet('nameAt')) : []),
    ...advance(1),
    ...skipSpace,
    ...block(
      'close',
      if_(i32Eq(i32Load8U(p), i32Const(0x7d)), br('close')),
      loop(
        'members',
        if_(i32Ne(i32Load8U(p), i32Const(0x22)), UNSURE),
        fills ? localSet('lastName', p) : [],
        advance(1),
        readMember,
        skipSpace,
        if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...skipSpace, ...br('members')]),
      ),
      if_(i32Ne(i32Load8U(p), i32Const(0x7d)), UNSURE),
    ),
    ...recordMissing(known, schema, path, compiler),
    ...(required === 0n
      ? []
      : if_(i64Ne(i64And(localGet('seen'), i64Const(required)), i64Const(required)), UNSURE)),
    ...globalSet('names', localGet('base')),
    ...return_(i32Add(p, i32Const(1))),
    ...i32Const(0),
  ];
  const locals = [
    ...LOCALS,
    ['seen', 'i64'],
    ['missing', 'i64'],
    ['base', 'i32'],
    ['lastName', 'i32'],
    ['ownName', 'i32'],
  ] as const;
  return { name, params: PARAMS, result: 'i32', locals, body };
}

function knownNames(schema: SchemaObject, guard: Guard): Known[] {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = [...new Set([...Object.keys(properties), ...required, ...guard.members.keys()])];
  if (names.length > 64) throw new Unsupported('an object with more than 64 known members');
  const other = (schema.additionalProperties ?? true) as Schema; // checked by the meta-schema
  return names.map((name, i) => {
    const bytes = rawText(name);
    if (bytes === null) throw new Unsupported('a member whose name needs escapes in JSON');
    const member = guard.members.get(name);
    return {
      name,
      bytes,
      bit: 1n << BigInt(i),
      schema: Object.hasOwn(properties, name) ? (properties[name] as Schema) : other,
      clue: member,
      absent: member?.absent === true,
    };
  });
}

/** The required names. If defaults are filled in, a name with a default is left out. */
function requiredNames(schema: SchemaObject, guard: Guard, { defaults }: CompilerContext): string[] {
  const own = (Array.isArray(schema.required) ? schema.required.map(String) : []).filter(
    (name) => defaults?.textOf(schema, name) == null,
  );
  const clues = [...guard.members].filter(([, { required }]) => required).map(([name]) => name);
  return [...own, ...clues];
}

/** Throws Unsupported for a default that changes the kind of a payload when it is filled in. */
function refuseDefaultsOfKindMembers(
  schema: SchemaObject,
  guard: Guard,
  { defaults }: CompilerContext,
): void {
  for (const [name, { required, absent, allowed, forbidden }] of guard.members) {
    const text = defaults?.textOf(schema, name) ?? null;
    if (text === null || required) continue; // a required member is never missing
    const value: unknown = JSON.parse(text);
    const keepsKind =
      !absent &&
      !forbidden.some((word) => word === value) &&
      allowed?.some((word) => word === value) !== false;
    if (!keepsKind) throw new Unsupported('a default of a member by which kinds are told apart');
  }
}

/** At the closing bracket: adds a gap if members with a default are missing. */
function recordMissing(
  known: readonly Known[],
  schema: SchemaObject,
  path: string,
  compiler: CompilerContext,
): Code {
  const { defaults } = compiler;
  if (defaults === null) return [];
  const members = known.flatMap(({ name, bit }) => {
    const text = defaults.textOf(schema, name);
    return text === null ? [] : [{ name, bit, text }];
  });
  if (members.length === 0) return [];
  if (members.some((member) => isIndexName(member.name)))
    throw new Unsupported('a default of a member whose name looks like an index');
  const object = compiler.register({ path, members });
  const all = members.reduce((mask, { bit }) => mask | bit, 0n);
  return [
    ...localSet('missing', i64And(i64Xor(localGet('seen'), i64Const(all)), i64Const(all))),
    ...if_(i64Ne(localGet('missing'), i64Const(0n)), [
      ...if_(i32Eqz(localGet('lastName')), mustBeCompact),
      ...if_(
        i32Eqz(call('gap', localGet('lastName'), localGet('p'), i32Const(object), localGet('missing'))),
        UNSURE,
      ),
    ]),
  ];
}

/**
 * The layout of an empty object depends on its surroundings. It is known without reading further only if they are
 * compact, see `isCompactMember`.
 */
const mustBeCompact: Code = [
  ...if_(i32Ne(i32Load8U(i32Sub(localGet('p'), i32Const(1))), i32Const(0x7b)), UNSURE),
  ...if_(localGet('ownName'), [
    ...if_(i32Eq(localGet('ownName'), i32Const(-1)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(localGet('p'), i32Const(2))), i32Const(0x3a)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(localGet('p'), i32Const(3))), i32Const(0x22)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(localGet('ownName'), i32Const(1))), i32Const(0x7b)), [
      ...if_(i32Ne(i32Load8U(i32Sub(localGet('ownName'), i32Const(1))), i32Const(0x2c)), UNSURE),
      ...if_(i32LeU(i32Load8U(i32Sub(localGet('ownName'), i32Const(2))), i32Const(0x20)), UNSURE),
    ]),
  ]),
];

function maskOf(known: readonly Known[], names: readonly string[]): bigint {
  return known.filter(({ name }) => names.includes(name)).reduce((mask, { bit }) => mask | bit, 0n);
}

/** Finds the name at `p` among the known names and reads its member. For another name, control goes to `unknown`. */
function dispatch(known: readonly Known[], compiler: CompilerContext, path: string): Code {
  if (known.length === 0) return [];
  const lengths = [...new Set(known.map(lengthOf))].sort((a, b) => a - b);
  const labelOf = (length: number): string => `length ${length}`;
  const labels = Array.from({ length: LONG }, (_, length) =>
    lengths.includes(length) ? labelOf(length) : 'unknown',
  );
  const beyond = lengths.includes(LONG) ? labelOf(LONG) : 'unknown';
  // The index is the position of the first quote in sixteen bytes, 32 if there is none.
  let code = brTable(i32Ctz(i8x16Bitmask(i8x16Eq(localGet('v'), v128ConstSplat(0x22)))), labels, beyond);
  for (const length of lengths) {
    const members = known.filter((member) => lengthOf(member) === length);
    code = [
      ...block(labelOf(length), code),
      ...members.flatMap((member) => whenMatches(member.bytes, readKnown(member, compiler, path))),
      ...br('unknown'),
    ];
  }
  return [...loadText, ...code];
}

function lengthOf({ bytes }: Known): number {
  return Math.min(LONG, bytes.length - 1);
}

function readKnown(
  { name, bytes, bit, schema, clue, absent }: Known,
  compiler: CompilerContext,
  path: string,
): Code {
  if (absent) return UNSURE;
  return [
    ...if_(isSet(bit), UNSURE),
    ...localSet('seen', i64Or(localGet('seen'), i64Const(bit))),
    ...pass(bytes),
    ...expectColon,
    ...(compiler.defaults === null ? [] : globalSet('nameAt', localGet('lastName'))),
    ...compiler.value(schema, inner, `${path}/${escapeToken(name)}`, clue),
    ...br('member'),
  ];
}

function isSet(bit: bigint): Code {
  return i32Eqz(i64Eqz(i64And(localGet('seen'), i64Const(bit))));
}

function unknownMember(schema: SchemaObject, compiler: CompilerContext, path: string): Code {
  const other = (schema.additionalProperties ?? true) as Schema; // checked by the meta-schema
  if (other === false) return UNSURE;
  const before = compiler.fillable.length;
  const value = compiler.value(other, inner, `${path}/*`);
  // A name that is unknown here may be known elsewhere, and messages show known names in paths.
  if (compiler.fillable.length > before) compiler.exactPaths = false;
  const nameless = compiler.defaults === null ? [] : globalSet('nameAt', i32Const(-1));
  return [
    ...proceed(call('unknownName', localGet('p'), localGet('base'))),
    ...expectColon,
    ...nameless,
    ...value,
  ];
}
