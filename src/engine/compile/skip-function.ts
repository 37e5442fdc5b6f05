/**
 * Skips a value that was read before, and is known to be well-formed.
 */

import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { END_BYTES, ENDS, MAX_ENDS, PAYLOADS_READ } from '../wasm/layout.ts';
import { advance, p } from '../wasm/templates.ts';
import { BACKSLASH, QUOTE } from './text.ts';

const c = asm.localGet('c');
const entry = asm.localGet('entry');
const v = asm.localGet('v');
const bytesEqual = (vector: Code, byte: number): Code =>
  asm.i8x16Bitmask(asm.i8x16Eq(vector, asm.v128ConstSplat(byte)));

/** Sets the bits of `strings` from each quote to before the next one: a prefix XOR. */
const fillStrings: Code = [1, 2, 4, 8].map((by) =>
  asm.localSet('strings', asm.i32Xor('strings', asm.i32Shl('strings', by))),
);

/** From the bracket that opens a well-formed container to after the one that closes it, sixteen bytes at a time. */
const skipContainer: FunctionCode = {
  name: 'skipContainer',
  params: asm.i32s('p'),
  result: 'i32',
  locals: [['v', 'v128'], ...asm.i32s('c', 'open', 'end', 'strings', 'isInside', 'opening', 'closing')],
  body: [
    asm.loop(
      'next',
      asm.localSet('v', asm.v128Load(p)),
      // An escaped quote ends no string: these sixteen are read one by one.
      asm.if_(bytesEqual(v, BACKSLASH), [
        asm.localSet('end', asm.i32Add(p, 16)),
        asm.loop(
          'bytes',
          asm.localSet('c', asm.i32Load8U(p)),
          advance(1),
          asm.block(
            'read',
            asm.if_('isInside', [
              asm.if_(asm.i32Eq(c, BACKSLASH), advance(1)),
              asm.if_(asm.i32Eq(c, QUOTE), asm.localSet('isInside', 0)),
              asm.br('read'),
            ]),
            asm.if_(asm.i32Eq(c, QUOTE), [asm.localSet('isInside', 0xffff), asm.br('read')]),
            // `{` and `[` differ in one bit, and so do `}` and `]`.
            asm.localSet('c', asm.i32Or(c, 0x20)),
            asm.if_(asm.i32Eq(c, 0x7b), asm.localSet('open', asm.i32Add('open', 1))),
            asm.brIf('read', asm.i32Ne(c, 0x7d)),
            asm.localSet('open', asm.i32Sub('open', 1)),
            asm.if_(asm.i32Eqz('open'), asm.return_(p)),
          ),
          asm.brIf('bytes', asm.i32LtU(p, 'end')),
        ),
        asm.br('next'),
      ]),
      asm.localSet('strings', bytesEqual(v, 0x22)),
      fillStrings,
      asm.localSet('strings', asm.i32And(asm.i32Xor('strings', 'isInside'), 0xffff)),
      asm.localSet('isInside', asm.i32Mul(asm.i32ShrU('strings', 15), 0xffff)),
      asm.localSet('strings', asm.i32Xor('strings', 0xffff)),
      asm.localSet('v', asm.v128Or(v, asm.v128ConstSplat(0x20))),
      asm.localSet('opening', asm.i32And(bytesEqual(v, 0x7b), 'strings')),
      asm.localSet('closing', asm.i32And(bytesEqual(v, 0x7d), 'strings')),
      asm.if_(
        asm.i32GtU('open', asm.i32Popcnt('closing')),
        asm.localSet('open', asm.i32Sub(asm.i32Add('open', asm.i32Popcnt('opening')), asm.i32Popcnt('closing'))),
        // The last bracket may be here. Bits of `closing` are looked at with those of `opening` before them.
        asm.block(
          'passed',
          asm.loop(
            'brackets',
            asm.brIf('passed', asm.i32Eqz(asm.i32Or('opening', 'closing'))),
            asm.localSet('c', asm.i32Ctz(asm.i32Or('opening', 'closing'))),
            asm.localSet('end', asm.i32Shl(1, c)),
            asm.if_(
              asm.i32And('closing', 'end'),
              [
                asm.localSet('open', asm.i32Sub('open', 1)),
                asm.if_(asm.i32Eqz('open'), asm.return_(asm.i32Add(asm.i32Add(p, c), 1))),
                asm.localSet('closing', asm.i32Xor('closing', 'end')),
              ],
              [asm.localSet('open', asm.i32Add('open', 1)), asm.localSet('opening', asm.i32Xor('opening', 'end'))],
            ),
            asm.br('brackets'),
          ),
        ),
      ),
      advance(16),
      asm.br('next'),
    ),
    asm.i32Const(0),
  ],
};

/** The ends of smaller containers are not stored: to skip them again is faster than to look the end up. */
const LEAST_KEPT = 48;

/** Returns the end of the container at `p`. It is stored, because each alternative skips the same containers again. */
const containerEnd: Code = [
  asm.localSet('entry', asm.i32Add(ENDS, asm.i32Mul(asm.i32And(p, MAX_ENDS - 1), END_BYTES))),
  asm.if_(asm.i32Eq(asm.i32Load(entry, 8), p), [
    asm.if_(asm.i64Eq(asm.i64Load(entry), asm.i64Load(PAYLOADS_READ)), asm.return_(asm.i32Load(entry, 12))),
  ]),
  asm.localSet('end', asm.call('skipContainer', p)),
  asm.if_(asm.i32GtU(asm.i32Sub('end', p), LEAST_KEPT), [
    asm.i64Store(entry, asm.i64Load(PAYLOADS_READ)),
    asm.i32Store(entry, p, 8),
    asm.i32Store(entry, 'end', 12),
  ]),
  asm.return_('end'),
];

/** From the first byte of a well-formed value to after it. */
const skip: FunctionCode = {
  name: 'skip',
  params: asm.i32s('p'),
  result: 'i32',
  locals: asm.i32s('c', 'entry', 'end'),
  body: [
    asm.localSet('c', asm.i32Load8U(p)),
    asm.if_(asm.i32Eq(c, QUOTE), asm.return_(asm.call('string', asm.i32Add(p, 1)))),
    asm.if_(asm.i32Eq(asm.i32Or(c, 0x20), 0x7b), containerEnd),
    // A number or a literal.
    asm.block(
      'done',
      asm.loop(
        'bytes',
        asm.localSet('c', asm.i32Load8U(p)),
        asm.brIf('done', asm.i32LeU(c, 0x20)),
        asm.brIf('done', asm.i32Eq(c, 0x2c)),
        asm.brIf('done', asm.i32Eq(asm.i32Or(c, 0x20), 0x7d)),
        advance(1),
        asm.br('bytes'),
      ),
    ),
    p,
  ],
};

export const SKIP: readonly FunctionCode[] = [skip, skipContainer];
