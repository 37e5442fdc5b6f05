/**
 * Objects: `properties`, `required`, `additionalProperties`, and no name twice. Names are found by their length, then by their
 * bytes; which of them were seen is a bit mask.
 */

import { escapeToken, isIndexName } from '../json/pointer.ts';
import { isSchemaObject, type Schema, type SchemaObject } from '../schema/load.ts';
import {
  add,
  and64,
  bitmask,
  block,
  branch,
  branchTable,
  bytesEq,
  type Code,
  call,
  ctz,
  eq,
  eqz,
  eqz64,
  type FunctionCode,
  get,
  geU,
  giveBack,
  globalGet,
  globalSet,
  i32,
  i64,
  leU,
  load8,
  loop,
  ne,
  ne64,
  or64,
  set,
  splat,
  sub,
  when,
  xor64,
} from '../wasm/assembler.ts';
import { type Clue, type CompilerContext, type Guard, inner, LOCALS, PARAMS } from './context.ts';
import { advance, expectColon, proceed, skipSpace, UNSURE } from './runtime.ts';
import { loadText, pass, rawText, whenMatches } from './text.ts';
import { Unsupported } from './unsupported.ts';

/** One name that the schema knows. */
interface Known {
  readonly name: string;
  /** With its closing quote. */
  readonly bytes: readonly number[];
  readonly bit: bigint;
  readonly schema: Schema;
  readonly clue: Clue | undefined;
  /** Its being there would make it a payload of another kind. */
  readonly absent: boolean;
}

/** A name this long or longer has its closing quote beyond the first sixteen bytes. */
const LONG = 16;

