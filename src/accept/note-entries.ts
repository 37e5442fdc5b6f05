/**
 * What runs noting functions: for one payload, or for one line after another. Each is read as the kind whose tests of
 * the entry schema it passes.
 */

import type { Code, FunctionCode, GlobalCode, Imports } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
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
import { beginPayload, isAtP, UNSURE } from '../wasm/templates.ts';

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
  functions: [{ name: 'run', params: asm.i32s('start', 'end', 'mode', 'final'), result: 'i32' }],
  /** The line feeds that it has passed. */
  globals: [{ name: 'accepted line feeds', type: 'i32' }],
};

const p = asm.localGet('p');
const end = asm.localGet('end');

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
  params: asm.i32s('site', 'start', 'end', 'nameStart', 'nameEnd'),
  result: 'i32',
  locals: asm.i32s('row'),
  body: [
    asm.localSet('row', asm.globalGet('notes')),
    asm.if_(asm.i32GeU('row', NOTES + MAX_NOTES * NOTE_BYTES), UNSURE),
    ...['site', 'start', 'end', 'nameStart', 'nameEnd'].map((column, i) =>
      asm.i32Store('row', column, 4 * i),
    ),
    asm.globalSet('notes', asm.i32Add('row', NOTE_BYTES)),
    asm.i32Const(1),
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
    asm.globalSet('notes', 'notes'),
    asm.if_(asm.i32GtU(asm.localTee('end', asm.call(name, p, 0)), 1), [
      asm.globalSet('notedEnd', end),
      asm.globalSet('lastNoted', kind),
      asm.return_(kind + 1),
    ]),
    // Only 1 says for sure that it is of another kind.
    asm.if_(asm.i32Eqz(end), UNSURE),
  ];
  return {
    name: 'notedPayload',
    params: asm.i32s('p'),
    result: 'i32',
    locals: asm.i32s('end', 'notes', 'tried'),
    body: [
      asm.globalSet('payloadStart', p),
      asm.globalSet('spent', 0),
      asm.localSet('notes', asm.globalGet('notes')),
      asm.localSet('tried', asm.globalGet('lastNoted')),
      names.map((name, kind) => asm.if_(asm.i32Eq('tried', kind), attempt(name, kind))),
      names.map((name, kind) => asm.if_(asm.i32Ne('tried', kind), attempt(name, kind))),
      unknown === null
        ? []
        : [
            beginPayload,
            asm.globalSet('notes', 'notes'),
            asm.localSet('end', asm.call(unknown, p, 0)),
            asm.if_(asm.i32GtU(end, 1), [asm.globalSet('notedEnd', end), asm.return_(names.length + 1)]),
          ],
      asm.i32Const(0),
    ],
  };
}

/** Reads the payload in [p, end). The result is the number of its kind plus 1, or 0 for unsure. */
const oneFunction: FunctionCode = {
  name: 'one',
  params: asm.i32s('p', 'end'),
  result: 'i32',
  locals: asm.i32s('kind'),
  exported: true,
  body: [
    asm.globalSet('lineFeedIsSpace', 1),
    asm.globalSet('notes', NOTES),
    asm.localSet('kind', asm.call('notedPayload', p)),
    asm.i32Mul('kind', asm.i32Eq(asm.globalGet('notedEnd'), end)),
  ],
};

/** Columns of a row of the list of payloads, in this order. */
const ROW: readonly Code[] = [
  p,
  asm.globalGet('notedEnd'),
  asm.i32Sub('kind', 1),
  asm.globalGet('notes'),
  asm.globalGet('lineFeeds'),
  asm.localGet('lineStart'),
  asm.call('acceptedPayloads'),
];

/** Stops before the payload at `p` and drops its notes: examine decides. */
const leave: Code = [asm.globalSet('notes', 'notes'), asm.return_(p)];

/** The number of payloads that accept has counted since the counts were last read. */
const acceptedFunction: FunctionCode = {
  name: 'acceptedPayloads',
  params: [],
  result: 'i32',
  locals: asm.i32s('kind', 'sum'),
  body: [
    asm.loop(
      'kinds',
      asm.localSet('sum', asm.i32Add('sum', asm.i32Load(asm.i32Shl('kind', 2), COUNTS))),
      asm.localSet('kind', asm.i32Add('kind', 1)),
      asm.if_(asm.i32LtU('kind', MAX_KINDS), asm.br('kinds')),
    ),
    asm.localGet('sum'),
  ],
};

