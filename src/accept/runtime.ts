/**
 * The functions in every accept module: white space, strings, numbers, names that no schema describes, and values of
 * any shape. Each takes the address after the byte that introduces what it reads.
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
  i8x16Bitmask,
  i8x16Eq,
  i8x16GtS,
  i32Add,
  i32And,
  i32Const,
  i32Ctz,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32Load,
  i32Load8U,
  i32Ne,
  i32Popcnt,
  i32Shl,
  i32Store,
  i32Sub,
  i32s,
  i64Store,
  if_,
  localGet,
  localSet,
  loop,
  memoryCopy,
  return_,
  v128ConstSplat,
  v128Load,
} from '../wasm/assembler.ts';
import {
  GAP_BYTES,
  GAPS,
  MAX_GAPS,
  MAX_NAMES,
  NAME_TEXT_BYTES,
  NAME_TEXTS,
  NAMES,
  SCRATCH,
  SPANS,
} from '../wasm/layout.ts';
import { codeUnitsIn, lineFeedsIn } from './counting.ts';
import { number } from './number.ts';
import { BACKSLASH, isHexDigit, QUOTE, stringEnds } from './string-bytes.ts';
import {
  advance,
  expectColon,
  isAtP,
  isNotAtP,
  literal,
  nextAfterComma,
  proceed,
  skipSpace,
  UNSURE,
} from './templates.ts';

export const GLOBALS: readonly GlobalCode[] = [
  /** What was missing when the module stopped: the entry of a table, or `MEMBERS`; else 0. */
  { name: 'wanted', type: 'i32', initial: 0, exported: true },
  /** 1 if a line feed inside a payload is white space. */
  { name: 'lineFeedIsSpace', type: 'i32', initial: 1 },
  /** The deepest nesting that is accepted. */
  { name: 'maxDepth', type: 'i32', initial: 0, exported: true },
  /** The largest payload that is accepted, in bytes. */
  { name: 'maxBytes', type: 'i32', initial: 0, exported: true },
  /** The end of the stack of unknown names. */
  { name: 'names', type: 'i32', initial: NAMES },
  /** The end of the texts of unknown names with escapes. */
  { name: 'nameTexts', type: 'i32', initial: NAME_TEXTS },
  /** The end of the list of gaps. */
  { name: 'gaps', type: 'i32', initial: GAPS, exported: true },
  /** Address after the last entry of the list of places. */
  { name: 'spans', type: 'i32', initial: SPANS, exported: true },
  /**
   * With defaults: the address of the name of the value being read; 0 for the payload itself, -1 if the value has no
   * name.
   */
  { name: 'nameAt', type: 'i32', initial: 0 },
  /** The value of the last number, if `isPlain` is 1. */
  { name: 'number', type: 'f64', initial: 0 },
  { name: 'isPlain', type: 'i32', initial: 0 },
  /** How far `number` may be from the value that JSON.parse gives: 0 if `isPlain` is 1, Infinity if it is not known. */
  { name: 'numberError', type: 'f64', initial: 0 },
  /** 1 if the last number has neither fraction nor exponent. */
  { name: 'isWhole', type: 'i32', initial: 0 },
  /** 1 if the last string had escapes. */
  { name: 'escaped', type: 'i32', initial: 0 },
  /** The address of the payload that is being read. */
  { name: 'payloadStart', type: 'i32', initial: 0, exported: true },
  /** The end of the list of gaps before the payload. */
  { name: 'payloadGaps', type: 'i32', initial: 0, exported: true },
  /** The work of reading values more than once for this payload, see `isSpent`. */
  { name: 'spent', type: 'i32', initial: 0 },
  /** The number of the kind that matched last. */
  { name: 'lastKind', type: 'i32', initial: 0, exported: true },
  /** Line feeds passed by `run`. */
  { name: 'lineFeeds', type: 'i32', initial: 0, exported: true },
  /** 1 if `run` stopped after an element of an array, 0 if it stopped before one. */
  { name: 'afterElement', type: 'i32', initial: 0, exported: true },
];

const p = localGet('p');