/** The function that reads an object from its opening bracket. `path`: where it stands, as a pointer with `*` for any index. */
export function objectFunction(
  name: string,
  schema: SchemaObject,
  guard: Guard,
  compiler: CompilerContext,
  path: string,
): FunctionCode {
  const known = knownNames(schema, guard);
  const fills = compiler.defaults !== null;
  refuseTellingDefaults(schema, guard, compiler);
  const required = maskOf(known, requiredNames(schema, guard, compiler));
  const p = get('p');
  const readMember = block(
    'member',
    block('unknown', dispatch(known, compiler, path)),
    unknownMember(schema, compiler, path),
  );
  const body: Code = [
    ...when(ne(load8(p), i32(0x7b)), UNSURE),
    ...when(geU(get('depth'), globalGet('maxDepth')), UNSURE),
    ...set('base', globalGet('names')),
    ...(fills ? set('ownName', globalGet('nameAt')) : []),
    ...advance(1),
    ...skipSpace,
    ...block(
      'close',
      when(eq(load8(p), i32(0x7d)), branch('close')),
      loop(
        'members',
        when(ne(load8(p), i32(0x22)), UNSURE),
        fills ? set('lastName', p) : [],
        advance(1),
        readMember,
        skipSpace,
        when(eq(load8(p), i32(0x2c)), [...advance(1), ...skipSpace, ...branch('members')]),
      ),
      when(ne(load8(p), i32(0x7d)), UNSURE),
    ),
    ...noteMissing(known, schema, path, compiler),
    ...(required === 0n ? [] : when(ne64(and64(get('seen'), i64(required)), i64(required)), UNSURE)),
    ...globalSet('names', get('base')),
    ...giveBack(add(p, i32(1))),
    ...i32(0),
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
  const other = (schema.additionalProperties ?? true) as Schema; // the meta-schema has seen it
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

/** What must be there; what has a default need not, where defaults are filled in. */
function requiredNames(schema: SchemaObject, guard: Guard, { defaults }: CompilerContext): string[] {
  const own = (Array.isArray(schema.required) ? schema.required.map(String) : []).filter(
    (name) => defaults?.textOf(schema, name) == null,
  );
  const clues = [...guard.members].filter(([, { required }]) => required).map(([name]) => name);
  return [...own, ...clues];
}

/** Throws Unsupported for a default that, filled in, would make a payload one of another kind. */
function refuseTellingDefaults(schema: SchemaObject, guard: Guard, { defaults }: CompilerContext): void {
  for (const [name, { required, absent, allowed, forbidden }] of guard.members) {
    const text = defaults?.textOf(schema, name) ?? null;
    if (text === null || required) continue; // what is required is never missing
    const value: unknown = JSON.parse(text);
    const keepsKind =
      !absent &&
      !forbidden.some((word) => word === value) &&
      allowed?.some((word) => word === value) !== false;
    if (!keepsKind) throw new Unsupported('a default of a member by which kinds are told apart');
  }
}

/** At the closing bracket: notes which members with a default are missing. */
function noteMissing(
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
    ...set('missing', and64(xor64(get('seen'), i64(all)), i64(all))),
    ...when(ne64(get('missing'), i64(0n)), [
      ...when(eqz(get('lastName')), mustBeCompact),
      ...when(eqz(call('note', get('lastName'), get('p'), i32(object), get('missing'))), UNSURE),
    ]),
  ];
}

/**
 * How an empty object is to be laid out, its surroundings tell. Only where they are compact is that clear from what comes before it: as
 * `isCompactMember` says it of the member that it is.
 */
const mustBeCompact: Code = [
  ...when(ne(load8(sub(get('p'), i32(1))), i32(0x7b)), UNSURE),
  ...when(get('ownName'), [
    ...when(eq(get('ownName'), i32(-1)), UNSURE),
    ...when(ne(load8(sub(get('p'), i32(2))), i32(0x3a)), UNSURE),
    ...when(ne(load8(sub(get('p'), i32(3))), i32(0x22)), UNSURE),
    ...when(ne(load8(sub(get('ownName'), i32(1))), i32(0x7b)), [
      ...when(ne(load8(sub(get('ownName'), i32(1))), i32(0x2c)), UNSURE),
      ...when(leU(load8(sub(get('ownName'), i32(2))), i32(0x20)), UNSURE),
    ]),
  ]),
];

function maskOf(known: readonly Known[], names: readonly string[]): bigint {
  return known.filter(({ name }) => names.includes(name)).reduce((mask, { bit }) => mask | bit, 0n);
}

/** Finds the name at `p` among the known ones and reads its member; what is not among them falls to `unknown`. */
function dispatch(known: readonly Known[], compiler: CompilerContext, path: string): Code {
  if (known.length === 0) return [];
  const lengths = [...new Set(known.map(lengthOf))].sort((a, b) => a - b);
  const labelOf = (length: number): string => `length ${length}`;
  const labels = Array.from({ length: LONG }, (_, length) =>
    lengths.includes(length) ? labelOf(length) : 'unknown',
  );
  const beyond = lengths.includes(LONG) ? labelOf(LONG) : 'unknown';
  // The index is the place of the first quote in sixteen bytes, 32 if there is none.
  let code = branchTable(ctz(bitmask(bytesEq(get('v'), splat(0x22)))), labels, beyond);
  for (const length of lengths) {
    const members = known.filter((member) => lengthOf(member) === length);
    code = [
      ...block(labelOf(length), code),
      ...members.flatMap((member) => whenMatches(member.bytes, readKnown(member, compiler, path))),
      ...branch('unknown'),
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
    ...when(isSet(bit), UNSURE),
    ...set('seen', or64(get('seen'), i64(bit))),
    ...pass(bytes),
    ...expectColon,
    ...(compiler.defaults === null ? [] : globalSet('nameAt', get('lastName'))),
    ...compiler.value(schema, inner, `${path}/${escapeToken(name)}`, clue),
    ...branch('member'),
  ];
}

function isSet(bit: bigint): Code {
  return eqz(eqz64(and64(get('seen'), i64(bit))));
}

function unknownMember(schema: SchemaObject, compiler: CompilerContext, path: string): Code {
  const other = (schema.additionalProperties ?? true) as Schema; // the meta-schema has seen it
  if (other === false) return UNSURE;
  const before = compiler.fillable.length;
  const value = compiler.value(other, inner, `${path}/*`);
  // Some of the names that come here are known elsewhere, and patterns show known names.
  if (compiler.fillable.length > before) compiler.exactPaths = false;
  const nameless = compiler.defaults === null ? [] : globalSet('nameAt', i32(-1));
  return [...proceed(call('unknownName', get('p'), get('base'))), ...expectColon, ...nameless, ...value];
}
