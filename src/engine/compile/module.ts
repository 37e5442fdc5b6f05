/** The accept module, made of the functions of the kinds: it chooses the kind to try, and runs over payloads. */
import { Unsupported } from '../../keywords/keyword-code.ts';
import { detectedKinds } from '../../schema/facts.ts';
import type { Kind, SchemaSet } from '../../schema/set.ts';
import type { Code, FunctionCode, GlobalCode, ModuleCode } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import {
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
} from '../../wasm/layout.ts';
import { beginPayload, isAtP, p, skipSpace } from '../../wasm/templates.ts';
import type { AcceptCode } from './code.ts';
import { Compiler } from './compile.ts';
import { type DefaultTexts, NO_GUARD } from './context.ts';
import { areExact, guardOf } from './entry-schema.ts';
import { compileNotes, type NotedCode, notingSteps, type RunSteps } from './notes.ts';
import { match, Patterns } from './pattern-tables.ts';
import { GLOBALS, RUNTIME } from './runtime.ts';
import { beyondAscii, unescaping } from './text.ts';
import { HASH_GLOBALS, SKIP, UNIQUE } from './unique.ts';

export interface AcceptModule extends Omit<AcceptCode, 'module'> {
  /** The code. `encode` makes it runnable, `print` makes it readable. */
  readonly module: ModuleCode;
  /** Kind name to reason, for the kinds that cannot be accepted at all. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Parts of the schemas for which every value is unsure: file and pointer to reason. */
  readonly unsure: ReadonlyMap<string, string>;
}

export interface AcceptOptions {
  /** Compile only this kind, and without its test; null: all kinds of the entry schema. */
  readonly givenKind: string | null;
  /** The defaults to regard as filled in; null: payloads are taken as they are. */
  readonly defaults: DefaultTexts | null;
  /** There are functions that note the violations of payloads of all these kinds. Not with `defaults`. */
  readonly notes?: boolean;
}

/** Compiles the kinds of `set` that can be accepted. Throws Unsupported if violations of some cannot be noted. */
export function compileAccept(set: SchemaSet, options: AcceptOptions): AcceptModule {
  const { givenKind, defaults, notes = false } = options;
  const compiler = new Compiler(set, { defaults, patterns: new Patterns(), notes });
  const entries: { kind: string; name: string }[] = [];
  const reasons = new Map<string, string>();
  const kinds = givenKind === null ? detectedKinds(set.kinds) : set.kinds;
  for (const [index, kind] of kinds.entries()) {
    if (kind.name !== (givenKind ?? kind.name)) continue;
    try {
      if (entries.length === MAX_KINDS) throw new Unsupported('too many kinds');
      entries.push({ kind: kind.name, name: kindFunction(compiler, kinds, index, givenKind !== null) });
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      reasons.set(kind.name, error.message);
    }
  }
  const names = entries.map(({ name }) => name);
  const knowsAll = names.length > 0 && reasons.size === 0 && (givenKind !== null || areExact(kinds));
  const noted = notes ? compileNotes(compiler, kinds, givenKind) : null;
  const additions = { globals: compiler.globals, accepted: [], knowsAll, noted };
  return {
    module: moduleOf(compiler.functions, names, additions),
    kinds: entries.map(({ kind }) => kind),
    reasons,
    unsure: compiler.unsure,
    tables: compiler.patterns.bytes,
    ...(compiler.patterns.isEmpty ? {} : { waiting: compiler.patterns }),
    fillable: compiler.fillable,
    exactPaths: compiler.exactPaths || compiler.fillable.length === 0,
    ...(noted === null ? {} : { notes: noted.kinds }),
  };
}

/** What a module has beside the functions for a schema. */
export interface ModuleAdditions {
  readonly globals: readonly GlobalCode[];
  /** Runs when a payload is accepted. */
  readonly accepted: Code;
  /** True if a payload that is invalid for each of the kinds is surely invalid. */
  readonly knowsAll: boolean;
  /** How violations are noted; absent: they are not. */
  readonly noted?: NotedCode | null;
}

/** The module with `functions`. Each function in `names` reads a payload of one kind. */
export function moduleOf(
  functions: readonly FunctionCode[],
  names: readonly string[],
  { globals, accepted, knowsAll, noted = null }: ModuleAdditions,
): ModuleCode {
  const entries = [
    payloadFunction(names, knowsAll),
    oneFunction(accepted),
    plainFunction,
    runFunction(accepted, (noted === null ? acceptingSteps : notingSteps)([countPayload, accepted])),
  ];
  return {
    globals: [...GLOBALS, ...HASH_GLOBALS, ...(noted?.globals ?? []), ...globals],
    functions: [...RUNTIME, unescaping, ...functions, ...entries, ...(noted?.functions ?? [])],
    library: LIBRARY,
  };
}

