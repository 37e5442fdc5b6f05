/**
 * What runs noting functions: for one payload, or for one line after another. Each is read as the kind whose tests of
 * the entry schema it passes.
 */
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
  type Imports,
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
  i32Mul,
  i32Ne,
  i32Or,
  i32Shl,
  i32Store,
  i32Sub,
  i32s,
  if_,
  localGet,
  localSet,
  localTee,
  loop,
  return_,
} from '../wasm/assembler.ts';
import {
  COUNTS,
  MANY_NOTES,
  MAX_KINDS,
  MAX_NOTED,
  MAX_NOTES,
  MODES,
  NOTE_BYTES,
  NOTED,
  NOTED_BYTES,
  NOTES,
} from '../wasm/layout.ts';
import { beginPayload, isAtP, UNSURE } from './templates.ts';

export const NOTE_GLOBALS: readonly GlobalCode[] = [
  /** The end of the list of notes. */
  { name: 'notes', type: 'i32', initial: NOTES, exported: true },
  /** The end of the payload that was read last. */
  { name: 'notedEnd', type: 'i32', initial: 0 },
  /** The kind of the payload before. */
  { name: 'lastNoted', type: 'i32', initial: 0 },
  /** The end of the list of payloads. */
  { name: 'noted', type: 'i32', initial: NOTED, exported: true },
];

/** Accept, which reads the valid payloads among the lines. */
export const NOTE_IMPORTS: Imports = {
  functions: [{ name: 'run', params: i32s('start', 'end', 'mode', 'final'), result: 'i32' }],
  /** The line feeds that it has passed. */
  globals: [{ name: 'accepted line feeds', type: 'i32' }],
};

const p = localGet('p');
const end = localGet('end');

/**
 * The functions that begin with a payload. `names`: the functions of the kinds; `unknown`: the function for payloads of
 * no kind, null if there is none.
 */
export function noteEntries(names: readonly string[], unknown: string | null): FunctionCode[] {
  return [note, payloadFunction(names, unknown), oneFunction, acceptedFunction, linesFunction];
}

/** Adds a row to the list. Returns 1, or 0 (unsure) if the list is full. */
const note: FunctionCode = {
  name: 'note',
  params: i32s('site', 'start', 'end', 'nameStart', 'nameEnd'),
  result: 'i32',
  locals: i32s('row'),
  body: [
    localSet('row', globalGet('notes')),
    if_(i32GeU(localGet('row'), i32Const(NOTES + MAX_NOTES * NOTE_BYTES)), UNSURE),
    ...['site', 'start', 'end', 'nameStart', 'nameEnd'].map((column, i) =>
      i32Store(localGet('row'), localGet(column), 4 * i),
    ),
    globalSet('notes', i32Add(localGet('row'), i32Const(NOTE_BYTES))),
    i32Const(1),
  ],
};

/**
 * Reads the payload at `p`. The result is 0 for unsure, or the number of its kind plus 1. A payload without a kind has
 * the number that follows those of all kinds. What is wrong with the payload is added to the list of notes, and
 * `notedEnd` is its end.
 */
function payloadFunction(names: readonly string[], unknown: string | null): FunctionCode {
  const attempt = (name: string, kind: number): Code => [
    beginPayload,
    globalSet('notes', localGet('notes')),
    if_(i32GtU(localTee('end', call(name, p, i32Const(0))), i32Const(1)), [
      globalSet('notedEnd', end),
      globalSet('lastNoted', i32Const(kind)),
      return_(i32Const(kind + 1)),
    ]),
    // Only 1 says for sure that it is of another kind.
    if_(i32Eqz(end), UNSURE),
  ];
  return {
    name: 'notedPayload',
    params: i32s('p'),
    result: 'i32',
    locals: i32s('end', 'notes', 'tried'),
    body: [
      globalSet('payloadStart', p),
      globalSet('spent', i32Const(0)),
      localSet('notes', globalGet('notes')),
      localSet('tried', globalGet('lastNoted')),
      names.map((name, kind) => if_(i32Eq(localGet('tried'), i32Const(kind)), attempt(name, kind))),
      names.map((name, kind) => if_(i32Ne(localGet('tried'), i32Const(kind)), attempt(name, kind))),
      unknown === null
        ? []
        : [
            beginPayload,
            globalSet('notes', localGet('notes')),
            localSet('end', call(unknown, p, i32Const(0))),
            if_(i32GtU(end, i32Const(1)), [globalSet('notedEnd', end), return_(i32Const(names.length + 1))]),
          ],
      i32Const(0),
    ],
  };
}

/** Reads the payload in [p, end). The result is the number of its kind plus 1, or 0 for unsure. */
const oneFunction: FunctionCode = {
  name: 'one',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: i32s('kind'),
  exported: true,
  body: [
    globalSet('lineFeedIsSpace', i32Const(1)),
    globalSet('notes', i32Const(NOTES)),
    localSet('kind', call('notedPayload', p)),
    i32Mul(localGet('kind'), i32Eq(globalGet('notedEnd'), end)),
  ],
};

