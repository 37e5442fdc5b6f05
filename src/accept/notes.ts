/**
 * Violations from the bytes. A noting function reads a value to its end whatever is wrong with it, and notes each
 * keyword that fails with the place of the value. It is unsure, like accept, for input it cannot decide cheaply: then
 * examine decides.
 *
 * Members, elements, and required and additional members are noted here, each other keyword by `note-sites.ts`.
 */
import { escapeToken } from '../json/pointer.ts';
import { decidingMembers, detectedKinds } from '../schema/deciding.ts';
import type { DialectKeyword } from '../schema/dialect.ts';
import { isNode, keywordValue, madeSchema, type Schema, type SchemaNode } from '../schema/node.ts';
import type { Kind, SchemaSet } from '../schema/set.ts';
import {
  block,
  br,
  type Code,
  call,
  type FunctionCode,
  globalGet,
  globalSet,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32Ne,
  i32Sub,
  i64And,
  i64Const,
  i64Eqz,
  i64Or,
  if_,
  localGet,
  localSet,
  localTee,
  loop,
  type ModuleCode,
  return_,
} from '../wasm/assembler.ts';
import { NOTE_TABLES } from '../wasm/layout.ts';
import { Compiler } from './compile.ts';
import { type Guard, inner, LOCALS, NO_GUARD, PARAMS } from './context.ts';
import { COUNTABLE } from './countable.ts';
import { areExact, guardOf } from './entry-schema.ts';
import { moduleParts } from './module.ts';
import { NOTE_GLOBALS, NOTE_IMPORTS, noteEntries } from './note-entries.ts';
import { type NoteSite, NoteSites } from './note-sites.ts';
import { Patterns } from './pattern-tables.ts';
import { advance, expectColon, INVALID, proceed, skipSpace, UNSURE } from './runtime.ts';
import { FIRST_BYTE } from './scalars.ts';
import { namedTypes } from './shape.ts';
import { pass, rawText, type TextCase, whenOneMatches } from './text.ts';
import { Unsupported } from './unsupported.ts';

export interface NoteModule {
  readonly module: ModuleCode;
  readonly kinds: readonly string[];
  /** By number. */
  readonly sites: readonly NoteSite[];
  readonly tables: Uint8Array;
}

const p = localGet('p');
const at = localGet('at');
const end = localGet('end');

/**
 * Compiles the kinds of `set` for notes: all of them, or only the one that is `forced`. `counts`: violations are only
 * counted, so those of `COUNTABLE` keywords are noted, too. Throws Unsupported.
 */
export function compileNotes(set: SchemaSet, forced: string | null, counts = false): NoteModule {
  const notes = new NoteCompiler(
    new Compiler(set, { defaults: null, names: null, patterns: new Patterns(NOTE_TABLES) }),
    counts ? COUNTABLE : [],
  );
  const all = forced === null ? detectedKinds(set.kinds) : set.kinds;
  const kinds: string[] = [];
  const names: string[] = [];
  for (const [index, kind] of all.entries()) {
    if (forced !== null && kind.name !== forced) continue;
    kinds.push(kind.name);
    names.push(notes.kindFunction(kind, forced === null ? guardOf(all, index) : NO_GUARD));
  }
  const { compiler, functions, sites } = notes;
  const knowsAll = forced === null && areExact(all);
  const unknown = knowsAll ? notes.unknownFunction(decidingMembers(all)) : null;
  const made = [...compiler.functions, ...functions, ...noteEntries(names, unknown)];
  return {
    module: { ...moduleParts(made, [...NOTE_GLOBALS, ...compiler.globals]), imports: NOTE_IMPORTS },
    kinds,
    sites: sites.all,
    tables: compiler.patterns.bytes,
  };
}

/** Keywords that are noted while the value is read. */
const OF_OBJECTS = ['properties', 'required', 'additionalProperties'];
const OF_ARRAYS = ['items'];
/** Keywords that change what those mean. */
const AGAINST_OBJECTS = ['patternProperties', 'unevaluatedProperties'];
const AGAINST_ARRAYS = ['prefixItems', 'unevaluatedItems'];

