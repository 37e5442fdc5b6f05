/**
 * Builds the accept module from the functions of the kinds: it chooses the kind to try, and runs from payload to
 * payload.
 */

import type { Compiled } from '../automaton/matcher.ts';
import { detectedKinds } from '../schema/deciding.ts';
import type { Kind, SchemaSet } from '../schema/set.ts';
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  type GlobalCode,
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
  i32Load,
  i32Load8U,
  i32LtU,
  i32Ne,
  i32Or,
  i32Shl,
  i32Store,
  i32Store8,
  i32Sub,
  i32s,
  i32WrapI64,
  i64Const,
  i64Load,
  i64Mul,
  i64Rotl,
  i64Xor,
  if_,
  localGet,
  localSet,
  localTee,
  loop,
  type ModuleCode,
  return_,
} from '../wasm/assembler.ts';
import {
  ACCEPT_TABLES,
  COUNTS,
  GAP_BYTES,
  GAPS,
  GUESSES,
  MANY_GAPS,
  MANY_GUESSES,
  MAX_KINDS,
  MAX_SPANS,
  MODES,
  SPAN_BYTES,
  SPANS,
} from '../wasm/layout.ts';
import { Compiler } from './compile.ts';
import { type DefaultTexts, type FillableObject, NO_GUARD } from './context.ts';
import { areExact, guardOf } from './entry-schema.ts';
import { match, matchWaiting, Patterns } from './pattern-tables.ts';
import { GLOBALS, RUNTIME } from './runtime.ts';
import { SKIP } from './skip-function.ts';
import { beginPayload, isAtP, skipSpace } from './templates.ts';
import { beyondAscii, unescaping } from './unescape.ts';
import { HASH_GLOBALS, UNIQUE } from './unique.ts';
import { Unsupported } from './unsupported.ts';

export interface AcceptModule {
  /** The code. `encode` makes it runnable, `print` makes it readable. */
  readonly module: ModuleCode;
  /** The kinds that can be accepted. The index is the number in the counts. */
  readonly kinds: readonly string[];
  /** Kind name to reason, for the kinds that cannot be accepted at all. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Parts of the schemas for which every value is unsure: file and pointer to reason. */
  readonly unsure: ReadonlyMap<string, string>;
  /** The tables of patterns, for the address `TABLES`. */
  readonly tables: Uint8Array;
  /** Compiles the tables that are not there yet. */
  readonly waiting?: Patterns;
  readonly fillable: readonly FillableObject[];
  readonly exactPaths: boolean;
}

export interface AcceptOptions {
  /** Compile only this kind, and without its test; null: all kinds of the entry schema. */
  readonly forced: string | null;
  /** Compile only this kind, with its test; absent: see `forced`. */
  readonly only?: string;
  /** The defaults to regard as filled in; null: payloads are taken as they are. */
  readonly defaults: DefaultTexts | null;
  /**
   * Automata of patterns are made when they are needed first, by `waiting` of the module. The map has those that were
   * made before.
   */
  readonly automata?: Map<string, Compiled>;
  /**
   * Only members with these names are compiled. At any other that the schema knows, the module stops, see `MEMBERS`.
   * Null: all.
   */
  readonly names?: ReadonlySet<string> | null;
}

/** Compiles the kinds of `set` that can be accepted. */
export function compileAccept(set: SchemaSet, options: AcceptOptions): AcceptModule {
  const { forced, defaults, only, automata, names: known = null } = options;
  const patterns = new Patterns(ACCEPT_TABLES, automata !== undefined, automata);
  const compiler = new Compiler(set, { defaults, names: known, patterns });
  const entries: { kind: string; name: string }[] = [];
  const reasons = new Map<string, string>();
  const kinds = forced === null ? detectedKinds(set.kinds) : set.kinds;
  for (const [index, kind] of kinds.entries()) {
    if (kind.name !== (forced ?? only ?? kind.name)) continue;
    try {
      if (entries.length === MAX_KINDS) throw new Unsupported('too many kinds');
      entries.push({ kind: kind.name, name: kindFunction(compiler, kinds, index, forced !== null) });
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      reasons.set(kind.name, error.message);
    }
  }
  const names = entries.map(({ name }) => name);
  const knowsAll = reasons.size === 0 && (forced !== null || (only === undefined && areExact(kinds)));
  const additions = { globals: compiler.globals, accepted: [], knowsAll };
  return {
    module: moduleOf(compiler.functions, names, additions),
    kinds: entries.map(({ kind }) => kind),
    reasons,
    unsure: compiler.unsure,
    tables: compiler.patterns.bytes,
    ...(compiler.patterns.isWaiting ? { waiting: compiler.patterns } : {}),
    fillable: compiler.fillable,
    exactPaths: compiler.exactPaths,
  };
}