const space: FunctionCode = {
  name: 'space',
  params: i32s('p'),
  result: 'i32',
  locals: i32s('c'),
  body: [
    // A single space, as many programs write it after colons and commas.
    ...if_(i32And(isAtP(0x20), i32GtU(i32Load8U(p, 1), i32Const(0x20))), return_(i32Add(p, i32Const(1)))),
    ...loop(
      'next',
      // Indentation: sixteen spaces at a time.
      block(
        'byBytes',
        brIf('byBytes', i32Ne(i8x16Bitmask(i8x16Eq(v128Load(p), v128ConstSplat(0x20))), i32Const(0xffff))),
        advance(16),
        br('next'),
      ),
      localSet('c', i32Load8U(p)),
      block(
        'isSpace',
        brIf('isSpace', i32Eq(localGet('c'), i32Const(0x20))),
        brIf('isSpace', i32Eq(localGet('c'), i32Const(0x0d))),
        brIf('isSpace', i32Eq(localGet('c'), i32Const(0x09))),
        brIf('isSpace', i32And(i32Eq(localGet('c'), i32Const(0x0a)), globalGet('lineFeedIsSpace'))),
        return_(p),
      ),
      advance(1),
      br('next'),
    ),
    ...i32Const(0),
  ],
};

/** From after the opening quote to after the closing one. Sets `escaped`. */
const text: FunctionCode = {
  name: 'string',
  params: i32s('p'),
  result: 'i32',
  locals: [['v', 'v128'], ...i32s('m', 'c')],
  body: [
    ...globalSet('escaped', i32Const(0)),
    ...loop(
      'next',
      localSet('m', stringEnds(p)),
      if_(i32Eqz(localGet('m')), [...advance(16), ...br('next')]),
      localSet('p', i32Add(p, i32Ctz(localGet('m')))),
      localSet('c', i32Load8U(p)),
      if_(i32Eq(localGet('c'), i32Const(QUOTE)), return_(i32Add(p, i32Const(1)))),
      if_(i32Ne(localGet('c'), i32Const(BACKSLASH)), UNSURE),
      globalSet('escaped', i32Const(1)),
      localSet('c', i32Load8U(p, 1)),
      block(
        'simple',
        ...[0x6e, QUOTE, BACKSLASH, 0x2f, 0x74, 0x72, 0x62, 0x66].map((byte) =>
          brIf('simple', i32Eq(localGet('c'), i32Const(byte))),
        ),
        if_(i32Ne(localGet('c'), i32Const(0x75)), UNSURE),
        ...[2, 3, 4, 5].map((offset) => [
          ...localSet('c', i32Load8U(p, offset)),
          ...if_(i32Eqz(isHexDigit(localGet('c'))), UNSURE),
        ]),
        advance(4),
      ),
      advance(2),
      br('next'),
    ),
    ...i32Const(0),
  ],
};

const entry = localGet('entry');
const nameLength: Code = localGet('length');

/** For a name with escapes, which ends before `end`: puts its text where names are kept, and sets `p` and `length` to it. */
const keepText: Code = [
  localSet('i', call('unescape', p, i32Sub(localGet('end'), i32Const(1)))),
  if_(i32Eqz(localGet('i')), UNSURE),
  localSet('length', i32Sub(localGet('i'), i32Const(SCRATCH))),
  localSet('p', globalGet('nameTexts')),
  if_(i32GtU(i32Add(p, nameLength), i32Const(NAME_TEXTS + NAME_TEXT_BYTES)), UNSURE),
  memoryCopy(p, i32Const(SCRATCH), nameLength),
  globalSet('nameTexts', i32Add(p, nameLength)),
];

/**
 * A name that the schema does not describe: from its first byte after the quote to after the closing quote. Pushes it
 * on the stack of names. It is unsure if it is above `base` on the stack already, or does not fit on the stack. Sets
 * `escaped`: a caller that knows names must check that a name with escapes is none of these.
 */
const unknownName: FunctionCode = {
  name: 'unknownName',
  params: i32s('p', 'base'),
  result: 'i32',
  locals: i32s('end', 'length', 'entry', 'i', 'top'),
  body: [
    ...localSet('end', call('string', p)),
    ...if_(i32Eqz(localGet('end')), UNSURE),
    ...localSet('length', i32Sub(i32Sub(localGet('end'), p), i32Const(1))),
    ...localSet('top', globalGet('names')),
    ...if_(i32GeU(localGet('top'), i32Const(NAMES + MAX_NAMES * 8)), UNSURE),
    ...if_(globalGet('escaped'), keepText),
    ...localSet('entry', localGet('base')),
    ...block(
      'unique',
      loop(
        'entries',
        brIf('unique', i32GeU(entry, localGet('top'))),
        block(
          'differs',
          brIf('differs', i32Ne(i32Load(entry, 4), nameLength)),
          localSet('i', i32Const(0)),
          loop(
            'bytes',
            if_(i32GeU(localGet('i'), nameLength), UNSURE),
            brIf(
              'differs',
              i32Ne(i32Load8U(i32Add(i32Load(entry), localGet('i'))), i32Load8U(i32Add(p, localGet('i')))),
            ),
            localSet('i', i32Add(localGet('i'), i32Const(1))),
            br('bytes'),
          ),
        ),
        localSet('entry', i32Add(entry, i32Const(8))),
        br('entries'),
      ),
    ),
    ...i32Store(localGet('top'), p),
    ...i32Store(localGet('top'), nameLength, 4),
    ...globalSet('names', i32Add(localGet('top'), i32Const(8))),
    ...localGet('end'),
  ],
};

