/**
 * Objects in which members with a default are missing: they are valid if these are filled in, and a gap says where. Not
 * supported are schemas to which that could make a difference elsewhere.
 */

import { isIndexName } from '../../json/pointer.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { p, UNSURE } from '../wasm/templates.ts';
import type { CompilerContext, DefaultTexts, Guard, SchemaAt } from './context.ts';
import { BITS, type KnownNames } from './known-names.ts';

/**
 * Throws Unsupported for keywords that can fail because a member is filled in, and for other conflicts with defaults.
 */
export function refuseDefaults(
  schema: SchemaNode,
  names: KnownNames,
  { members }: Guard,
  defaults: DefaultTexts,
): void {
  const { patternProperties, propertyNames, minProperties, maxProperties } = schema;
  if ([patternProperties, propertyNames, minProperties, maxProperties].some((value) => value !== undefined))
    throw new Unsupported('a condition on names or their number, beside defaults to fill in');
  if (names.all.length > BITS) throw new Unsupported(`more than ${BITS} known members, beside defaults to fill in`);
  for (const [name, { required, absent, allowed, forbidden }] of members) {
    const text = defaults.textOf(schema, name);
    if (text === null || required) continue; // a required member is never missing
    const value: unknown = JSON.parse(text);
    const keepsKind =
      !absent && !forbidden.some((word) => word === value) && allowed?.some((word) => word === value) !== false;
    if (!keepsKind) throw new Unsupported('a default of a member by which kinds are told apart');
  }
}

/** At the closing bracket: adds a gap if members with a default are missing. Throws Unsupported. */
export function recordMissing({ schema, path }: SchemaAt, names: KnownNames, compiler: CompilerContext): Code {
  const { defaults } = compiler;
  if (defaults === null) return [];
  const members = names.all.flatMap(({ name, bit }) => {
    const text = defaults.textOf(schema, name);
    return text === null ? [] : [{ name, bit, text }];
  });
  if (members.length === 0) return [];
  if (members.some((member) => isIndexName(member.name)))
    throw new Unsupported('a default of a member whose name looks like an index');
  const object = compiler.register({ path, members });
  const all = members.reduce((mask, { bit }) => mask | bit, 0n);
  return [
    asm.localSet('missing', asm.i64And(asm.i64Xor('seen0', asm.i64Const(all)), asm.i64Const(all))),
    asm.if_(asm.i64Ne('missing', asm.i64Const(0n)), [
      asm.if_(asm.i32Eqz('lastName'), mustBeCompact),
      asm.if_(asm.i32Eqz(asm.call('gap', 'lastName', p, object, 'missing')), UNSURE),
    ]),
  ];
}

/**
 * The layout of an empty object depends on its surroundings. It is known without reading further only if they are
 * compact, see `isCompactMember`.
 */
const mustBeCompact: Code = [
  asm.if_(asm.i32Ne(asm.i32Load8U(asm.i32Sub(p, 1)), 0x7b), UNSURE),
  asm.if_('ownName', [
    asm.if_(asm.i32Eq('ownName', -1), UNSURE),
    asm.if_(asm.i32Ne(asm.i32Load8U(asm.i32Sub(p, 2)), 0x3a), UNSURE),
    asm.if_(asm.i32Ne(asm.i32Load8U(asm.i32Sub(p, 3)), 0x22), UNSURE),
    asm.if_(asm.i32Ne(asm.i32Load8U(asm.i32Sub('ownName', 1)), 0x7b), [
      asm.if_(asm.i32Ne(asm.i32Load8U(asm.i32Sub('ownName', 1)), 0x2c), UNSURE),
      asm.if_(asm.i32LeU(asm.i32Load8U(asm.i32Sub('ownName', 2)), 0x20), UNSURE),
    ]),
  ]),
];