/** Maximum number of functions: a schema can have very many paths, and more functions cost more time than they save. */
const MOST_FUNCTIONS = 3000;
const MOST_NAMES = 500;
/** Members that decide the kind. */
const MOST_DECIDING = 8;

class NoteCompiler {
  readonly compiler: Compiler;
  readonly functions: FunctionCode[] = [];
  readonly sites: NoteSites;
  readonly #made = new Map<SchemaNode, Map<string | null, string>>();
  #nextName = 0;
  /** The schemas around the one that is being compiled. */
  readonly #open = new Set<SchemaNode>();

  /** `countable`: keywords that are noted as well. */
  constructor(compiler: Compiler, countable: readonly DialectKeyword[]) {
    this.compiler = compiler;
    this.sites = new NoteSites(compiler, countable);
  }

  kindFunction({ name, schema }: Kind, guard: Guard): string {
    const target = this.#target(schema);
    if (!isNode(target)) throw new Unsupported('a schema without keywords');
    if (!guard.object) return this.#function(target, '');
    if (!readsMembers(target) || namedTypes(target).join() !== 'object')
      throw new Unsupported('a kind that is not an object with members');
    const made = `noted payload ${name}`;
    this.functions.push(this.#valueFunction(made, target, '', guard));
    return made;
  }

  /** Sets `p` after the value that is there, and notes what is wrong with it. */
  #value(schema: Schema, pointer: string | null): Code {
    const target = this.#target(schema);
    if (target === true) return proceed(call('any', p, inner));
    if (!isNode(target)) return UNSURE;
    return proceed(call(this.#function(target, pointer), p, inner));
  }

  #target(schema: Schema): Schema | undefined {
    return this.compiler.targetOf(schema);
  }

  #function(schema: SchemaNode, pointer: string | null): string {
    // A schema inside of itself has more pointers than can be counted.
    const place = this.#open.has(schema) ? null : pointer;
    const made = this.#made.get(schema) ?? new Map<string | null, string>();
    this.#made.set(schema, made);
    const known = made.get(place);
    if (known !== undefined) return known;
    if (this.functions.length > MOST_FUNCTIONS) throw new Unsupported('the schema has too many places');
    const name = `noted ${this.#nextName++} ${place ?? ''}`;
    made.set(place, name);
    const isOuter = !this.#open.has(schema);
    this.#open.add(schema);
    this.functions.push(this.#valueFunction(name, schema, place, NO_GUARD));
    if (isOuter) this.#open.delete(schema);
    return name;
  }

  #valueFunction(name: string, schema: SchemaNode, pointer: string | null, guard: Guard): FunctionCode {
    const types = namedTypes(schema);
    const first = this.compiler.functionFor(schema, 'first', '');
    const isObject = readsMembers(schema) && types.includes('object');
    const isArray = readsItems(schema) && types.includes('array');
    const object = isObject
      ? if_(FIRST_BYTE.object!, [
          this.#object(schema, guard, pointer),
          localSet('end', p),
          this.sites.ask(schema, pointer, [...OF_OBJECTS, 'type']),
          this.#noteMissing(schema, guard, pointer),
          return_(end),
        ])
      : [];
    const array = isArray
      ? if_(FIRST_BYTE.array!, [
          this.#array(schema),
          localSet('end', p),
          this.sites.ask(schema, pointer, [...OF_ARRAYS, 'type']),
          return_(end),
        ])
      : [];
    const body: Code = [
      localSet('at', p),
      object,
      array,
      guard.object ? INVALID : [],
      // Another value is read as accept reads it, if nothing is wrong with it.
      localSet('base', globalGet('names')),
      if_(i32GtU(localTee('end', call(first, p, localGet('depth'))), i32Const(1)), return_(end)),
      globalSet('names', localGet('base')),
      localSet('end', call('any', at, localGet('depth'))),
      if_(i32Eqz(end), UNSURE),
      this.sites.ask(schema, pointer, []),
      end,
    ];
    const words = Math.ceil(knownNames(schema, guard).length / 64);
    const locals = [
      ...LOCALS,
      ...['at', 'end', 'base', 'nameAt', 'result', 'strangers'].map((local) => [local, 'i32'] as const),
      ...Array.from({ length: words }, (_, i) => [`seen${i}`, 'i64'] as const),
    ];
    return { name, params: PARAMS, result: 'i32', locals, body };
  }

