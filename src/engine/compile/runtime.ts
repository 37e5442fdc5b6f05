/**
 * The functions in every accept module: white space, strings, numbers, names that no schema describes, values of
 * any shape, and counts for lines and columns. Each takes the address after the byte that introduces what it reads.
 */
import { BACKSLASH, QUOTE } from '../../json/skip.ts';
import type { Code, FunctionCode, GlobalCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
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
} from '../../wasm/layout.ts';
import {
  advance,
  expectColon,
  isAtP,
  isNotAtP,
  literals,
  p,
  proceed,
  skipSpace,
  UNSURE,
  until,
} from '../../wasm/templates.ts';
import { number } from './scalars.ts';
import { mustBeHex, stringEnds } from './text.ts';

export const GLOBALS: readonly GlobalCode[] = [
  /** What was missing when the module stopped: the entry of a table; else 0. */
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
  /** With defaults: the address of the name of the value being read; 0: it is the payload, -1: it has no name. */
  { name: 'nameAt', type: 'i32', initial: 0 },
  /** The value of the last number, if `isPlain` is 1. */
  { name: 'number', type: 'f64', initial: 0 },
  { name: 'isPlain', type: 'i32', initial: 0 },
  /** How far `number` may be from the value that JSON.parse gives: 0 if `isPlain` is 1, Infinity if it is not known. */
  { name: 'numberError', type: 'f64', initial: 0 },
  /** 1 if the last number has neither fraction nor exponent. */
  { name: 'isWhole', type: 'i32', initial: 0 },
  { name: 'escaped', type: 'i32', initial: 0 },
  { name: 'payloadStart', type: 'i32', initial: 0, exported: true },
  { name: 'payloadGaps', type: 'i32', initial: 0, exported: true },
  /** The work of reading values more than once for this payload, see `mustNotBeSpent`. */
  { name: 'spent', type: 'i32', initial: 0 },
  /** The number of the kind that matched last. */
  { name: 'lastKind', type: 'i32', initial: 0, exported: true },
  /** Line feeds passed by `run`. */
  { name: 'lineFeeds', type: 'i32', initial: 0, exported: true },
  /** 1 if `run` stopped after an element of an array, 0 if it stopped before one. */
  { name: 'afterElement', type: 'i32', initial: 0, exported: true },
];

