/**
 * Functions that count line feeds and UTF-16 code units, for lines and columns.
 */
import {
  block,
  br,
  brIf,
  type Code,
  type FunctionCode,
  i8x16Add,
  i8x16Bitmask,
  i8x16Eq,
  i8x16GtS,
  i8x16GtU,
  i8x16Sub,
  i16x8ExtaddPairwiseI8x16S,
  i32Add,
  i32Const,
  i32Eq,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32LtU,
  i32Or,
  i32Sub,
  i32s,
  i32x4ExtaddPairwiseI16x8S,
  i32x4ExtractLane,
  if_,
  localGet,
  localSet,
  loop,
  return_,
  v128ConstSplat,
  v128Load,
  v128Or,
} from '../wasm/assembler.ts';

const p = localGet('p');
const end = localGet('end');
const v = localGet('v');
const c = localGet('c');
const sums = localGet('sums');

/** Bytes that are read in one step. */
const STEP = 64;
/** Steps after which the sums are added up: each vector adds at most 1, and a sum must fit into a signed byte. */
const MOST_STEPS = 31;

const isLineFeed = i8x16Eq(v, v128ConstSplat(0x0a));
const isLineFeedByte = i32Eq(c, i32Const(0x0a));

/** What a function counts. */
interface Counted {
  /** Adds what each byte of the vector `v` counts to its byte of the vector `sums`. A comparison that is true is -1. */
  readonly sixteen: Code;
  /** What each byte counts in addition. */
  readonly each: 0 | 1;
  /** How much the byte `c` counts. */
  readonly single: Code;
  /** The function returns -1 if there is a line feed. */
  readonly inLine: boolean;
}

const add = (count: Code): Code => localSet('count', i32Add(localGet('count'), count));

const sumsOfFour = i32x4ExtaddPairwiseI16x8S(i16x8ExtaddPairwiseI8x16S(sums));

/** Adds all sixteen sums to the count, and begins with new ones. */
const addSums: Code = [
  ...localSet('sums', sumsOfFour),
  ...[0, 1, 2, 3].flatMap((lane) => add(i32x4ExtractLane(lane)(sums))),
  ...localSet('sums', v128ConstSplat(0)),
];

/** A function that counts in the bytes of [p, end). */
const counting = (name: string, { sixteen, each, single, inLine }: Counted): FunctionCode => ({
  name,
  params: i32s('p', 'end'),
  result: 'i32',
  locals: [['v', 'v128'], ['sums', 'v128'], ['found', 'v128'], ...i32s('stop', 'c', 'count')],
  exported: true,
  body: [
    ...block(
      'rest',
      loop(
        'blocks',
        brIf('rest', i32LtU(i32Sub(end, p), i32Const(STEP))),
        localSet('stop', i32Add(p, i32Const(STEP * MOST_STEPS))),
        if_(i32GtU(localGet('stop'), end), localSet('stop', end)),
        loop(
          'steps',
          [0, 16, 32, 48].flatMap((at) => [
            ...localSet('v', v128Load(p, at)),
            ...sixteen,
            ...(inLine ? localSet('found', v128Or(localGet('found'), isLineFeed)) : []),
          ]),
          add(i32Const(STEP * each)),
          localSet('p', i32Add(p, i32Const(STEP))),
          brIf('steps', i32GeU(i32Sub(localGet('stop'), p), i32Const(STEP))),
        ),
        addSums,
        ...(inLine ? [if_(i8x16Bitmask(localGet('found')), return_(i32Const(-1)))] : []),
        br('blocks'),
      ),
    ),
    ...block(
      'done',
      loop(
        'bytes',
        brIf('done', i32GeU(p, end)),
        localSet('c', i32Load8U(p)),
        ...(inLine ? [if_(isLineFeedByte, return_(i32Const(-1)))] : []),
        add(single),
        localSet('p', i32Add(p, i32Const(1))),
        br('bytes'),
      ),
    ),
    ...localGet('count'),
  ],
});

export const lineFeedsIn = counting('lineFeedsIn', {
  sixteen: localSet('sums', i8x16Sub(sums, isLineFeed)),
  each: 0,
  single: isLineFeedByte,
  inLine: false,
});

/** As signed numbers, continuation bytes are the smallest. */
const isAfterLead = i8x16GtS(v128ConstSplat(0xc0), v);
const isLeadOfFour = i8x16GtU(v, v128ConstSplat(0xef));

/**
 * A character has one UTF-16 code unit for its lead byte, and a second one from U+10000 on, if the lead is 0xf0 or
 * more.
 */
const CODE_UNITS = {
  sixteen: localSet('sums', i8x16Add(sums, i8x16Sub(isAfterLead, isLeadOfFour))),
  each: 1,
  single: i32Add(i32Or(i32LtU(c, i32Const(0x80)), i32GtU(c, i32Const(0xbf))), i32GtU(c, i32Const(0xef))),
} as const;

export const codeUnitsIn = counting('codeUnitsIn', { ...CODE_UNITS, inLine: true });
/** The same, whatever lines there are. */
export const unitsIn = counting('unitsIn', { ...CODE_UNITS, inLine: false });