  /**
   * A function for a payload of no kind: it notes the value of the first of `members` that the payload has. These
   * decide the kind. Null if it cannot be made.
   */
  unknownFunction(members: readonly string[]): string | null {
    const texts = members.map(rawText);
    if (members.length === 0 || members.length > MOST_DECIDING) return null;
    const known = texts.flatMap((bytes, i) => {
      if (bytes === null) return [];
      const action = [
        if_(localGet(`start${i}`), UNSURE),
        pass(bytes),
        expectColon,
        localSet(`start${i}`, p),
        proceed(call('any', p, inner)),
        localSet(`end${i}`, p),
        br('member'),
      ];
      return [{ bytes, action }];
    });
    const unknown: Code = [
      proceed(call('unknownName', p, localGet('base'))),
      if_(globalGet('escaped'), UNSURE),
      expectColon,
      proceed(call('any', p, inner)),
    ];
    const site = i32Const(this.sites.all.length);
    const notes = members.map((_, i) =>
      if_(localGet(`start${i}`), [
        if_(
          i32Eqz(call('note', site, localGet(`start${i}`), localGet(`end${i}`), i32Const(i), i32Const(0))),
          UNSURE,
        ),
        return_(p),
      ]),
    );
    const places = members.flatMap((_, i) => [`start${i}`, `end${i}`]);
    const locals = [
      ...LOCALS,
      ...['base', 'nameAt', 'strangers', ...places].map((local) => [local, 'i32'] as const),
    ];
    const body: Code = [if_(FIRST_BYTE.object!, [], UNSURE), readMembers(known, unknown), notes, UNSURE];
    this.functions.push({ name: 'noted unknown', params: PARAMS, result: 'i32', locals, body });
    return 'noted unknown';
  }