/** What a module has beside the functions for a schema. */
export interface ModuleAdditions {
  readonly globals: readonly GlobalCode[];
  /** Runs when a payload is accepted. */
  readonly accepted: Code;
  /** True if a payload that is invalid for each of the kinds is surely invalid. */
  readonly knowsAll: boolean;
}

const NO_ADDITIONS: ModuleAdditions = { globals: [], accepted: [], knowsAll: false };

/** The module with `functions`. Each function in `names` reads a payload of one kind. */
export function moduleOf(
  functions: readonly FunctionCode[],
  names: readonly string[],
  { globals, accepted, knowsAll }: ModuleAdditions = NO_ADDITIONS,
): ModuleCode {
  const entries = [
    payloadFunction(names, knowsAll),
    oneFunction(accepted),
    plainFunction,
    runFunction(accepted),
  ];
  return moduleParts([...functions, ...entries], globals);
}

/** A module of `functions` and what they need. */
export function moduleParts(functions: readonly FunctionCode[], globals: readonly GlobalCode[]): ModuleCode {
  return {
    globals: [...GLOBALS, ...HASH_GLOBALS, ...globals],
    functions: [...RUNTIME, unescaping, ...functions],
    library: LIBRARY,
  };
}

function kindFunction(compiler: Compiler, kinds: readonly Kind[], index: number, forced: boolean): string {
  const guard = forced ? NO_GUARD : guardOf(kinds, index);
  return compiler.kindFunction(kinds[index]!.schema, guard);
}

/** Functions that only some schemas need. */
const LIBRARY: readonly FunctionCode[] = [...SKIP, ...UNIQUE, match, matchWaiting, beyondAscii];

const p = localGet('p');

/**
 * The address of the guess for the payload at `p`, see `GUESSES`. Payloads of one kind begin in few ways: with the same
 * name, or with one of the values by which kinds are told apart.
 */
const guessAddress: Code = i32Add(
  i32Const(GUESSES),
  i32And(
    i32WrapI64(
      i64Rotl(
        i64Mul(i64Xor(i64Load(p), i64Rotl(i64Load(p, 8), i64Const(29n))), i64Const(0x9e3779b97f4a7c15n)),
        i64Const(12n),
      ),
    ),
    i32Const(MANY_GUESSES - 1),
  ),
);

/**
 * Tries the kind of the last payload that began with the same bytes, then the others. Gaps of an attempt that ended
 * "unsure" are dropped. The guess does not change the result: a payload is of one kind at most.
 */
function payloadFunction(names: readonly string[], knowsAll: boolean): FunctionCode {
  const attempt = (name: string, kind: number, matched: Code): Code => [
    ...beginPayload,
    ...globalSet('nameAt', i32Const(0)),
    ...if_(i32GtU(localTee('end', call(name, p, i32Const(0))), i32Const(1)), [
      ...globalSet('lastKind', i32Const(kind)),
      ...matched,
      ...return_(localGet('end')),
    ]),
    ...globalSet('gaps', localGet('gaps')),
    ...localSet('isUnsure', i32Or(localGet('isUnsure'), i32Eqz(localGet('end')))),
  ];
  const isGuess = (kind: number): Code => i32Eq(localGet('tried'), i32Const(kind));
  const learn = (kind: number): Code => i32Store8(localGet('guess'), i32Const(kind));
  const guessed = [
    ...localSet('guess', guessAddress),
    ...localSet('tried', i32Load8U(localGet('guess'))),
    ...names.flatMap((name, kind) => if_(isGuess(kind), attempt(name, kind, []))),
    ...names.flatMap((name, kind) => if_(i32Eqz(isGuess(kind)), attempt(name, kind, learn(kind)))),
  ];
  const body = [
    ...globalSet('payloadStart', p),
    ...globalSet('spent', i32Const(0)),
    ...localSet('gaps', globalGet('gaps')),
    ...globalSet('payloadGaps', localGet('gaps')),
    ...(names.length === 1 ? attempt(names[0]!, 0, []) : guessed),
    // The payload is invalid for each of the kinds.
    ...(knowsAll ? i32Eqz(localGet('isUnsure')) : i32Const(0)),
  ];
  const locals = i32s('end', 'tried', 'guess', 'gaps', 'isUnsure');
  return { name: 'payload', params: i32s('p'), result: 'i32', locals, body };
}

const countAddress: Code = i32Shl(globalGet('lastKind'), i32Const(2));
/** Counts a payload of the kind that was right. */
const countPayload: Code = i32Store(countAddress, i32Add(i32Load(countAddress, COUNTS), i32Const(1)), COUNTS);

/** Drops the gaps of a payload that is valid but not accepted here: it may be read again, or pass through unchanged. */
const dropGaps: Code = globalSet('gaps', localGet('gaps'));
const refuse: Code = [...dropGaps, ...return_(p)];