/** Sets `lineStart` for the payload at `p`: before it on its line is nothing but white space. */
const findLineStart: Code = [
  asm.localSet('lineStart', p),
  asm.block(
    'found',
    asm.loop(
      'before',
      asm.brIf('found', asm.i32LeU('lineStart', 'start')),
      asm.brIf('found', asm.i32Eq(asm.i32Load8U(asm.i32Sub('lineStart', 1)), 0x0a)),
      asm.localSet('lineStart', asm.i32Sub('lineStart', 1)),
      asm.br('before'),
    ),
  ),
];

const countLineFeeds = (count: Code): Code =>
  asm.globalSet('lineFeeds', asm.i32Add(asm.globalGet('lineFeeds'), count));

/**
 * Reads the payloads on the lines in [p, end): accept reads those that are valid, and each of the others is added to
 * the list. After an invalid payload, the next one is noted first: if it is invalid as well, accept need not read it.
 * Returns the address at which it stopped: at a payload that is unsure, or where a list is full, or at the end.
 * `final`: the source has no more bytes.
 */
const linesFunction: FunctionCode = {
  name: 'lines',
  params: asm.i32s('p', 'end', 'final'),
  result: 'i32',
  locals: asm.i32s('start', 'isFirst', 'isInvalid', 'kind', 'notes', 'lineStart', 'after', 'c'),
  exported: true,
  body: [
    asm.globalSet('lineFeedIsSpace', 0),
    asm.globalSet('lineFeeds', 0),
    asm.globalSet('payloadStart', 0),
    asm.globalSet('notes', NOTES),
    asm.globalSet('noted', NOTED),
    asm.localSet('start', p),
    asm.loop(
      'payloads',
      asm.localSet('isFirst', asm.i32And('isInvalid', isAtP(0x7b))),
      asm.if_(asm.i32Eqz('isFirst'), [
        asm.localSet('p', asm.call('run', p, end, MODES.lines, 'final')),
        countLineFeeds(asm.globalGet('accepted line feeds')),
        asm.if_(asm.i32GeU(p, end), asm.return_(end)),
      ]),
      asm.localSet('notes', asm.globalGet('notes')),
      asm.localSet('kind', asm.call('notedPayload', p)),
      asm.localSet('isInvalid', asm.i32And(asm.i32Ne(asm.globalGet('notes'), 'notes'), asm.i32Ne('kind', 0))),
      asm.if_(asm.i32GtU('isFirst', 'isInvalid'), [asm.globalSet('notes', 'notes'), asm.br('payloads')]),
      asm.if_(asm.i32Eqz('kind'), leave),
      asm.localSet('after', asm.globalGet('notedEnd')),
      asm.if_(asm.i32GtU(asm.i32Sub('after', p), asm.globalGet('maxBytes')), leave),
      asm.localSet('c', asm.i32Load8U('after')),
      asm.if_(asm.i32LtU('c', 0x21), [
        asm.localSet('after', asm.call('space', 'after')),
        asm.localSet('c', asm.i32Load8U('after')),
      ]),
      asm.localSet('c', asm.i32Eq('c', 0x0a)),
      asm.if_(asm.i32Or('c', asm.i32And(asm.i32GeU('after', end), 'final')), [], leave),
      findLineStart,
      ROW.map((column, i) => asm.i32Store(asm.globalGet('noted'), column, 4 * i)),
      asm.globalSet('noted', asm.i32Add(asm.globalGet('noted'), NOTED_BYTES)),
      asm.localSet('p', asm.i32Add('after', 'c')),
      countLineFeeds(asm.localGet('c')),
      asm.if_(asm.i32GeU(asm.globalGet('noted'), NOTED + MAX_NOTED * NOTED_BYTES), asm.return_(p)),
      asm.if_(asm.i32GeU(asm.globalGet('notes'), NOTES + MANY_NOTES * NOTE_BYTES), asm.return_(p)),
      asm.if_(asm.i32LtU(p, end), asm.br('payloads')),
    ),
    p,
  ],
};
