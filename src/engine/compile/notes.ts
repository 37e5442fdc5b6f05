/**
 * Functions that note violations: they read a payload to its end and write a row for each keyword that fails, see `NOTES`.
 * Like accept, they are unsure for input that they cannot decide cheaply: then examine decides.
 */
import { decidingMembers } from '../../schema/facts.ts';
import type { Kind } from '../../schema/set.ts';
import type { Code, FunctionCode, GlobalCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { MANY_NOTES, MAX_NOTED, MAX_NOTES, MODES, NOTE_BYTES, NOTED, NOTED_BYTES, NOTES } from '../../wasm/layout.ts';
import {
  advance,
  beginPayload,
  betweenBrackets,
  expectColon,
  isAtP,
  isNotAtP,
  p,
  proceed,
  UNSURE,
} from '../../wasm/templates.ts';
import type { Compiler } from './compile.ts';
import { inner, LOCALS, NO_GUARD, type NoteSite, PARAMS } from './context.ts';
import { areExact, guardOf } from './entry-schema.ts';
import { FIRST_BYTE } from './scalars.ts';
import { rawText, whenOneMatches } from './text.ts';

/** What a module notes. */
export interface NotedKinds {
  readonly kinds: readonly string[];
  /** By number. */
  readonly sites: readonly NoteSite[];
}

/** What a module has for notes, beside the functions of the compiler. */
export interface NotedCode {
  readonly kinds: NotedKinds;
  readonly functions: readonly FunctionCode[];
  readonly globals: readonly GlobalCode[];
}

/** The steps of a run that differ if violations are noted. */
export interface RunSteps {
  readonly locals: Variables;
  /** Before the first payload. */
  readonly begin: Code;
  /** Reads the payload at `p` and sets `after` to its end, or ends the run. */
  readonly read: Code;
  /** Counts the payload that was read. */
  readonly count: Code;
  /** Ends the run between two payloads if a list is full. */
  readonly stop: Code;
}

const GLOBALS: readonly GlobalCode[] = [
  /** The end of the list of notes. */
  { name: 'notes', type: 'i32', initial: NOTES, exported: true },
  /** The end of the payload that was noted last. */
  { name: 'notedEnd', type: 'i32', initial: 0 },
  /** The kind of the payload before. */
  { name: 'lastNoted', type: 'i32', initial: 0 },
  /** The end of the list of payloads. */
  { name: 'noted', type: 'i32', initial: NOTED, exported: true },
];

/** Compiles `kinds` for notes: all of them, or only the one that is `givenKind`. Throws Unsupported. */
export function compileNotes(compiler: Compiler, kinds: readonly Kind[], givenKind: string | null): NotedCode {
  const noted = kinds.filter(({ name }) => givenKind === null || name === givenKind);
  const names = noted.map((kind) => {
    const guard = givenKind === null ? guardOf(kinds, kinds.indexOf(kind)) : NO_GUARD;
    return compiler.kindFunction(kind.schema, guard, 'note');
  });
  const sites = compiler.notes!.all;
  const knowsAll = givenKind === null && areExact(kinds);
  const unknown = knowsAll ? unknownFunction(decidingMembers(kinds), sites.length) : null;
  return {
    kinds: { kinds: noted.map(({ name }) => name), sites },
    functions: [note, ...(unknown === null ? [] : [unknown]), payloadFunction(names, unknown?.name), oneFunction],
    globals: GLOBALS,
  };
}

/** Adds a row to the list. Returns 1, or 0 (unsure) if the list is full. */
const note = asm.func('note', asm.i32s('site', 'start', 'end', 'nameStart', 'nameEnd'), asm.i32s('row'), [
  asm.localSet('row', asm.globalGet('notes')),
  asm.if_(asm.i32GeU('row', NOTES + MAX_NOTES * NOTE_BYTES), UNSURE),
  ...['site', 'start', 'end', 'nameStart', 'nameEnd'].map((column, i) => asm.i32Store('row', column, 4 * i)),
  asm.globalSet('notes', asm.i32Add('row', NOTE_BYTES)),
  asm.i32Const(1),
]);

/**
 * Reads the payload at `p`. The result is 0 for unsure, or the number of its kind plus 1. A payload without a kind has
 * the number that follows those of all kinds. What is wrong with the payload is added to the list of notes, and
 * `notedEnd` is its end. `names`: the functions of the kinds; `unknown`: the function for payloads of no kind.
 */
function payloadFunction(names: readonly string[], unknown: string | undefined): FunctionCode {
  const attempt = (name: string, kind: number): Code => [
    beginPayload,
    asm.globalSet('notes', 'notes'),
    asm.if_(asm.i32GtU(asm.localTee('end', asm.call(name, p, 0)), 1), [
      asm.globalSet('notedEnd', 'end'),
      asm.globalSet('lastNoted', kind),
      asm.return_(kind + 1),
    ]),
    // Only 1 says for sure that it is of another kind.
    asm.if_(asm.i32Eqz('end'), UNSURE),
  ];
  return asm.func('notedPayload', asm.i32s('p'), asm.i32s('end', 'notes', 'tried'), [
    asm.globalSet('payloadStart', p),
    asm.globalSet('spent', 0),
    asm.localSet('notes', asm.globalGet('notes')),
    asm.localSet('tried', asm.globalGet('lastNoted')),
    names.map((name, kind) => asm.if_(asm.i32Eq('tried', kind), attempt(name, kind))),
    names.map((name, kind) => asm.if_(asm.i32Ne('tried', kind), attempt(name, kind))),
    unknown === undefined
      ? []
      : [
          beginPayload,
          asm.globalSet('notes', 'notes'),
          asm.localSet('end', asm.call(unknown, p, 0)),
          asm.if_(asm.i32GtU('end', 1), [asm.globalSet('notedEnd', 'end'), asm.return_(names.length + 1)]),
        ],
    asm.i32Const(0),
  ]);
}

/** Notes the payload in [p, end). The result is the number of its kind plus 1, or 0 for unsure. */
const oneFunction = asm.exported(
  asm.func('noteOne', asm.i32s('p', 'end'), asm.i32s('kind'), [
    asm.globalSet('lineFeedIsSpace', 1),
    asm.globalSet('notes', NOTES),
    asm.localSet('kind', asm.call('notedPayload', p)),
    asm.i32Mul('kind', asm.i32Eq(asm.globalGet('notedEnd'), 'end')),
  ]),
);

/** The columns of a row of the list of payloads, in this order. The line feed after the payload is counted already. */
const ROW: readonly Code[] = [
  p,
  asm.globalGet('notedEnd'),
  asm.i32Sub('kind', 1),
  asm.globalGet('notes'),
  asm.i32Sub(asm.globalGet('lineFeeds'), asm.i32Eq('c', 0x0a)),
  asm.localGet('index'),
];

/**
 * The steps of a run that adds each payload that is not accepted, in the mode `noted`, to the list of payloads, with its
 * notes. After an invalid payload, the next one is noted first: if it is invalid as well, accept need not read it.
 * `accepted`: counts a payload that is accepted.
 */
export function notingSteps(accepted: Code): RunSteps {
  return {
    locals: asm.i32s('notes', 'isNoting', 'isInvalid', 'isFirst', 'kind', 'index'),
    begin: [
      asm.localSet('isNoting', asm.i32Eq('mode', MODES.noted)),
      asm.if_('isNoting', asm.localSet('mode', MODES.lines)),
      asm.globalSet('notes', NOTES),
      asm.globalSet('noted', NOTED),
    ],
    read: [
      asm.localSet('notes', asm.globalGet('notes')),
      asm.localSet('kind', 0),
      asm.localSet('after', 0),
      asm.localSet('isFirst', asm.i32And('isInvalid', isAtP(0x7b))),
      asm.if_(asm.i32Eqz('isFirst'), asm.localSet('after', asm.call('payload', p))),
      asm.if_(asm.i32GtU('after', 1), asm.localSet('isInvalid', 0), [
        asm.if_(asm.i32Eqz('isNoting'), asm.return_(p)),
        asm.localSet('kind', asm.call('notedPayload', p)),
        asm.localSet('isInvalid', asm.i32And(asm.i32Ne(asm.globalGet('notes'), 'notes'), asm.i32Ne('kind', 0))),
        asm.if_(asm.i32GtU('isFirst', 'isInvalid'), [asm.globalSet('notes', 'notes'), asm.br('payloads')]),
        asm.if_(asm.i32Eqz('kind'), asm.return_(p)),
        asm.localSet('after', asm.globalGet('notedEnd')),
      ]),
    ],
    count: [
      asm.if_(
        'kind',
        [
          ROW.map((column, i) => asm.i32Store(asm.globalGet('noted'), column, 4 * i)),
          asm.globalSet('noted', asm.i32Add(asm.globalGet('noted'), NOTED_BYTES)),
        ],
        accepted,
      ),
      asm.localSet('index', asm.i32Add('index', 1)),
    ],
    stop: [
      asm.if_(asm.i32GeU(asm.globalGet('noted'), NOTED + MAX_NOTED * NOTED_BYTES), asm.return_(p)),
      asm.if_(asm.i32GeU(asm.globalGet('notes'), NOTES + MANY_NOTES * NOTE_BYTES), asm.return_(p)),
    ],
  };
}
/** Members that decide the kind. */
const MOST_DECIDING = 8;

/** Notes the value of the first of `members`, which decide the kind, in a payload of none. Null: it cannot be made. */
function unknownFunction(members: readonly string[], site: number): FunctionCode | null {
  const texts = members.map(rawText);
  if (members.length === 0 || members.length > MOST_DECIDING) return null;
  const known = texts.flatMap((bytes, i) => {
    if (bytes === null) return [];
    const action = [
      asm.if_(`start${i}`, UNSURE),
      advance(bytes.length),
      expectColon,
      asm.localSet(`start${i}`, p),
      proceed(asm.call('any', p, inner)),
      asm.localSet(`end${i}`, p),
      asm.br('member'),
    ];
    return [{ bytes, action }];
  });
  const unknown: Code = [
    proceed(asm.call('unknownName', p, 'base')),
    asm.if_(asm.globalGet('escaped'), UNSURE),
    expectColon,
    proceed(asm.call('any', p, inner)),
  ];
  const notes = members.map((_, i) =>
    asm.if_(`start${i}`, [
      asm.if_(asm.i32Eqz(asm.call('note', site, `start${i}`, `end${i}`, i, 0)), UNSURE),
      asm.return_(p),
    ]),
  );
  const places = members.flatMap((_, i) => [`start${i}`, `end${i}`]);
  const locals = [...LOCALS, ...asm.i32s('base', ...places)];
  const body: Code = [
    asm.if_(FIRST_BYTE.object!, [], UNSURE),
    asm.localSet('base', asm.globalGet('names')),
    betweenBrackets(0x7d, [
      asm.if_(isNotAtP(0x22), UNSURE),
      advance(1),
      asm.block('member', whenOneMatches(known), unknown),
    ]),
    advance(1),
    notes,
    UNSURE,
  ];
  return asm.func('noted unknown', PARAMS, locals, body);
}