function kindFunction(compiler: Compiler, kinds: readonly Kind[], index: number, givenKind: boolean): string {
  const guard = givenKind ? NO_GUARD : guardOf(kinds, index);
  return compiler.kindFunction(kinds[index]!.schema, guard, 'first');
}

const LIBRARY: readonly FunctionCode[] = [...SKIP, ...UNIQUE, match, beyondAscii];

/** The address of the guess for the payload at `p`, see `GUESSES`: payloads of one kind begin in few ways. */
const guessAddress: Code = asm.i32Add(
  GUESSES,
  asm.i32And(
    asm.i32WrapI64(
      asm.i64Rotl(
        asm.i64Mul(
          asm.i64Xor(asm.i64Load(p), asm.i64Rotl(asm.i64Load(p, 8), asm.i64Const(29n))),
          asm.i64Const(0x9e3779b97f4a7c15n),
        ),
        asm.i64Const(12n),
      ),
    ),
    MANY_GUESSES - 1,
  ),
);

/**
 * Tries the kind of the last payload that began with the same bytes, then the others. Gaps of an attempt that ended
 * "unsure" are dropped. The guess does not change the result: a payload is of one kind at most.
 */
function payloadFunction(names: readonly string[], knowsAll: boolean): FunctionCode {
  const attempt = (name: string, kind: number, matched: Code): Code => [
    beginPayload,
    asm.globalSet('nameAt', 0),
    asm.if_(asm.i32GtU(asm.localTee('end', asm.call(name, p, 0)), 1), [
      asm.globalSet('lastKind', kind),
      ...matched,
      asm.return_('end'),
    ]),
    asm.globalSet('gaps', 'gaps'),
    asm.localSet('isUnsure', asm.i32Or('isUnsure', asm.i32Eqz('end'))),
  ];
  const isGuess = (kind: number): Code => asm.i32Eq('tried', kind);
  const learn = (kind: number): Code => asm.i32Store8('guess', kind);
  const guessed = [
    asm.localSet('guess', guessAddress),
    asm.localSet('tried', asm.i32Load8U('guess')),
    ...names.flatMap((name, kind) => asm.if_(isGuess(kind), attempt(name, kind, []))),
    ...names.flatMap((name, kind) => asm.if_(asm.i32Eqz(isGuess(kind)), attempt(name, kind, learn(kind)))),
  ];
  const body = [
    asm.globalSet('payloadStart', p),
    asm.globalSet('spent', 0),
    asm.localSet('gaps', asm.globalGet('gaps')),
    asm.globalSet('payloadGaps', 'gaps'),
    names.length === 1 ? attempt(names[0]!, 0, []) : guessed,
    // The payload is invalid for each of the kinds.
    knowsAll ? asm.i32Eqz('isUnsure') : asm.i32Const(0),
  ];
  const locals = asm.i32s('end', 'tried', 'guess', 'gaps', 'isUnsure');
  return asm.func('payload', asm.i32s('p'), locals, body);
}

const countAddress: Code = asm.i32Shl(asm.globalGet('lastKind'), 2);
const countPayload: Code = asm.i32Store(countAddress, asm.i32Add(asm.i32Load(countAddress, COUNTS), 1), COUNTS);

/** Drops the gaps of a payload that is valid but not accepted here: it may be read again, or pass through unchanged. */
const dropGaps: Code = asm.globalSet('gaps', 'gaps');
const refuse: Code = [dropGaps, asm.return_(p)];

/** 2 if the bytes in [p, end) are one valid payload and nothing else, 1 if they surely are not, 0 for unsure. */
const oneFunction = (accepted: Code): FunctionCode =>
  asm.exported(
    asm.func('one', asm.i32s('p', 'end'), asm.i32s('gaps', 'after'), [
      asm.globalSet('lineFeedIsSpace', 1),
      asm.localSet('gaps', asm.globalGet('gaps')),
      asm.if_(asm.i32Ne(asm.localTee('after', asm.call('payload', p)), 'end'), [
        dropGaps,
        asm.return_(asm.i32Eq('after', 1)),
      ]),
      countPayload,
      ...accepted,
      asm.i32Const(2),
    ]),
  );

/** 1 if the bytes in [p, end) are one JSON text, of any kind, for which `scan` would report nothing. */
const plainFunction = asm.exported(
  asm.func('plain', asm.i32s('p', 'end'), asm.NONE, [
    asm.globalSet('lineFeedIsSpace', 1),
    beginPayload,
    asm.i32Eq(asm.call('any', p, 0), 'end'),
  ]),
);