/** A value of any shape, from its first byte. Duplicate names are found at every level. */
const anyValue: FunctionCode = {
  name: 'any',
  params: i32s('p', 'depth'),
  result: 'i32',
  locals: i32s('c', 'base'),
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Eq(localGet('c'), i32Const(QUOTE)), return_(call('string', i32Add(p, i32Const(1))))),
    ...if_(i32Eq(localGet('c'), i32Const(0x74)), [...literal('true'), ...return_(p)]),
    ...if_(i32Eq(localGet('c'), i32Const(0x66)), [...literal('false'), ...return_(p)]),
    ...if_(i32Eq(localGet('c'), i32Const(0x6e)), [...literal('null'), ...return_(p)]),
    ...if_(
      i32And(i32Ne(localGet('c'), i32Const(0x7b)), i32Ne(localGet('c'), i32Const(0x5b))),
      return_(call('number', p)),
    ),
    ...if_(i32GeU(localGet('depth'), globalGet('maxDepth')), UNSURE),
    ...advance(1),
    ...skipSpace,
    ...if_(i32Eq(i32Load8U(p), i32Add(localGet('c'), i32Const(2))), return_(i32Add(p, i32Const(1)))),
    ...localSet('base', globalGet('names')),
    ...loop(
      'members',
      if_(i32Eq(localGet('c'), i32Const(0x7b)), [
        ...if_(isNotAtP(QUOTE), UNSURE),
        ...proceed(call('unknownName', i32Add(p, i32Const(1)), localGet('base'))),
        ...expectColon,
      ]),
      proceed(call('any', p, i32Add(localGet('depth'), i32Const(1)))),
      nextAfterComma('members'),
    ),
    ...if_(i32Ne(i32Load8U(p), i32Add(localGet('c'), i32Const(2))), UNSURE),
    ...globalSet('names', localGet('base')),
    ...i32Add(p, i32Const(1)),
  ],
};

/** Code points of the text in [p, end), which is UTF-8 without escapes. */
const codePoints: FunctionCode = {
  name: 'codePoints',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: i32s('starts', 'count'),
  body: [
    ...loop(
      'next',
      // Every byte counts except continuation bytes, 10xxxxxx, and those after the text.
      localSet('starts', i8x16Bitmask(i8x16GtS(v128Load(p), v128ConstSplat(0xbf)))),
      if_(
        i32GtU(i32Add(p, i32Const(16)), localGet('end')),
        return_(
          i32Add(
            localGet('count'),
            i32Popcnt(
              i32And(
                localGet('starts'),
                i32Sub(i32Shl(i32Const(1), i32Sub(localGet('end'), p)), i32Const(1)),
              ),
            ),
          ),
        ),
      ),
      localSet('count', i32Add(localGet('count'), i32Popcnt(localGet('starts')))),
      advance(16),
      br('next'),
    ),
    ...i32Const(0),
  ],
};

/** Adds a gap. Returns 1, or 0 (unsure) if the list is full. */
const gap: FunctionCode = {
  name: 'gap',
  params: [...i32s('lastName', 'close', 'object'), ['missing', 'i64']],
  result: 'i32',
  locals: i32s('at'),
  body: [
    ...localSet('at', globalGet('gaps')),
    ...if_(i32GeU(localGet('at'), i32Const(GAPS + MAX_GAPS * GAP_BYTES)), UNSURE),
    ...i32Store(localGet('at'), localGet('lastName')),
    ...i32Store(localGet('at'), localGet('close'), 4),
    ...i32Store(localGet('at'), localGet('object'), 8),
    ...i64Store(localGet('at'), localGet('missing'), 16),
    ...globalSet('gaps', i32Add(localGet('at'), i32Const(GAP_BYTES))),
    ...i32Const(1),
  ],
};

export const RUNTIME: readonly FunctionCode[] = [
  space,
  text,
  number,
  unknownName,
  anyValue,
  codePoints,
  gap,
  lineFeedsIn,
  codeUnitsIn,
];
