/**
 * The names of members that a schema or a guard mentions. While an object is read, each has a bit, in locals of 64 bits,
 * that says whether it was found. And gaps: objects that are valid if missing members with a default are filled in. Not
 * supported are schemas to which that could make a difference elsewhere.
 */
import { isIndexName } from '../../json/pointer.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import type { SchemaNode } from '../../schema/node.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { p, UNSURE } from '../../wasm/templates.ts';
import type { CompilerContext, DefaultTexts, Guard, SchemaAt } from './context.ts';
import { rawText } from './text.ts';

export const MASK_BITS = 64;
/** More names make too much code. */
const MOST_NAMES = 4000;

export interface KnownName {
  readonly name: string;
  /** The name's bytes with the closing quote; null if it can only be written with escapes. */
  readonly bytes: readonly number[] | null;
  /** The number of the local, and the bit in it. */
  readonly word: number;
  readonly bit: bigint;
}

export class KnownNames {
  readonly all: readonly KnownName[];

  /** Throws Unsupported. */
  constructor(names: ReadonlySet<string>) {
    if (names.size > MOST_NAMES) throw new Unsupported(`an object with more than ${MOST_NAMES} known members`);
    this.all = [...names].map((name, index) => ({
      ...{ name, bytes: rawText(name) },
      ...{ word: Math.floor(index / MASK_BITS), bit: 1n << BigInt(index % MASK_BITS) },
    }));
  }

  get locals(): FunctionCode['locals'] {
    return [...new Set(this.all.map(({ word }) => word))].map((word) => [`seen${word}`, 'i64']);
  }

  /** Returns "unsure" if the name was found before. */
  mustBeNew({ word, bit }: KnownName): Code {
    return asm.if_(asm.i32Eqz(asm.i64Eqz(asm.i64And(`seen${word}`, asm.i64Const(bit)))), UNSURE);
  }

  mark({ word, bit }: KnownName): Code {
    return asm.localSet(`seen${word}`, asm.i64Or(`seen${word}`, asm.i64Const(bit)));
  }

  /** Whether a name, which is known, was found. */
  has(name: string): Code {
    return asm.i64Ne(this.#found([name])[0]![0], asm.i64Const(0n));
  }

  hasAll(names: readonly string[]): Code {
    const differences = this.#found(names).map(([found, mask]) => asm.i64Xor(found, mask));
    return asm.i64Eqz(differences.reduce((a, b) => asm.i64Or(a, b)));
  }

  /** Runs `otherwise` if one of `names`, which are known, was not found. */
  mustHave(names: readonly string[], otherwise: Code): Code {
    return this.#found(names).flatMap(([found, mask]) => asm.if_(asm.i64Ne(found, mask), otherwise));
  }

  /** For each local with bits of `names`: those that are set, and all of them. */
  #found(names: readonly string[]): [found: Code, mask: Code][] {
    const masks = new Map<number, bigint>();
    for (const { name, word, bit } of this.all)
      if (names.includes(name)) masks.set(word, (masks.get(word) ?? 0n) | bit);
    return [...masks].map(([word, mask]) => [asm.i64And(`seen${word}`, asm.i64Const(mask)), asm.i64Const(mask)]);
  }
}

/** Throws Unsupported for keywords that can fail because a member is filled in, and other conflicts with defaults. */
export function refuseDefaults(
  schema: SchemaNode,
  names: KnownNames,
  { members }: Guard,
  defaults: DefaultTexts,
): void {
  const { patternProperties, propertyNames, minProperties, maxProperties } = schema;
  if ([patternProperties, propertyNames, minProperties, maxProperties].some((value) => value !== undefined))
    throw new Unsupported('a condition on names or their number, beside defaults to fill in');
  if (names.all.length > MASK_BITS)
    throw new Unsupported(`more than ${MASK_BITS} known members, beside defaults to fill in`);
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

/** The layout of an empty object depends on its surroundings, which are known only if compact (`isCompactMember`). */
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