const space = asm.func('space', asm.i32s('p'), asm.i32s('c'), [
  // A single space, as many programs write it after colons and commas.
  asm.if_(asm.i32And(isAtP(0x20), asm.i32GtU(asm.i32Load8U(p, 1), 0x20)), asm.return_(asm.i32Add(p, 1))),
  asm.loop(
    'next',
    // Indentation: sixteen spaces at a time.
    asm.block(
      'byBytes',
      asm.brIf('byBytes', asm.i32Ne(asm.i8x16Bitmask(asm.i8x16Eq(asm.v128Load(p), asm.v128ConstSplat(0x20))), 0xffff)),
      advance(16),
      asm.br('next'),
    ),
    asm.localSet('c', asm.i32Load8U(p)),
    asm.block(
      'isSpace',
      asm.brIf('isSpace', asm.i32Eq('c', 0x20)),
      asm.brIf('isSpace', asm.i32Eq('c', 0x0d)),
      asm.brIf('isSpace', asm.i32Eq('c', 0x09)),
      asm.brIf('isSpace', asm.i32And(asm.i32Eq('c', 0x0a), asm.globalGet('lineFeedIsSpace'))),
      asm.return_(p),
    ),
    advance(1),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);

const TEXT_LOCALS: Variables = [['v', 'v128'], ...asm.i32s('m', 'c')];

/** The byte at `p + offset`, a letter in lower case. */
const lower = (offset: number): Code => asm.i32Or(asm.i32Load8U(p, offset), 0x20);
/** Of four hexadecimal digits at `p + offset`: D800 to DFFF, half a surrogate pair. */
const isSurrogate = (offset: number): Code =>
  asm.i32And(asm.i32Eq(lower(offset), 0x64), asm.i32GeU(asm.i32Load8U(p, offset + 1), 0x38));
/** From this digit on, `c`, it is the second half. */
const LOW_HALF = 0x63;
/** The two bytes of `\\u`. */
const ESCAPED_UNIT = 0x755c;

/** From after the opening quote to after the closing one. Sets `escaped`. Unsure about half a surrogate pair. */
const text = asm.func('string', asm.i32s('p'), TEXT_LOCALS, [
  asm.globalSet('escaped', 0),
  asm.loop(
    'next',
    asm.localSet('m', stringEnds(p)),
    asm.if_(asm.i32Eqz('m'), [advance(16), asm.br('next')]),
    asm.localSet('p', asm.i32Add(p, asm.i32Ctz('m'))),
    asm.localSet('c', asm.i32Load8U(p)),
    asm.if_(asm.i32Eq('c', QUOTE), asm.return_(asm.i32Add(p, 1))),
    asm.if_(asm.i32Ne('c', BACKSLASH), UNSURE),
    asm.globalSet('escaped', 1),
    asm.localSet('c', asm.i32Load8U(p, 1)),
    asm.block(
      'simple',
      ...[0x6e, QUOTE, BACKSLASH, 0x2f, 0x74, 0x72, 0x62, 0x66].map((byte) => asm.brIf('simple', asm.i32Eq('c', byte))),
      asm.if_(asm.i32Ne('c', 0x75), UNSURE),
      mustBeHex(p, 2, 3, 4, 5),
      asm.if_(isSurrogate(2), [
        // One half alone is reported. The second half is passed here, too.
        asm.if_(asm.i32GeU(lower(3), LOW_HALF), UNSURE),
        asm.if_(asm.i32Ne(asm.i32Load16U(p, 6), ESCAPED_UNIT), UNSURE),
        asm.if_(asm.i32Eqz(isSurrogate(8)), UNSURE),
        asm.if_(asm.i32LtU(lower(9), LOW_HALF), UNSURE),
        mustBeHex(p, 9, 10, 11),
        advance(6),
      ]),
      advance(4),
    ),
    advance(2),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);

const entry = asm.localGet('entry');
const nameLength: Code = asm.localGet('length');

/** For a name with escapes, which ends before `end`: puts its text where names are kept, and sets `p` and `length` to it. */
const keepText: Code = [
  asm.localSet('i', asm.call('unescape', p, asm.i32Sub('end', 1))),
  asm.if_(asm.i32Eqz('i'), UNSURE),
  asm.localSet('length', asm.i32Sub('i', SCRATCH)),
  asm.localSet('p', asm.globalGet('nameTexts')),
  asm.if_(asm.i32GtU(asm.i32Add(p, nameLength), NAME_TEXTS + NAME_TEXT_BYTES), UNSURE),
  asm.memoryCopy(p, SCRATCH, nameLength),
  asm.globalSet('nameTexts', asm.i32Add(p, nameLength)),
];

/**
 * A name that the schema does not describe: from its first byte after the quote to after the closing quote. Pushes it
 * on the stack of names. It is unsure if it is above `base` on the stack already, or does not fit on the stack. Sets
 * `escaped`: a caller that knows names must check that a name with escapes is none of these.
 */
const unknownName = asm.func('unknownName', asm.i32s('p', 'base'), asm.i32s('end', 'length', 'entry', 'i', 'top'), [
  asm.localSet('end', asm.call('string', p)),
  asm.if_(asm.i32Eqz('end'), UNSURE),
  asm.localSet('length', asm.i32Sub(asm.i32Sub('end', p), 1)),
  asm.localSet('top', asm.globalGet('names')),
  asm.if_(asm.i32GeU('top', NAMES + MAX_NAMES * 8), UNSURE),
  asm.if_(asm.globalGet('escaped'), keepText),
  asm.localSet('entry', 'base'),
  until(asm.i32GeU(entry, 'top'), [
    asm.block(
      'differs',
      asm.brIf('differs', asm.i32Ne(asm.i32Load(entry, 4), nameLength)),
      asm.localSet('i', 0),
      asm.loop(
        'bytes',
        asm.if_(asm.i32GeU('i', nameLength), UNSURE),
        asm.brIf(
          'differs',
          asm.i32Ne(asm.i32Load8U(asm.i32Add(asm.i32Load(entry), 'i')), asm.i32Load8U(asm.i32Add(p, 'i'))),
        ),
        asm.localSet('i', asm.i32Add('i', 1)),
        asm.br('bytes'),
      ),
    ),
    asm.localSet('entry', asm.i32Add(entry, 8)),
  ]),
  asm.i32Store('top', p),
  asm.i32Store('top', nameLength, 4),
  asm.globalSet('names', asm.i32Add('top', 8)),
  asm.localGet('end'),
]);

interface AnyShape {
  /** Moves `p` past white space. */
  readonly space: Code;
  /** Reads the name at `p`, which is a string, and its colon. */
  readonly name: Code;
  readonly locals?: Variables;
  /** Before the first member or item, and after the last one. */
  readonly begin?: Code;
  readonly end?: Code;
}

/** A function called `called` that reads a value of any shape, from its first byte. */
export const valueOfAnyShape = (
  called: string,
  { space, name, locals = [], begin = [], end = [] }: AnyShape,
): FunctionCode =>
  asm.func(
    called,
    asm.i32s('p', 'depth'),
    [...asm.i32s('c'), ...locals],
    [
      asm.localSet('c', asm.i32Load8U(p)),
      asm.if_(asm.i32Eq('c', QUOTE), asm.return_(asm.call('string', asm.i32Add(p, 1)))),
      literals(asm.return_(p)),
      asm.if_(asm.i32And(asm.i32Ne('c', 0x7b), asm.i32Ne('c', 0x5b)), asm.return_(asm.call('number', p))),
      asm.if_(asm.i32GeU('depth', asm.globalGet('maxDepth')), UNSURE),
      advance(1),
      space,
      asm.if_(asm.i32Eq(asm.i32Load8U(p), asm.i32Add('c', 2)), asm.return_(asm.i32Add(p, 1))),
      begin,
      asm.loop(
        'members',
        asm.if_(asm.i32Eq('c', 0x7b), [asm.if_(isNotAtP(QUOTE), UNSURE), name]),
        proceed(asm.call(called, p, asm.i32Add('depth', 1))),
        space,
        asm.if_(isAtP(0x2c), [advance(1), space, asm.br('members')]),
      ),
      asm.if_(asm.i32Ne(asm.i32Load8U(p), asm.i32Add('c', 2)), UNSURE),
      end,
      asm.i32Add(p, 1),
    ],
  );

/** Duplicate names are found at every level. */
const anyValue = valueOfAnyShape('any', {
  space: skipSpace,
  name: [proceed(asm.call('unknownName', asm.i32Add(p, 1), 'base')), expectColon],
  locals: asm.i32s('base'),
  begin: asm.localSet('base', asm.globalGet('names')),
  end: asm.globalSet('names', 'base'),
});

/** Code points of the text in [p, end), which is UTF-8 without escapes. */
const codePoints = asm.func('codePoints', asm.i32s('p', 'end'), asm.i32s('starts', 'count'), [
  asm.loop(
    'next',
    // Every byte counts except continuation bytes, 10xxxxxx, and those after the text.
    asm.localSet('starts', asm.i8x16Bitmask(asm.i8x16GtS(asm.v128Load(p), asm.v128ConstSplat(0xbf)))),
    asm.if_(
      asm.i32GtU(asm.i32Add(p, 16), 'end'),
      asm.return_(
        asm.i32Add('count', asm.i32Popcnt(asm.i32And('starts', asm.i32Sub(asm.i32Shl(1, asm.i32Sub('end', p)), 1)))),
      ),
    ),
    asm.localSet('count', asm.i32Add('count', asm.i32Popcnt('starts'))),
    advance(16),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);

/** Adds a gap. Returns 1, or 0 (unsure) if the list is full. */
const gap = asm.func('gap', [...asm.i32s('lastName', 'close', 'object'), ['missing', 'i64']], asm.i32s('at'), [
  asm.localSet('at', asm.globalGet('gaps')),
  asm.if_(asm.i32GeU('at', GAPS + MAX_GAPS * GAP_BYTES), UNSURE),
  asm.i32Store('at', 'lastName'),
  asm.i32Store('at', 'close', 4),
  asm.i32Store('at', 'object', 8),
  asm.i64Store('at', 'missing', 16),
  asm.globalSet('gaps', asm.i32Add('at', GAP_BYTES)),
  asm.i32Const(1),
]);

const end = asm.localGet('end');
const v = asm.localGet('v');
const c = asm.localGet('c');
const sums = asm.localGet('sums');

const STEP = 64;
/** Steps after which the sums are added up: each vector adds at most 1, and a sum must fit into a signed byte. */
const MOST_STEPS = 31;

const isLineFeed = asm.i8x16Eq(v, asm.v128ConstSplat(0x0a));
const isLineFeedByte = asm.i32Eq(c, 0x0a);

interface Counted {
  /** Adds what each byte of the vector `v` counts to its byte of the vector `sums`. A comparison that is true is -1. */
  readonly sixteen: Code;
  /** What each byte counts in addition. */
  readonly each: 0 | 1;
  readonly single: Code;
  /** The function returns -1 if there is a line feed. */
  readonly inLine: boolean;
}

const add = (count: Code): Code => asm.localSet('count', asm.i32Add('count', count));

const sumsOfFour = asm.i32x4ExtaddPairwiseI16x8S(asm.i16x8ExtaddPairwiseI8x16S(sums));

/** Adds all sixteen sums to the count, and begins with new ones. */
const addSums: Code = [
  asm.localSet('sums', sumsOfFour),
  ...[0, 1, 2, 3].flatMap((lane) => add(asm.i32x4ExtractLane(lane)(sums))),
  asm.localSet('sums', asm.v128ConstSplat(0)),
];

const COUNTING_LOCALS: Variables = [
  ['v', 'v128'],
  ['sums', 'v128'],
  ['found', 'v128'],
  ...asm.i32s('stop', 'c', 'count'),
];

const counting = (name: string, { sixteen, each, single, inLine }: Counted): FunctionCode => {
  const body = [
    until(asm.i32LtU(asm.i32Sub(end, p), STEP), [
      asm.localSet('stop', asm.i32Add(p, STEP * MOST_STEPS)),
      asm.if_(asm.i32GtU('stop', end), asm.localSet('stop', end)),
      asm.loop(
        'steps',
        [0, 16, 32, 48].flatMap((at) => [
          asm.localSet('v', asm.v128Load(p, at)),
          sixteen,
          inLine ? asm.localSet('found', asm.v128Or('found', isLineFeed)) : [],
        ]),
        add(asm.i32Const(STEP * each)),
        asm.localSet('p', asm.i32Add(p, STEP)),
        asm.brIf('steps', asm.i32GeU(asm.i32Sub('stop', p), STEP)),
      ),
      addSums,
      inLine ? [asm.if_(asm.i8x16Bitmask('found'), asm.return_(-1))] : [],
    ]),
    until(asm.i32GeU(p, end), [
      asm.localSet('c', asm.i32Load8U(p)),
      inLine ? [asm.if_(isLineFeedByte, asm.return_(-1))] : [],
      add(single),
      asm.localSet('p', asm.i32Add(p, 1)),
    ]),
    asm.localGet('count'),
  ];
  return asm.exported(asm.func(name, asm.i32s('p', 'end'), COUNTING_LOCALS, body));
};

const lineFeedsIn = counting('lineFeedsIn', {
  sixteen: asm.localSet('sums', asm.i8x16Sub(sums, isLineFeed)),
  each: 0,
  single: isLineFeedByte,
  inLine: false,
});

/** As signed numbers, continuation bytes are the smallest. */
const isAfterLead = asm.i8x16GtS(asm.v128ConstSplat(0xc0), v);
const isLeadOfFour = asm.i8x16GtU(v, asm.v128ConstSplat(0xef));

/** One UTF-16 code unit for each lead byte, and a second one from U+10000 on, where the lead is 0xf0 or more. */
const codeUnitsIn = counting('codeUnitsIn', {
  sixteen: asm.localSet('sums', asm.i8x16Add(sums, asm.i8x16Sub(isAfterLead, isLeadOfFour))),
  each: 1,
  single: asm.i32Add(asm.i32Or(asm.i32LtU(c, 0x80), asm.i32GtU(c, 0xbf)), asm.i32GtU(c, 0xef)),
  inLine: true,
});

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