/** Columns of a row of the list of payloads, in this order. */
const ROW: readonly Code[] = [
  p,
  globalGet('notedEnd'),
  i32Sub(localGet('kind'), i32Const(1)),
  globalGet('notes'),
  globalGet('lineFeeds'),
  localGet('lineStart'),
  call('acceptedPayloads'),
];

/** Stops before the payload at `p` and drops its notes: examine decides. */
const leave: Code = [globalSet('notes', localGet('notes')), return_(p)];

/** The number of payloads that accept has counted since the counts were last read. */
const acceptedFunction: FunctionCode = {
  name: 'acceptedPayloads',
  params: [],
  result: 'i32',
  locals: i32s('kind', 'sum'),
  body: [
    loop(
      'kinds',
      localSet('sum', i32Add(localGet('sum'), i32Load(i32Shl(localGet('kind'), i32Const(2)), COUNTS))),
      localSet('kind', i32Add(localGet('kind'), i32Const(1))),
      if_(i32LtU(localGet('kind'), i32Const(MAX_KINDS)), br('kinds')),
    ),
    localGet('sum'),
  ],
};

/** Sets `lineStart` for the payload at `p`: before it on its line is nothing but white space. */
const findLineStart: Code = [
  localSet('lineStart', p),
  block(
    'found',
    loop(
      'before',
      brIf('found', i32LeU(localGet('lineStart'), localGet('start'))),
      brIf('found', i32Eq(i32Load8U(i32Sub(localGet('lineStart'), i32Const(1))), i32Const(0x0a))),
      localSet('lineStart', i32Sub(localGet('lineStart'), i32Const(1))),
      br('before'),
    ),
  ),
];

const countLineFeeds = (count: Code): Code => globalSet('lineFeeds', i32Add(globalGet('lineFeeds'), count));

/**
 * Reads the payloads on the lines in [p, end): accept reads those that are valid, and each of the others is added to
 * the list. After an invalid payload, the next one is noted first: if it is invalid as well, accept need not read it.
 * Returns the address at which it stopped: at a payload that is unsure, or where a list is full, or at the end.
 * `final`: the source has no more bytes.
 */
const linesFunction: FunctionCode = {
  name: 'lines',
  params: i32s('p', 'end', 'final'),
  result: 'i32',
  locals: i32s('start', 'isFirst', 'isInvalid', 'kind', 'notes', 'lineStart', 'after', 'c'),
  exported: true,
  body: [
    globalSet('lineFeedIsSpace', i32Const(0)),
    globalSet('lineFeeds', i32Const(0)),
    globalSet('payloadStart', i32Const(0)),
    globalSet('notes', i32Const(NOTES)),
    globalSet('noted', i32Const(NOTED)),
    localSet('start', p),
    loop(
      'payloads',
      localSet('isFirst', i32And(localGet('isInvalid'), isAtP(0x7b))),
      if_(i32Eqz(localGet('isFirst')), [
        localSet('p', call('run', p, end, i32Const(MODES.lines), localGet('final'))),
        countLineFeeds(globalGet('accepted line feeds')),
        if_(i32GeU(p, end), return_(end)),
      ]),
      localSet('notes', globalGet('notes')),
      localSet('kind', call('notedPayload', p)),
      localSet(
        'isInvalid',
        i32And(i32Ne(globalGet('notes'), localGet('notes')), i32Ne(localGet('kind'), i32Const(0))),
      ),
      if_(i32GtU(localGet('isFirst'), localGet('isInvalid')), [
        globalSet('notes', localGet('notes')),
        br('payloads'),
      ]),
      if_(i32Eqz(localGet('kind')), leave),
      localSet('after', globalGet('notedEnd')),
      if_(i32GtU(i32Sub(localGet('after'), p), globalGet('maxBytes')), leave),
      localSet('c', i32Load8U(localGet('after'))),
      if_(i32LtU(localGet('c'), i32Const(0x21)), [
        localSet('after', call('space', localGet('after'))),
        localSet('c', i32Load8U(localGet('after'))),
      ]),
      localSet('c', i32Eq(localGet('c'), i32Const(0x0a))),
      if_(i32Or(localGet('c'), i32And(i32GeU(localGet('after'), end), localGet('final'))), [], leave),
      findLineStart,
      ROW.map((column, i) => i32Store(globalGet('noted'), column, 4 * i)),
      globalSet('noted', i32Add(globalGet('noted'), i32Const(NOTED_BYTES))),
      localSet('p', i32Add(localGet('after'), localGet('c'))),
      countLineFeeds(localGet('c')),
      if_(i32GeU(globalGet('noted'), i32Const(NOTED + MAX_NOTED * NOTED_BYTES)), return_(p)),
      if_(i32GeU(globalGet('notes'), i32Const(NOTES + MANY_NOTES * NOTE_BYTES)), return_(p)),
      if_(i32LtU(p, end), br('payloads')),
    ),
    p,
  ],
};
