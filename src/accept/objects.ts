/**
 * Objects: the names and values of their members, and how many there are. A name is looked up by its length, then by
 * its bytes.
 */

import { escapeToken } from '../json/pointer.ts';
import type { DialectKeyword } from '../schema/dialect.ts';
import type { Keywords, Schema, SchemaNode } from '../schema/node.ts';
import { toRegExp } from '../schema/regexp.ts';
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
  i32LtU,
  i32Or,
  i32Shl,
  i32Sub,
  i32s,
  if_,
  localGet,
  localSet,
  localTee,
  return_,
} from '../wasm/assembler.ts';
import {
  type CompilerContext,
  type Guard,
  inside,
  isCharged,
  isReread,
  NO_CLUE,
  type Notes,
  type Place,
  type Reading,
  type SchemaAt,
  toItsEnd,
} from './context.ts';
import { recordMissing, refuseDefaults } from './gaps.ts';
import { type KnownName, KnownNames } from './known-names.ts';
import { matchCode } from './pattern-tables.ts';
import { count32 } from './scalars.ts';
import {
  advance,
  betweenBrackets,
  charge,
  expectColon,
  INVALID,
  isNotAtP,
  mustNotBeSpent,
  proceed,
  UNSURE,
  wantMembers,
} from './templates.ts';
import { pass, whenOneMatches } from './text.ts';
import { textOfString } from './unescape.ts';
import { Unsupported } from './unsupported.ts';