  /** Reads the object at `p`. */
  #object(schema: SchemaNode, guard: Guard, pointer: string | null): Code {
    const members = schema.properties ?? {};
    const other = schema.additionalProperties ?? true;
    const names = knownNames(schema, guard);
    if (names.length > MOST_NAMES) return UNSURE;
    const known = names.flatMap((name, index) => {
      const bytes = rawText(name);
      if (bytes === null) return [];
      const seen = `seen${index >> 6}`;
      const bit = i64Const(1n << BigInt(index & 63));
      const own = Object.hasOwn(members, name) ? members[name]! : other;
      const isExtra = own === false && !Object.hasOwn(members, name);
      const action = [
        if_(i64Eqz(i64And(localGet(seen), bit)), [], UNSURE),
        localSet(seen, i64Or(localGet(seen), bit)),
        pass(bytes),
        isExtra ? this.#noteExtra(schema, pointer) : [],
        expectColon,
        this.#checkClue(guard, name),
        isExtra ? proceed(call('any', p, inner)) : this.#value(own, below(pointer, name)),
        br('member'),
      ];
      return [{ bytes, action }];
    });
    const unknown: Code = [
      proceed(call('unknownName', p, localGet('base'))),
      if_(globalGet('escaped'), UNSURE),
      other === false ? this.#noteExtra(schema, pointer) : [],
      expectColon,
      other === false ? proceed(call('any', p, inner)) : this.#value(other, null),
    ];
    return readMembers(known, unknown);
  }

  /** Notes the required members that were not found. Without one that the entry schema requires, it is another kind. */
  #noteMissing(schema: SchemaNode, guard: Guard, pointer: string | null): Code {
    const names = knownNames(schema, guard);
    const isMissing = (name: string): Code => {
      const index = names.indexOf(name);
      return i64Eqz(i64And(localGet(`seen${index >> 6}`), i64Const(1n << BigInt(index & 63))));
    };
    const asked = [...guard.members].filter(([, { required }]) => required);
    const required = schema.required ?? [];
    return [
      asked.map(([name]) => if_(isMissing(name), INVALID)),
      required.map((missing) => {
        const site = { schema, keyword: 'required', missing, pointer };
        return if_(isMissing(missing), this.sites.add(site, i32Const(0), localGet('strangers')));
      }),
    ];
  }

  /** Notes the member with the name in [nameAt, p), in the object from `at` on, whose end is not known yet. */
  #noteExtra(schema: SchemaNode, pointer: string | null): Code {
    const site = { schema, keyword: 'additionalProperties', missing: null, pointer };
    return [localSet('end', p), this.sites.add(site, localGet('nameAt'), p)];
  }

  /** The payload is of another kind if the entry schema's tests forbid the value at `p` of a member. */
  #checkClue({ members }: Guard, name: string): Code {
    const clue = members.get(name);
    if (clue === undefined) return [];
    if (clue.absent) return INVALID;
    const ask = (values: readonly string[], wrong: Code): Code => [
      // The value may be malformed.
      localSet(
        'result',
        call(this.compiler.functionFor(madeSchema({ enum: values }), 'first', ''), p, inner),
      ),
      if_(i32Eqz(localGet('result')), UNSURE),
      if_(wrong, INVALID),
    ];
    const isOne = i32GtU(localGet('result'), i32Const(1));
    return [
      clue.allowed === null ? [] : ask(clue.allowed, i32Eqz(isOne)),
      clue.forbidden.length === 0 ? [] : ask(clue.forbidden, isOne),
    ];
  }

  /** Reads the array at `p`. */
  #array(schema: SchemaNode): Code {
    return [
      if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
      advance(1),
      skipSpace,
      block(
        'close',
        if_(i32Eq(i32Load8U(p), i32Const(0x5d)), br('close')),
        loop(
          'items',
          this.#value(schema.items!, null),
          skipSpace,
          if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [advance(1), skipSpace, br('items')]),
        ),
        if_(i32Ne(i32Load8U(p), i32Const(0x5d)), UNSURE),
      ),
      advance(1),
    ];
  }
}

/**
 * Reads the object at `p`. `known`: code for these names, which ends with `br('member')`; `unknown`: code for any other
 * name, after its opening quote.
 */
function readMembers(known: readonly TextCase[], unknown: Code): Code {
  return [
    if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
    localSet('base', globalGet('names')),
    advance(1),
    skipSpace,
    block(
      'close',
      if_(i32Eq(i32Load8U(p), i32Const(0x7d)), br('close')),
      loop(
        'members',
        if_(i32Ne(i32Load8U(p), i32Const(0x22)), UNSURE),
        localSet('nameAt', p),
        advance(1),
        block('member', whenOneMatches(known), unknown),
        skipSpace,
        if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [advance(1), skipSpace, br('members')]),
      ),
      if_(i32Ne(i32Load8U(p), i32Const(0x7d)), UNSURE),
    ),
    advance(1),
    localSet('strangers', i32Sub(globalGet('names'), localGet('base'))),
    globalSet('names', localGet('base')),
  ];
}

/** The pointer of a member. */
function below(pointer: string | null, name: string): string | null {
  return pointer === null ? null : `${pointer}/${escapeToken(name)}`;
}

function knownNames(schema: SchemaNode, guard: Guard): string[] {
  const members = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  return [...new Set([...members, ...required, ...guard.members.keys()])];
}

/** True if the schema says something of members that can be noted while an object is read. */
function readsMembers(schema: SchemaNode): boolean {
  const has = (keyword: string): boolean => keywordValue(schema, keyword) !== undefined;
  return OF_OBJECTS.some(has) && !AGAINST_OBJECTS.some(has);
}

function readsItems(schema: SchemaNode): boolean {
  const has = (keyword: string): boolean => keywordValue(schema, keyword) !== undefined;
  return OF_ARRAYS.some(has) && !AGAINST_ARRAYS.some(has);
}
