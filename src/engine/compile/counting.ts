/**
 * Functions that count line feeds and UTF-16 code units, for lines and columns.
 */

import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { p } from '../wasm/templates.ts';

const end = asm.localGet('end');
const v = asm.localGet('v');
const c = asm.localGet('c');
const sums = asm.localGet('sums');

/** Bytes that are read in one step. */
const STEP = 64;
/** Steps after which the sums are added up: each vector adds at most 1, and a sum must fit into a signed byte. */
const MOST_STEPS = 31;

const isLineFeed = asm.i8x16Eq(v, asm.v128ConstSplat(0x0a));
const isLineFeedByte = asm.i32Eq(c, 0x0a);

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

const add = (count: Code): Code => asm.localSet('count', asm.i32Add('count', count));

const sumsOfFour = asm.i32x4ExtaddPairwiseI16x8S(asm.i16x8ExtaddPairwiseI8x16S(sums));

/** Adds all sixteen sums to the count, and begins with new ones. */
const addSums: Code = [
  asm.localSet('sums', sumsOfFour),
  ...[0, 1, 2, 3].flatMap((lane) => add(asm.i32x4ExtractLane(lane)(sums))),
  asm.localSet('sums', asm.v128ConstSplat(0)),
];

/** A function that counts in the bytes of [p, end). */
const counting = (name: string, { sixteen, each, single, inLine }: Counted): FunctionCode => ({
  name,
  params: asm.i32s('p', 'end'),
  result: 'i32',
  locals: [['v', 'v128'], ['sums', 'v128'], ['found', 'v128'], ...asm.i32s('stop', 'c', 'count')],
  exported: true,
  body: [
    asm.block(
      'rest',
      asm.loop(
        'blocks',
        asm.brIf('rest', asm.i32LtU(asm.i32Sub(end, p), STEP)),
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
        asm.br('blocks'),
      ),
    ),
    asm.block(
      'done',
      asm.loop(
        'bytes',
        asm.brIf('done', asm.i32GeU(p, end)),
        asm.localSet('c', asm.i32Load8U(p)),
        inLine ? [asm.if_(isLineFeedByte, asm.return_(-1))] : [],
        add(single),
        asm.localSet('p', asm.i32Add(p, 1)),
        asm.br('bytes'),
      ),
    ),
    asm.localGet('count'),
  ],
});

export const lineFeedsIn = counting('lineFeedsIn', {
  sixteen: asm.localSet('sums', asm.i8x16Sub(sums, isLineFeed)),
  each: 0,
  single: isLineFeedByte,
  inLine: false,
});

/** As signed numbers, continuation bytes are the smallest. */
const isAfterLead = asm.i8x16GtS(asm.v128ConstSplat(0xc0), v);
const isLeadOfFour = asm.i8x16GtU(v, asm.v128ConstSplat(0xef));

/**
 * A character has one UTF-16 code unit for its lead byte, and a second one from U+10000 on, if the lead is 0xf0 or
 * more.
 */
const CODE_UNITS = {
  sixteen: asm.localSet('sums', asm.i8x16Add(sums, asm.i8x16Sub(isAfterLead, isLeadOfFour))),
  each: 1,
  single: asm.i32Add(asm.i32Or(asm.i32LtU(c, 0x80), asm.i32GtU(c, 0xbf)), asm.i32GtU(c, 0xef)),
} as const;

export const codeUnitsIn = counting('codeUnitsIn', { ...CODE_UNITS, inLine: true });