/** The keywords for which there is code in this file. */
export const OBJECT_KEYWORDS: readonly DialectKeyword[] = [
  ...(['properties', 'patternProperties', 'additionalProperties', 'propertyNames'] as const),
  ...(['required', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'] as const),
];

/** Those that are noted while an object is read. */
export const NOTED_OF_OBJECTS: readonly DialectKeyword[] = ['properties', 'required', 'additionalProperties'];

/** What decides how an object is read. */
export interface ObjectPlan {
  readonly guard: Guard;
  readonly reading: Reading;
  /** Its place, as a pointer with `*` for any index. */
  readonly path: string;
}

/** With more names that matter, some of them are most likely missing. */
const FEW_NAMES = 8;
/** More patterns for names are not worth trying one after another. */
const MOST_PATTERNS = 16;

const p = localGet('p');

/** The code of a function that reads an object from its opening bracket, which is there. */
export function objectCode(
  schema: SchemaNode,
  plan: ObjectPlan,
  compiler: CompilerContext,
): Pick<FunctionCode, 'locals' | 'body'> {
  const code = new ObjectCode(schema, plan, compiler);
  return { locals: code.locals, body: code.body() };
}

class ObjectCode {
  readonly #schema: SchemaNode;
  /** The keywords that are tested while the object is read, beside those in `NOTED_OF_OBJECTS`. */
  readonly #keywords: Keywords;
  readonly #plan: ObjectPlan;
  readonly #compiler: CompilerContext;
  /** Null: an object that does not match is refused. */
  readonly #notes: Notes | null;
  readonly #names: KnownNames;
  /** Names that are dependencies, with the names and schemas that they need. */
  readonly #dependents: readonly (readonly [string, readonly string[] | Schema])[];
  readonly #patterns: readonly (readonly [string, Schema])[];
  /** The schema for other members. */
  readonly #other: Schema;
  /** Notes a member that must not be there, after its name. */
  readonly #noteExtra: Code;
  readonly #isFirst: boolean;
  /** The names after which no other member matters; null if all members do. */
  readonly #lastNames: readonly string[] | null;

  constructor(schema: SchemaNode, plan: ObjectPlan, compiler: CompilerContext) {
    this.#schema = schema;
    this.#plan = plan;
    this.#compiler = compiler;
    this.#notes = plan.reading === 'note' ? compiler.notes : null;
    this.#keywords = this.#notes === null ? schema : {};
    this.#isFirst = !isReread(plan.reading);
    const { additionalProperties: other = true } = schema;
    const notesExtra = other === false && this.#notes !== null;
    this.#other = notesExtra || other;
    this.#noteExtra = notesExtra ? this.#notes!.extra(this.#noted, localGet('memberAt')) : [];
    this.#patterns = Object.entries(schema.patternProperties ?? {});
    this.#dependents = dependentsOf(this.#keywords);
    this.#names = this.#knownNames();
    if (this.#patterns.length > MOST_PATTERNS)
      throw new Unsupported(`more than ${MOST_PATTERNS} patterns of names`);
    if (compiler.defaults !== null) refuseDefaults(schema, this.#names, plan.guard, compiler.defaults);
    this.#lastNames = plan.reading === 'check' ? this.#namesThatMatter() : null;
  }

  get #noted(): SchemaAt {
    return { schema: this.#schema, path: this.#plan.path };
  }

  #knownNames(): KnownNames {
    const { required = [], properties = {} } = this.#schema;
    const { members } = this.#plan.guard;
    return new KnownNames(
      new Set([...Object.keys(properties), ...required, ...members.keys(), ...this.#dependentNames()]),
    );
  }

  /** The names in dependencies. */
  #dependentNames(): string[] {
    return this.#dependents.flatMap(([name, needed]) => [
      name,
      ...(Array.isArray(needed) ? (needed as string[]) : []),
    ]);
  }

  /** True if `properties` has a schema for the name. */
  #hasOwn(name: string): boolean {
    return Object.hasOwn(this.#schema.properties ?? {}, name);
  }

  /** The schemas for the values of members of this name. */
  #schemasOf(name: string): readonly Schema[] {
    const own = this.#hasOwn(name) ? [this.#schema.properties![name]!] : [];
    const matching = this.#patterns
      .filter(([pattern]) => toRegExp(pattern).test(name))
      .map(([, schema]) => schema);
    return own.length + matching.length > 0 ? [...own, ...matching] : [this.#other];
  }

  /** The names of the only members that matter, if they are few; else null. */
  #namesThatMatter(): readonly string[] | null {
    const { propertyNames = true, minProperties, maxProperties } = this.#schema;
    const counts = minProperties !== undefined || maxProperties !== undefined;
    if (counts || propertyNames !== true || this.#patterns.length > 0 || this.#other !== true) return null;
    const needed = [...this.#requiredNames(), ...this.#dependentNames()];
    const names = this.#names.all
      .map(({ name }) => name)
      .filter((name) => needed.includes(name) || this.#schemasOf(name).some((one) => one !== true));
    return names.length <= FEW_NAMES ? names : null;
  }

  get locals(): FunctionCode['locals'] {
    return [
      ...this.#names.locals,
      ['missing', 'i64'],
      ...i32s('base', 'lastName', 'ownName', 'start', 'memberAt', 'count', 'at', 'after', 'matched'),
    ];
  }

  body(): Code {
    const { reading } = this.#plan;
    const { minProperties, maxProperties } = this.#keywords;
    const counted = minProperties !== undefined || maxProperties !== undefined;
    const fills = this.#fills;
    return [
      ...(this.#isFirst ? if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE) : []),
      ...(isCharged(reading) ? mustNotBeSpent : []),
      ...(this.#isFirst ? localSet('base', globalGet('names')) : []),
      ...(fills ? localSet('ownName', globalGet('nameAt')) : []),
      ...(this.#needsStart ? localSet('start', p) : []),
      ...betweenBrackets(
        0x7d,
        [
          if_(isNotAtP(0x22), UNSURE),
          fills ? localSet('lastName', p) : [],
          reading === 'first' ? [] : localSet('memberAt', p),
          counted ? localSet('count', i32Add(localGet('count'), i32Const(1))) : [],
          this.#checkName(),
          advance(1),
          block('member', this.#readKnown(), this.#readUnknown()),
          isCharged(reading) ? charge(localGet('memberAt')) : [],
        ],
        this.#lastNames?.length === 0 ? br('close') : undefined,
      ),
      ...(minProperties === undefined ? [] : if_(i32LtU(localGet('count'), count32(minProperties)), INVALID)),
      ...(maxProperties === undefined ? [] : if_(i32GtU(localGet('count'), count32(maxProperties)), INVALID)),
      ...recordMissing(this.#noted, this.#names, this.#compiler),
      ...this.#names.mustHave(this.#requiredNames(), INVALID),
      ...(this.#notes === null ? [] : localSet('strangers', i32Sub(globalGet('names'), localGet('base')))),
      ...(this.#isFirst ? globalSet('names', localGet('base')) : []),
      ...advance(1),
      ...this.#checkDependents(),
      ...(this.#notes === null ? p : this.#noteRest(this.#notes)),
    ];
  }

  get #fills(): boolean {
    return this.#compiler.defaults !== null;
  }

  get #needsStart(): boolean {
    return this.#dependents.some(([, needed]) => !Array.isArray(needed));
  }

  /** The place of a member's value. */
  #inside(token: string, clue = NO_CLUE): Place {
    return inside(this.#plan, token, clue);
  }

  /** Applies `propertyNames` to the name at `p`, which is a string like any other. */
  #checkName(): Code {
    const { propertyNames } = this.#keywords;
    if (propertyNames === undefined || propertyNames === true) return [];
    const { reading, path } = this.#plan;
    const names = this.#compiler.functionFor(propertyNames, toItsEnd(reading), `${path}/*`);
    return if_(i32LeU(localTee('at', call(names, p, i32Const(0))), i32Const(1)), return_(localGet('at')));
  }

  /** Reads the member if its name, at `p`, is known. Otherwise control goes on after this code. */
  #readKnown(): Code {
    return whenOneMatches(
      this.#names.all.flatMap((known) => {
        const { bytes } = known;
        return bytes === null ? [] : [{ bytes, action: this.#readMember(known, bytes) }];
      }),
    );
  }

  #readMember(known: KnownName, bytes: readonly number[]): Code {
    const { name } = known;
    const clue = this.#plan.guard.members.get(name);
    if (clue?.absent) return INVALID;
    const schemas = this.#schemasOf(name);
    if (this.#compiler.waits(name, schemas)) return wantMembers;
    const place = this.#inside(escapeToken(name), clue);
    return [
      ...(this.#isFirst ? this.#names.mustBeNew(known) : []),
      ...this.#names.mark(known),
      ...pass(bytes),
      ...(this.#hasOwn(name) ? [] : this.#noteExtra),
      ...expectColon,
      ...(this.#fills ? globalSet('nameAt', localGet('lastName')) : []),
      ...this.#readAll(schemas, place),
      ...(this.#lastNames?.includes(name)
        ? if_(this.#names.hasAll(this.#lastNames), [...charge(localGet('memberAt')), ...br('close')])
        : []),
      ...br('member'),
    ];
  }

  /** Reads the value at `p` by each of `schemas`. */
  #readAll([first, ...others]: readonly Schema[], place: Place): Code {
    const code = this.#compiler.value(first!, place); // there is at least one
    const checks = others.map((schema) => this.#check(schema, place));
    return checks.length === 0 ? code : readThenCheck(code, checks);
  }

  /** Reads the value from `at` on again. */
  #check(schema: Schema, place: Place): Code {
    const check = this.#compiler.value(schema, { ...place, reading: 'check', clue: NO_CLUE });
    return [...localSet('p', localGet('at')), ...check];
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
      ...this.#noteExtra,
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
    if (this.#fills || this.#notes !== null) return if_(globalGet('escaped'), UNSURE);
    const asks = this.#patterns.length > 0;
    if (this.#names.all.length === 0) return asks ? textOfString : [];
    const isAscii = this.#names.all.every(({ name }) => /^[\0-\x7f]*$/.test(name));
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
    const checks = this.#patterns.map(([, schema], i) =>
      if_(i32And(localGet('matched'), i32Const(1 << i)), this.#check(schema, this.#inside('*'))),
    );
    return [...none, ...only.flat(), ...readThenCheck(this.#compiler.value(true, this.#inside('*')), checks)];
  }

  /** The names without which an object is invalid. If defaults are filled in, a name with a default is left out. */
  #requiredNames(): string[] {
    const { required = [] } = this.#keywords;
    const { defaults } = this.#compiler;
    const own = required.filter((name) => defaults?.textOf(this.#schema, name) == null);
    const clues = [...this.#plan.guard.members].filter(([, { required }]) => required).map(([name]) => name);
    return [...own, ...clues];
  }

  /** Notes what else is wrong with the object in [start, p), and returns its end. */
  #noteRest(notes: Notes): Code {
    const { required = [] } = this.#schema;
    return [
      ...localSet('end', p),
      ...notes.others(this.#noted, ['type', ...NOTED_OF_OBJECTS]),
      ...required.flatMap((name) =>
        this.#names.mustHave([name], notes.missing(this.#noted, name, localGet('strangers'))),
      ),
      ...localGet('end'),
    ];
  }

  /** After the closing bracket. */
  #checkDependents(): Code {
    return this.#dependents.flatMap(([name, needed]) => {
      const isThere = this.#names.has(name);
      if (Array.isArray(needed))
        return if_(isThere, this.#names.mustHave(needed as readonly string[], INVALID));
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
}

/** Runs `read`, then `checks` of the same value, which begins at `at`. */
function readThenCheck(read: Code, checks: readonly Code[]): Code {
  return [localSet('at', p), read, localSet('after', p), checks, localSet('p', localGet('after'))];
}

/** Member names with what they need: names that must be there as well, or a schema for the object. */
function dependentsOf({
  dependentRequired = {},
  dependentSchemas = {},
}: Keywords): (readonly [string, readonly string[] | Schema])[] {
  return [...Object.entries(dependentRequired), ...Object.entries(dependentSchemas)];
}
