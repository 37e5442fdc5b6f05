/**
 * Objects: the names and values of their members, and how many there are. A name is looked up by its length, then by
 * its bytes. Bit masks record the names that were found.
 */

import { escapeToken, isIndexName } from '../json/pointer.ts';
import type { DialectKeyword } from '../schema/dialect.ts';
import type { Schema, SchemaNode } from '../schema/node.ts';
import {
  block,
  br,
  type Code,
  call,
  type FunctionCode,
  globalGet,
  globalSet,
  i32Add,
  i32And,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32LeU,
  i32Load8U,
  i32LtU,
  i32Ne,
  i32Or,
  i32Shl,
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
  localTee,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { charge, mustNotBeSpent } from './again.ts';
import {
  type Clue,
  type CompilerContext,
  type Guard,
  inside,
  isReread,
  LOCALS,
  NO_CLUE,
  PARAMS,
  type Place,
  type Reading,
  toItsEnd,
} from './context.ts';
import { matchCode } from './pattern-tables.ts';
import { advance, expectColon, INVALID, proceed, skipSpace, UNSURE, wantMembers } from './runtime.ts';
import { count32 } from './scalars.ts';
import { matchesName } from './simple-patterns.ts';
import { pass, rawText, whenOneMatches } from './text.ts';
import { textOfString } from './unescape.ts';
import { Unsupported } from './unsupported.ts';

/** The keywords for which there is code in this file. */
export const OBJECT_KEYWORDS: readonly DialectKeyword[] = [
  ...(['properties', 'patternProperties', 'additionalProperties', 'propertyNames'] as const),
  ...(['required', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'] as const),
];

/** What decides how an object is read. */
export interface ObjectPlan {
  readonly guard: Guard;
  readonly reading: Reading;
  /** Its place, as a pointer with `*` for any index. */
  readonly path: string;
}

/** A name that the schema or the guard mentions. */
interface Known {
  readonly name: string;
  /** The name's bytes with the closing quote; null if it can only be written with escapes. */
  readonly bytes: readonly number[] | null;
  readonly index: number;
  /** The schemas for the value. */
  readonly schemas: readonly Schema[];
  readonly clue: Clue;
  /** If the member is present, the payload is of another kind. */
  readonly absent: boolean;
}

/** Names per mask. */
const BITS = 64;
/** More names make too much code. */
const MOST_NAMES = 4000;
/** With more names that matter, some of them are most likely missing. */
const FEW_NAMES = 8;
/** More patterns for names are not worth trying one after another. */
const MOST_PATTERNS = 16;

const p = localGet('p');

/** The function that reads an object from its opening bracket. */
export function objectFunction(
  name: string,
  schema: SchemaNode,
  plan: ObjectPlan,
  compiler: CompilerContext,
): FunctionCode {
  return new ObjectCode(schema, plan, compiler).function(name);
}

class ObjectCode {
  readonly #schema: SchemaNode;
  readonly #plan: ObjectPlan;
  readonly #compiler: CompilerContext;
  readonly #known: readonly Known[];
  /** Names that are dependencies, with the names and schemas that they need. */
  readonly #dependents: readonly (readonly [string, readonly string[] | Schema])[];
  readonly #patterns: readonly (readonly [string, Schema])[];
  /** The value of `additionalProperties`. */
  readonly #other: Schema;
  readonly #isFirst: boolean;
  /** The names after which no other member matters; null if all members do. */
  readonly #lastNames: readonly string[] | null;

  constructor(schema: SchemaNode, plan: ObjectPlan, compiler: CompilerContext) {
    this.#schema = schema;
    this.#plan = plan;
    this.#compiler = compiler;
    this.#isFirst = !isReread(plan.reading);
    this.#other = schema.additionalProperties ?? true;
    this.#patterns = Object.entries(schema.patternProperties ?? {});
    this.#dependents = dependentsOf(schema);
    this.#known = this.#knownNames();
    if (this.#patterns.length > MOST_PATTERNS)
      throw new Unsupported(`more than ${MOST_PATTERNS} patterns of names`);
    if (compiler.defaults !== null) this.#refuseDefaults();
    this.#lastNames = plan.reading === 'check' ? this.#namesThatMatter() : null;
  }

  /** The names of the only members that matter, if they are few; else null. */
  #namesThatMatter(): readonly string[] | null {
    const { propertyNames = true, minProperties, maxProperties } = this.#schema;
    const counts = minProperties !== undefined || maxProperties !== undefined;
    if (counts || propertyNames !== true || this.#patterns.length > 0 || this.#other !== true) return null;
    const required = this.#requiredNames();
    const dependent = this.#dependents.flatMap(([name, needed]) => [
      name,
      ...(Array.isArray(needed) ? needed : []),
    ]);
    const names = this.#known
      .filter(
        ({ name, schemas }) =>
          required.includes(name) || dependent.includes(name) || schemas.some((one) => one !== true),
      )
      .map(({ name }) => name);
    return names.length <= FEW_NAMES ? names : null;
  }

  function(name: string): FunctionCode {
    const { reading } = this.#plan;
    const { minProperties, maxProperties } = this.#schema;
    const counted = minProperties !== undefined || maxProperties !== undefined;
    const fills = this.#fills;
    const body: Code = [
      ...if_(i32Ne(i32Load8U(p), i32Const(0x7b)), INVALID),
      ...(this.#isFirst ? if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE) : []),
      ...(reading === 'first' ? [] : mustNotBeSpent),
      ...(this.#isFirst ? localSet('base', globalGet('names')) : []),
      ...(fills ? localSet('ownName', globalGet('nameAt')) : []),
      ...(this.#needsStart ? localSet('start', p) : []),
      ...advance(1),
      ...skipSpace,
      ...block(
        'close',
        this.#lastNames?.length === 0 ? br('close') : if_(i32Eq(i32Load8U(p), i32Const(0x7d)), br('close')),
        loop(
          'members',
          if_(i32Ne(i32Load8U(p), i32Const(0x22)), UNSURE),
          fills ? localSet('lastName', p) : [],
          reading === 'first' ? [] : localSet('memberAt', p),
          counted ? localSet('count', i32Add(localGet('count'), i32Const(1))) : [],
          this.#checkName(),
          advance(1),
          block('member', this.#readKnown(), this.#readUnknown()),
          reading === 'first' ? [] : charge(localGet('memberAt')),
          skipSpace,
          if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...skipSpace, ...br('members')]),
        ),
        if_(i32Ne(i32Load8U(p), i32Const(0x7d)), UNSURE),
      ),
      ...(minProperties === undefined ? [] : if_(i32LtU(localGet('count'), count32(minProperties)), INVALID)),
      ...(maxProperties === undefined ? [] : if_(i32GtU(localGet('count'), count32(maxProperties)), INVALID)),
      ...this.#recordMissing(),
      ...this.#mustHave(this.#requiredNames()),
      ...(this.#isFirst ? globalSet('names', localGet('base')) : []),
      ...advance(1),
      ...this.#checkDependents(),
      ...p,
    ];
    const words = Math.ceil(this.#known.length / BITS);
    const locals = [
      ...LOCALS,
      ...Array.from({ length: words }, (_, i) => [`seen${i}`, 'i64'] as const),
      ['missing', 'i64'],
      ...['base', 'lastName', 'ownName', 'start', 'memberAt', 'count', 'at', 'after', 'matched'].map(
        (local) => [local, 'i32'] as const,
      ),
    ] as const;
    return { name, params: PARAMS, result: 'i32', locals, body };
  }

  get #fills(): boolean {
    return this.#compiler.defaults !== null;
  }

  get #needsStart(): boolean {
    return this.#dependents.some(([, needed]) => !Array.isArray(needed));
  }

  /** The place of a member's value. */
  #inside(token: string, clue?: Clue): Place {
    return inside(this.#plan, token, clue);
  }

  #knownNames(): Known[] {
    const { required = [], properties: members = {} } = this.#schema;
    const { guard } = this.#plan;
    const dependent = this.#dependents.flatMap(([name, needed]) => [
      name,
      ...(Array.isArray(needed) ? (needed as string[]) : []),
    ]);
    const names = new Set([...Object.keys(members), ...required, ...guard.members.keys(), ...dependent]);
    if (names.size > MOST_NAMES)
      throw new Unsupported(`an object with more than ${MOST_NAMES} known members`);
    return [...names].map((name, index) => {
      const member = guard.members.get(name);
      const own = Object.hasOwn(members, name) ? [members[name]!] : [];
      const matching = this.#patterns
        .filter(([pattern]) => matchesName(pattern, name))
        .map(([, schema]) => schema);
      const schemas = own.length + matching.length > 0 ? [...own, ...matching] : [this.#other];
      return {
        ...{ name, bytes: rawText(name), index, schemas },
        clue: member ?? NO_CLUE,
        absent: member?.absent === true,
      };
    });
  }

  /** Applies `propertyNames` to the name at `p`, which is a string like any other. */
  #checkName(): Code {
    const { propertyNames } = this.#schema;
    if (propertyNames === undefined || propertyNames === true) return [];
    const names = this.#compiler.functionFor(
      propertyNames as Schema,
      toItsEnd(this.#plan.reading),
      `${this.#plan.path}/*`,
    );
    return if_(i32LeU(localTee('at', call(names, p, i32Const(0))), i32Const(1)), return_(localGet('at')));
  }

  /** Reads the member if its name, at `p`, is known. Otherwise control goes on after this code. */
  #readKnown(): Code {
    return whenOneMatches(
      this.#known.flatMap((known) => {
        const { bytes } = known;
        return bytes === null ? [] : [{ bytes, action: this.#readMember(known, bytes) }];
      }),
    );
  }

  #readMember({ name, index, schemas, clue, absent }: Known, bytes: readonly number[]): Code {
    if (absent) return INVALID;
    if (this.#compiler.waits(name, schemas)) return wantMembers;
    const seen = `seen${Math.floor(index / BITS)}`;
    const bit = i64Const(1n << BigInt(index % BITS));
    return [
      ...(this.#isFirst ? if_(i32Eqz(i64Eqz(i64And(localGet(seen), bit))), UNSURE) : []),
      ...localSet(seen, i64Or(localGet(seen), bit)),
      ...pass(bytes),
      ...expectColon,
      ...(this.#fills ? globalSet('nameAt', localGet('lastName')) : []),
      ...this.#readAll(schemas, this.#inside(escapeToken(name), clue)),
      ...(this.#lastNames?.includes(name)
        ? if_(this.#hasAll(this.#lastNames), [...charge(localGet('memberAt')), ...br('close')])
        : []),
      ...br('member'),
    ];
  }

  /** Reads the value at `p` by each of `schemas`. */
  #readAll([first, ...others]: readonly Schema[], place: Place): Code {
    const code = this.#compiler.value(first!, place); // there is at least one
    if (others.length === 0) return code;
    return [
      ...localSet('at', p),
      ...code,
      ...localSet('after', p),
      ...others.flatMap((schema) => [
        ...localSet('p', localGet('at')),
        ...this.#compiler.value(schema, { ...place, reading: 'check', clue: NO_CLUE }),
      ]),
      ...localSet('p', localGet('after')),
    ];
  }

  /** Reads a member whose name, at `p`, is not known. */
  #readUnknown(): Code {
    if (this.#patterns.length === 0 && this.#other === false) {
      return [...localSet('from', p), ...proceed(call('string', p)), ...this.#escapedName(), ...INVALID];
    }
    const readName = this.#isFirst ? call('unknownName', p, localGet('base')) : call('string', p);
    const before = this.#compiler.fillable.length;
    const values = this.#patterns.length === 0 ? this.#readOther() : this.#readByPattern();
    // A name that is unknown here may be known elsewhere, and messages show known names in paths.
    if (this.#compiler.fillable.length > before) this.#compiler.exactPaths = false;
    return [
      ...localSet('from', p),
      ...proceed(readName),
      ...this.#escapedName(),
      ...(this.#patterns.length === 0 ? [] : this.#matchName()),
      ...expectColon,
      ...(this.#fills ? globalSet('nameAt', i32Const(-1)) : []),
      ...values,
    ];
  }

  /**
   * For the name that was read last, from `from` to before `p`: sets `from` and `textEnd` to its text, if a pattern asks
   * for it. Returns "unsure" if it has escapes and may be one of the known names, which are compared without escapes.
   */
  #escapedName(): Code {
    if (this.#fills) return if_(globalGet('escaped'), UNSURE);
    const asks = this.#patterns.length > 0;
    if (this.#known.length === 0) return asks ? textOfString : [];
    const isAscii = this.#known.every(({ name }) => /^[\0-\x7f]*$/.test(name));
    const isOther = call('beyondAscii', localGet('from'), localGet('textEnd'));
    const mayBeKnown = isAscii ? [textOfString, if_(i32Eqz(isOther), UNSURE)] : UNSURE;
    return [
      if_(globalGet('escaped'), mayBeKnown, asks ? localSet('textEnd', i32Sub(p, i32Const(1))) : []),
    ].flat();
  }

  #readOther(): Code {
    return this.#compiler.value(this.#other, this.#inside('*'));
  }

  /** Sets one bit of `matched` for each pattern that the name from `from` to before `p` matches. */
  #matchName(): Code {
    const { patterns } = this.#compiler;
    const bits = this.#patterns.map(([source], i) => {
      const isMatch = matchCode(patterns.table(source), localGet('from'), localGet('textEnd'));
      return i === 0 ? isMatch : i32Shl(isMatch, i32Const(i));
    });
    return localSet(
      'matched',
      bits.reduce((a, b) => i32Or(a, b)),
    );
  }

  /** Reads the value by the schemas of the patterns in `matched`. */
  #readByPattern(): Code {
    const only = this.#patterns.map(([, schema], i) =>
      if_(i32Eq(localGet('matched'), i32Const(1 << i)), [
        ...this.#compiler.value(schema, this.#inside('*')),
        ...br('member'),
      ]),
    );
    const none = if_(i32Eqz(localGet('matched')), [...this.#readOther(), ...br('member')]);
    if (this.#patterns.length === 1) return [...none, ...only.flat()];
    const each = this.#patterns.flatMap(([, schema], i) =>
      if_(i32And(localGet('matched'), i32Const(1 << i)), [
        ...localSet('p', localGet('at')),
        ...this.#compiler.value(schema, { ...this.#inside('*'), reading: 'check' }),
      ]),
    );
    return [
      ...none,
      ...only.flat(),
      ...localSet('at', p),
      ...this.#compiler.value(true, this.#inside('*')),
      ...localSet('after', p),
      ...each,
      ...localSet('p', localGet('after')),
    ];
  }

  /** The required names. If defaults are filled in, a name with a default is left out. */
  #requiredNames(): string[] {
    const { required } = this.#schema;
    const { defaults } = this.#compiler;
    const own = (Array.isArray(required) ? required.map(String) : []).filter(
      (name) => defaults?.textOf(this.#schema, name) == null,
    );
    const clues = [...this.#plan.guard.members].filter(([, { required }]) => required).map(([name]) => name);
    return [...own, ...clues];
  }

  /** The masks of the known names among `names`: by local, without those that are 0. */
  #masks(names: readonly string[]): [local: string, mask: bigint][] {
    const masks = new Map<string, bigint>();
    for (const { name, index } of this.#known) {
      if (!names.includes(name)) continue;
      const local = `seen${Math.floor(index / BITS)}`;
      masks.set(local, (masks.get(local) ?? 0n) | (1n << BigInt(index % BITS)));
    }
    return [...masks];
  }

  /** Whether all of `names`, which are known, were found. */
  #hasAll(names: readonly string[]): Code {
    const differences = this.#masks(names).map(([seen, mask]) =>
      i64Xor(i64And(localGet(seen), i64Const(mask)), i64Const(mask)),
    );
    return i64Eqz(differences.reduce((a, b) => i64Or(a, b)));
  }

  #mustHave(names: readonly string[]): Code {
    return this.#masks(names).flatMap(([seen, mask]) =>
      if_(i64Ne(i64And(localGet(seen), i64Const(mask)), i64Const(mask)), INVALID),
    );
  }

  /** After the closing bracket. */
  #checkDependents(): Code {
    return this.#dependents.flatMap(([name, needed]) => {
      const [[seen, mask]] = this.#masks([name]) as [[string, bigint]]; // every such name is known
      const isThere = i64Ne(i64And(localGet(seen), i64Const(mask)), i64Const(0n));
      if (Array.isArray(needed)) return if_(isThere, this.#mustHave(needed as string[]));
      return if_(isThere, [
        ...localSet('after', p),
        ...localSet('p', localGet('start')),
        ...this.#compiler.value(needed as Schema, {
          ...{ reading: 'check', depth: localGet('depth'), path: this.#plan.path, clue: NO_CLUE },
        }),
        ...localSet('p', localGet('after')),
      ]);
    });
  }

  /**
   * Throws Unsupported for keywords that can fail because a member is filled in, and for other conflicts with defaults.
   */
  #refuseDefaults(): void {
    const { patternProperties, propertyNames, minProperties, maxProperties } = this.#schema;
    if ([patternProperties, propertyNames, minProperties, maxProperties].some((value) => value !== undefined))
      throw new Unsupported('a condition on names or their number, beside defaults to fill in');
    if (this.#dependents.length > 0) throw new Unsupported('dependent members, beside defaults to fill in');
    if (this.#known.length > BITS)
      throw new Unsupported(`more than ${BITS} known members, beside defaults to fill in`);
    this.#refuseDefaultsOfKindMembers();
  }

  /** Throws Unsupported for a default that changes the kind of a payload when it is filled in. */
  #refuseDefaultsOfKindMembers(): void {
    for (const [name, { required, absent, allowed, forbidden }] of this.#plan.guard.members) {
      const text = this.#compiler.defaults?.textOf(this.#schema, name) ?? null;
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
  #recordMissing(): Code {
    const { defaults } = this.#compiler;
    if (defaults === null) return [];
    const members = this.#known.flatMap(({ name, index }) => {
      const text = defaults.textOf(this.#schema, name);
      return text === null ? [] : [{ name, bit: 1n << BigInt(index), text }];
    });
    if (members.length === 0) return [];
    if (members.some((member) => isIndexName(member.name)))
      throw new Unsupported('a default of a member whose name looks like an index');
    const object = this.#compiler.register({ path: this.#plan.path, members });
    const all = members.reduce((mask, { bit }) => mask | bit, 0n);
    return [
      ...localSet('missing', i64And(i64Xor(localGet('seen0'), i64Const(all)), i64Const(all))),
      ...if_(i64Ne(localGet('missing'), i64Const(0n)), [
        ...if_(i32Eqz(localGet('lastName')), mustBeCompact),
        ...if_(i32Eqz(call('gap', localGet('lastName'), p, i32Const(object), localGet('missing'))), UNSURE),
      ]),
    ];
  }
}

