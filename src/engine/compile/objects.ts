/** Objects: the names and values of their members, and how many there are. Names are compared by length, then by bytes. */
import { escapeToken } from '../../json/pointer.ts';
import { OBJECT_CODES } from '../../keywords/codes.ts';
import { requirementsOf } from '../../keywords/index.ts';
import { type ContainerPart, Unsupported } from '../../keywords/keyword-code.ts';
import type { DialectKeyword } from '../../schema/dialect.ts';
import type { Keywords, Schema, SchemaNode } from '../../schema/node.ts';
import { toRegExp } from '../../schema/regexp.ts';
import type { Code, FunctionCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import {
  advance,
  betweenBrackets,
  charge,
  expectColon,
  INVALID,
  isNotAtP,
  mustNotBeSpent,
  p,
  proceed,
  UNSURE,
} from '../../wasm/templates.ts';
import {
  type CompilerContext,
  codeContext,
  type Guard,
  inside,
  isCharged,
  isReread,
  NO_CONDITION,
  type Notes,
  type Reading,
  type ReadingPlace,
  type SchemaAt,
  toItsEnd,
} from './context.ts';
import { type KnownName, KnownNames, recordMissing, refuseDefaults } from './known-names.ts';
import { matchCode } from './pattern-tables.ts';
import { textOfString, whenOneMatches } from './text.ts';

/** The keywords for which there is code in this file. */
export const OBJECT_KEYWORDS: readonly DialectKeyword[] = [
  ...(['properties', 'patternProperties', 'additionalProperties', 'propertyNames'] as const),
  'dependentSchemas',
];

/** Those that are noted while an object is read. */
export const NOTED_OF_OBJECTS: readonly DialectKeyword[] = ['properties', 'required', 'additionalProperties'];

/** What decides how an object is read. */
export interface ObjectPlan {
  readonly guard: Guard;
  readonly reading: Reading;
  readonly path: string;
}

/** With more names that matter, some of them are most likely missing. */
const FEW_NAMES = 8;
/** More patterns for names are not worth trying one after another. */
const MOST_PATTERNS = 16;

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
  readonly #parts: readonly ContainerPart[];
  readonly #patterns: readonly (readonly [string, Schema])[];
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
    this.#noteExtra = notesExtra ? this.#notes!.extra(this.#noted, asm.localGet('memberAt')) : [];
    this.#patterns = Object.entries(schema.patternProperties ?? {});
    this.#dependents = dependentsOf(this.#keywords);
    this.#parts = OBJECT_CODES.flatMap(({ make }) => make(this.#keywords, codeContext(compiler, '')) ?? []);
    this.#names = this.#knownNames();
    if (this.#patterns.length > MOST_PATTERNS) throw new Unsupported(`more than ${MOST_PATTERNS} patterns of names`);
    if (compiler.defaults !== null) {
      refuseDefaults(schema, this.#names, plan.guard, compiler.defaults);
      if (this.#dependents.length > 0) throw new Unsupported('dependent members, beside defaults to fill in');
    }
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

  #dependentNames(): string[] {
    return this.#dependents.flatMap(([name, needed]) => [name, ...(Array.isArray(needed) ? (needed as string[]) : [])]);
  }

  #hasOwn(name: string): boolean {
    return Object.hasOwn(this.#schema.properties ?? {}, name);
  }

  #schemasOf(name: string): readonly Schema[] {
    const own = this.#hasOwn(name) ? [this.#schema.properties![name]!] : [];
    const matching = this.#patterns.filter(([pattern]) => toRegExp(pattern).test(name)).map(([, schema]) => schema);
    return own.length + matching.length > 0 ? [...own, ...matching] : [this.#other];
  }

  /** The names of the only members that matter, if they are few; else null. */
  #namesThatMatter(): readonly string[] | null {
    const { propertyNames = true } = this.#schema;
    const asksAll = this.#parts.length > 0 || propertyNames !== true || this.#patterns.length > 0;
    if (asksAll || this.#other !== true) return null;
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
      ...asm.i32s('base', 'lastName', 'ownName', 'start', 'memberAt', 'count', 'at', 'after', 'matched'),
    ];
  }

  body(): Code {
    const { reading } = this.#plan;
    const counted = this.#parts.some(({ counts }) => counts);
    const fills = this.#fills;
    return [
      this.#isFirst ? asm.if_(asm.i32GeU('depth', asm.globalGet('maxDepth')), UNSURE) : [],
      isCharged(reading) ? mustNotBeSpent : [],
      this.#isFirst ? asm.localSet('base', asm.globalGet('names')) : [],
      fills ? asm.localSet('ownName', asm.globalGet('nameAt')) : [],
      this.#dependents.every(([, needed]) => Array.isArray(needed)) ? [] : asm.localSet('start', p),
      betweenBrackets(
        0x7d,
        [
          asm.if_(isNotAtP(0x22), UNSURE),
          fills ? asm.localSet('lastName', p) : [],
          reading === 'first' ? [] : asm.localSet('memberAt', p),
          counted ? asm.localSet('count', asm.i32Add('count', 1)) : [],
          this.#checkName(),
          advance(1),
          asm.block('member', this.#readKnown(), this.#readUnknown()),
          isCharged(reading) ? charge(asm.localGet('memberAt')) : [],
        ],
        this.#lastNames?.length === 0 ? asm.br('close') : undefined,
      ),
      this.#parts.map(({ after }) => after),
      recordMissing(this.#noted, this.#names, this.#compiler),
      ...this.#names.mustHave(this.#requiredNames(), INVALID),
      this.#notes === null ? [] : asm.localSet('hasUnknownNames', asm.i32Sub(asm.globalGet('names'), 'base')),
      this.#isFirst ? asm.globalSet('names', 'base') : [],
      advance(1),
      this.#checkDependents(),
      this.#notes === null ? p : this.#noteRest(this.#notes),
    ];
  }

  get #fills(): boolean {
    return this.#compiler.defaults !== null;
  }

  /** The place of a member's value. */
  #inside(token: string, kindCondition = NO_CONDITION): ReadingPlace {
    return inside(this.#plan, token, kindCondition);
  }

  /** Applies `propertyNames` to the name at `p`, which is a string like any other. */
  #checkName(): Code {
    const { propertyNames } = this.#keywords;
    if (propertyNames === undefined || propertyNames === true) return [];
    const { reading, path } = this.#plan;
    const names = this.#compiler.functionFor(propertyNames, toItsEnd(reading), `${path}/*`);
    return asm.if_(asm.i32LeU(asm.localTee('at', asm.call(names, p, 0)), 1), asm.return_('at'));
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
    const kindCondition = this.#plan.guard.members.get(name);
    if (kindCondition?.absent) return INVALID;
    const schemas = this.#schemasOf(name);
    const place = this.#inside(escapeToken(name), kindCondition);
    return [
      ...(this.#isFirst ? this.#names.mustBeNew(known) : []),
      ...this.#names.mark(known),
      advance(bytes.length),
      ...(this.#hasOwn(name) ? [] : this.#noteExtra),
      expectColon,
      this.#fills ? asm.globalSet('nameAt', 'lastName') : [],
      this.#readAll(schemas, place),
      this.#lastNames?.includes(name)
        ? asm.if_(this.#names.hasAll(this.#lastNames), [charge(asm.localGet('memberAt')), asm.br('close')])
        : [],
      asm.br('member'),
    ];
  }

  /** Reads the value at `p` by each of `schemas`. */
  #readAll([first, ...others]: readonly Schema[], place: ReadingPlace): Code {
    const code = this.#compiler.value(first!, place); // there is at least one
    const checks = others.map((schema) => this.#check(schema, place));
    return checks.length === 0 ? code : readThenCheck(code, checks);
  }

  /** Reads the value from `at` on again. */
  #check(schema: Schema, place: ReadingPlace): Code {
    const check = this.#compiler.value(schema, { ...place, reading: 'check', kindCondition: NO_CONDITION });
    return [asm.localSet('p', 'at'), ...check];
  }

  /** Reads a member whose name, at `p`, is not known. */
  #readUnknown(): Code {
    if (this.#patterns.length === 0 && this.#other === false) {
      return [asm.localSet('from', p), proceed(asm.call('string', p)), this.#escapedName(), INVALID];
    }
    const readName = this.#isFirst ? asm.call('unknownName', p, 'base') : asm.call('string', p);
    const before = this.#compiler.fillable.length;
    const values = this.#patterns.length === 0 ? this.#readOther() : this.#readByPattern();
    // A name that is unknown here may be known elsewhere, and messages show known names in paths.
    if (this.#compiler.fillable.length > before) this.#compiler.exactPaths = false;
    return [
      asm.localSet('from', p),
      proceed(readName),
      this.#escapedName(),
      this.#patterns.length === 0 ? [] : this.#matchName(),
      ...this.#noteExtra,
      expectColon,
      this.#fills ? asm.globalSet('nameAt', -1) : [],
      values,
    ];
  }

  /**
   * For the name that was read last, from `from` to before `p`: sets `from` and `textEnd` to its text, if a pattern asks
   * for it. Returns "unsure" if it has escapes and may be one of the known names, which are compared without escapes.
   */
  #escapedName(): Code {
    if (this.#fills || this.#notes !== null) return asm.if_(asm.globalGet('escaped'), UNSURE);
    const asks = this.#patterns.length > 0;
    if (this.#names.all.length === 0) return asks ? textOfString : [];
    const isAscii = this.#names.all.every(({ name }) => /^[\0-\x7f]*$/.test(name));
    const isOther = asm.call('beyondAscii', 'from', 'textEnd');
    const mayBeKnown = isAscii ? [textOfString, asm.if_(asm.i32Eqz(isOther), UNSURE)] : UNSURE;
    return [
      asm.if_(asm.globalGet('escaped'), mayBeKnown, asks ? asm.localSet('textEnd', asm.i32Sub(p, 1)) : []),
    ].flat();
  }

  #readOther(): Code {
    return this.#compiler.value(this.#other, this.#inside('*'));
  }

  /** Sets one bit of `matched` for each pattern that the name from `from` to before `p` matches. */
  #matchName(): Code {
    const { patterns } = this.#compiler;
    const bits = this.#patterns.map(([source], i) => {
      const isMatch = matchCode(patterns.entryOf(source), asm.localGet('from'), asm.localGet('textEnd'));
      return i === 0 ? isMatch : asm.i32Shl(isMatch, i);
    });
    return asm.localSet(
      'matched',
      bits.reduce((a, b) => asm.i32Or(a, b)),
    );
  }

  /** Reads the value by the schemas of the patterns in `matched`. */
  #readByPattern(): Code {
    const only = this.#patterns.map(([, schema], i) =>
      asm.if_(asm.i32Eq('matched', 1 << i), [...this.#compiler.value(schema, this.#inside('*')), asm.br('member')]),
    );
    const none = asm.if_(asm.i32Eqz('matched'), [this.#readOther(), asm.br('member')]);
    if (this.#patterns.length === 1) return [none, ...only.flat()];
    const checks = this.#patterns.map(([, schema], i) =>
      asm.if_(asm.i32And('matched', 1 << i), this.#check(schema, this.#inside('*'))),
    );
    return [none, ...only.flat(), readThenCheck(this.#compiler.value(true, this.#inside('*')), checks)];
  }

  /** The names without which an object is invalid. If defaults are filled in, a name with a default is left out. */
  #requiredNames(): string[] {
    const { required = [] } = this.#keywords;
    const { defaults } = this.#compiler;
    const own = required.filter((name) => defaults?.textOf(this.#schema, name) == null);
    const kindConditions = [...this.#plan.guard.members].filter(([, { required }]) => required).map(([name]) => name);
    return [...own, ...kindConditions];
  }

  /** Notes what else is wrong with the object in [start, p), and returns its end. */
  #noteRest(notes: Notes): Code {
    const { required = [] } = this.#schema;
    return [
      asm.localSet('end', p),
      ...notes.others(this.#noted, ['type', ...NOTED_OF_OBJECTS]),
      ...required.flatMap((name) =>
        this.#names.mustHave([name], notes.missing(this.#noted, name, asm.localGet('hasUnknownNames'))),
      ),
      asm.localGet('end'),
    ];
  }

  #checkDependents(): Code {
    return this.#dependents.flatMap(([name, needed]) => {
      const isThere = this.#names.has(name);
      if (Array.isArray(needed)) return asm.if_(isThere, this.#names.mustHave(needed as readonly string[], INVALID));
      return asm.if_(isThere, [
        asm.localSet('after', p),
        asm.localSet('p', 'start'),
        ...this.#compiler.value(needed as Schema, {
          ...{ reading: 'check', depth: asm.localGet('depth'), path: this.#plan.path, kindCondition: NO_CONDITION },
        }),
        asm.localSet('p', 'after'),
      ]);
    });
  }
}

/** Runs `read`, then `checks` of the same value, which begins at `at`. */
function readThenCheck(read: Code, checks: readonly Code[]): Code {
  return [asm.localSet('at', p), read, asm.localSet('after', p), checks, asm.localSet('p', 'after')];
}

/** Member names with what they need: names that must be there as well, or a schema for the object. */
function dependentsOf(keywords: Keywords): (readonly [string, readonly string[] | Schema])[] {
  const names = requirementsOf(keywords).flatMap(({ because, names }) =>
    because === null ? [] : [[because, names] as const],
  );
  return [...names, ...Object.entries(keywords.dependentSchemas ?? {})];
}