/** 2 if the bytes in [p, end) are one valid payload and nothing else, 1 if they surely are not, 0 for unsure. */
const oneFunction = (accepted: Code): FunctionCode => ({
  name: 'one',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: i32s('gaps', 'after'),
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', i32Const(1)),
    ...localSet('gaps', globalGet('gaps')),
    ...if_(i32Ne(localTee('after', call('payload', p)), localGet('end')), [
      ...dropGaps,
      ...return_(i32Eq(localGet('after'), i32Const(1))),
    ]),
    ...countPayload,
    ...accepted,
    ...i32Const(2),
  ],
});

/** 1 if the bytes in [p, end) are one JSON text, of any kind, for which `scan` would report nothing. */
const plainFunction: FunctionCode = {
  name: 'plain',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: [],
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', i32Const(1)),
    ...beginPayload,
    ...i32Eq(call('any', p, i32Const(0)), localGet('end')),
  ],
};

/** The payload in [p, end) is accepted. */
const addSpan = (end: Code): Code => [
  ...i32Store(globalGet('spans'), p),
  ...i32Store(globalGet('spans'), end, 4),
  ...globalSet('spans', i32Add(globalGet('spans'), i32Const(SPAN_BYTES))),
];

const isMode = (mode: keyof typeof MODES): Code => i32Eq(localGet('mode'), i32Const(MODES[mode]));

/**
 * Accepts payloads in [p, end) one after another and returns the address at which it stopped: the first byte of a
 * payload that is unsure, the `]` after an array's last element, or the end. `final`: the source has no more bytes. It
 * is one loop in WebAssembly, so it is one function here.
 */
const runFunction = (accepted: Code): FunctionCode => ({
  name: 'run',
  params: i32s('p', 'end', 'mode', 'final'),
  result: 'i32',
  locals: i32s('after', 'textEnd', 'c', 'gaps'),
  exported: true,
  body: [
    ...globalSet('lineFeedIsSpace', i32Ne(localGet('mode'), i32Const(MODES.lines))),
    ...globalSet('lineFeeds', i32Const(0)),
    ...globalSet('afterElement', i32Const(0)),
    ...loop(
      'payloads',
      skipSpace,
      // A blank line. In the other modes skipSpace has passed it.
      if_(isAtP(0x0a), [
        ...globalSet('lineFeeds', i32Add(globalGet('lineFeeds'), i32Const(1))),
        ...localSet('p', i32Add(p, i32Const(1))),
        ...if_(i32LtU(p, localGet('end')), br('payloads')),
      ]),
      if_(i32GeU(p, localGet('end')), return_(localGet('end'))),
      localSet('gaps', globalGet('gaps')),
      if_(i32LeU(localTee('after', call('payload', p)), i32Const(1)), return_(p)),
      if_(i32GtU(i32Sub(localGet('after'), p), globalGet('maxBytes')), refuse),
      localSet('textEnd', localGet('after')),
      localSet('c', i32Load8U(localGet('after'))),
      // White space after the payload. `space` needs it in p, which is saved in `after`.
      if_(i32LtU(localGet('c'), i32Const(0x21)), [
        ...localSet('after', call('space', localGet('after'))),
        ...localSet('c', i32Load8U(localGet('after'))),
      ]),
      block(
        'next',
        if_(isMode('lines'), [
          ...if_(i32Eq(localGet('c'), i32Const(0x0a)), [
            ...globalSet('lineFeeds', i32Add(globalGet('lineFeeds'), i32Const(1))),
            ...localSet('after', i32Add(localGet('after'), i32Const(1))),
            ...br('next'),
          ]),
          ...brIf('next', i32And(i32GeU(localGet('after'), localGet('end')), localGet('final'))),
          ...refuse,
        ]),
        if_(isMode('array'), [
          ...if_(i32Ne(localGet('c'), i32Const(0x2c)), [
            // A byte that does not end the element may belong to it, as in `1x`, or more may follow.
            ...if_(i32Ne(localGet('c'), i32Const(0x5d)), refuse),
            ...countPayload,
            ...accepted,
            ...addSpan(localGet('textEnd')),
            ...globalSet('afterElement', i32Const(1)),
            ...return_(localGet('after')),
          ]),
          ...localSet('after', i32Add(localGet('after'), i32Const(1))),
          ...br('next'),
        ]),
        // In a stream, a bare number may continue. A value that begins with a bracket or a quote has a clear end.
        brIf('next', i32Or(isAtP(0x7b), i32Or(isAtP(0x5b), isAtP(0x22)))),
        refuse,
      ),
      countPayload,
      accepted,
      if_(i32Ne(localGet('mode'), i32Const(MODES.lines)), addSpan(localGet('textEnd'))),
      localSet('p', localGet('after')),
      if_(i32GeU(globalGet('spans'), i32Const(SPANS + MAX_SPANS * SPAN_BYTES)), return_(p)),
      if_(i32GeU(globalGet('gaps'), i32Const(GAPS + MANY_GAPS * GAP_BYTES)), return_(p)),
      if_(i32LtU(p, localGet('end')), br('payloads')),
    ),
    ...p,
  ],
});