const addSpan = (end: Code): Code => [
  asm.i32Store(asm.globalGet('spans'), p),
  asm.i32Store(asm.globalGet('spans'), end, 4),
  asm.globalSet('spans', asm.i32Add(asm.globalGet('spans'), SPAN_BYTES)),
];

const isMode = (mode: keyof typeof MODES): Code => asm.i32Eq('mode', MODES[mode]);

/** How a run reads a payload; `notingSteps` has the steps of one that notes violations, too. */
const acceptingSteps = (count: Code): RunSteps => ({
  locals: [],
  begin: [],
  read: asm.if_(asm.i32LeU(asm.localTee('after', asm.call('payload', p)), 1), asm.return_(p)),
  count,
  stop: [],
});

/**
 * Reads payloads in [p, end) and returns the address at which it stopped: the first byte of a payload that is unsure,
 * the `]` after an array's last element, or the end. `final`: the source has no more bytes. One loop, so one function.
 */
const runFunction = (accepted: Code, steps: RunSteps): FunctionCode =>
  asm.exported(
    asm.func(
      'run',
      asm.i32s('p', 'end', 'mode', 'final'),
      [...asm.i32s('after', 'textEnd', 'c', 'gaps'), ...steps.locals],
      [
        steps.begin,
        asm.globalSet('lineFeedIsSpace', asm.i32Ne('mode', MODES.lines)),
        asm.globalSet('lineFeeds', 0),
        asm.globalSet('afterElement', 0),
        asm.loop(
          'payloads',
          skipSpace,
          // A blank line. In the other modes skipSpace has passed it.
          asm.if_(isAtP(0x0a), [
            asm.globalSet('lineFeeds', asm.i32Add(asm.globalGet('lineFeeds'), 1)),
            asm.localSet('p', asm.i32Add(p, 1)),
            asm.if_(asm.i32LtU(p, 'end'), asm.br('payloads')),
          ]),
          asm.if_(asm.i32GeU(p, 'end'), asm.return_('end')),
          asm.localSet('gaps', asm.globalGet('gaps')),
          steps.read,
          asm.if_(asm.i32GtU(asm.i32Sub('after', p), asm.globalGet('maxBytes')), refuse),
          asm.localSet('textEnd', 'after'),
          asm.localSet('c', asm.i32Load8U('after')),
          // White space after the payload. `space` needs it in p, which is saved in `after`.
          asm.if_(asm.i32LtU('c', 0x21), [
            asm.localSet('after', asm.call('space', 'after')),
            asm.localSet('c', asm.i32Load8U('after')),
          ]),
          asm.block(
            'next',
            asm.if_(isMode('lines'), [
              asm.if_(asm.i32Eq('c', 0x0a), [
                asm.globalSet('lineFeeds', asm.i32Add(asm.globalGet('lineFeeds'), 1)),
                asm.localSet('after', asm.i32Add('after', 1)),
                asm.br('next'),
              ]),
              asm.brIf('next', asm.i32And(asm.i32GeU('after', 'end'), 'final')),
              refuse,
            ]),
            asm.if_(isMode('array'), [
              asm.if_(asm.i32Ne('c', 0x2c), [
                // A byte that does not end the element may belong to it, as in `1x`, or more may follow.
                asm.if_(asm.i32Ne('c', 0x5d), refuse),
                countPayload,
                ...accepted,
                addSpan(asm.localGet('textEnd')),
                asm.globalSet('afterElement', 1),
                asm.return_('after'),
              ]),
              asm.localSet('after', asm.i32Add('after', 1)),
              asm.br('next'),
            ]),
            // In a stream, a bare number may continue. A value that begins with a bracket or a quote has a clear end.
            asm.brIf('next', asm.i32Or(isAtP(0x7b), asm.i32Or(isAtP(0x5b), isAtP(0x22)))),
            refuse,
          ),
          steps.count,
          asm.if_(asm.i32Ne('mode', MODES.lines), addSpan(asm.localGet('textEnd'))),
          asm.localSet('p', 'after'),
          steps.stop,
          asm.if_(asm.i32GeU(asm.globalGet('spans'), SPANS + MAX_SPANS * SPAN_BYTES), asm.return_(p)),
          asm.if_(asm.i32GeU(asm.globalGet('gaps'), GAPS + MANY_GAPS * GAP_BYTES), asm.return_(p)),
          asm.if_(asm.i32LtU(p, 'end'), asm.br('payloads')),
        ),
        p,
      ],
    ),
  );