/** Member names with what they need: names that must be there as well, or a schema for the object. */
function dependentsOf({
  dependentRequired = {},
  dependentSchemas = {},
}: SchemaNode): (readonly [string, readonly string[] | Schema])[] {
  return [...Object.entries(dependentRequired), ...Object.entries(dependentSchemas)];
}

/**
 * The layout of an empty object depends on its surroundings. It is known without reading further only if they are
 * compact, see `isCompactMember`.
 */
const mustBeCompact: Code = [
  ...if_(i32Ne(i32Load8U(i32Sub(p, i32Const(1))), i32Const(0x7b)), UNSURE),
  ...if_(localGet('ownName'), [
    ...if_(i32Eq(localGet('ownName'), i32Const(-1)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(p, i32Const(2))), i32Const(0x3a)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(p, i32Const(3))), i32Const(0x22)), UNSURE),
    ...if_(i32Ne(i32Load8U(i32Sub(localGet('ownName'), i32Const(1))), i32Const(0x7b)), [
      ...if_(i32Ne(i32Load8U(i32Sub(localGet('ownName'), i32Const(1))), i32Const(0x2c)), UNSURE),
      ...if_(i32LeU(i32Load8U(i32Sub(localGet('ownName'), i32Const(2))), i32Const(0x20)), UNSURE),
    ]),
  ]),
];
