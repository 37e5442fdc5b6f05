/**
 * The function that reads a number.
 */

import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { advance, isAtP, p, UNSURE } from '../wasm/templates.ts';

const isDigitAtP: Code = asm.i32LtU(asm.i32Sub(asm.i32Load8U(p), 0x30), 10);
/**
 * From the first byte of a number to after it. For a number without exponent that has at most 15 digits, or at most 18
 * and no fraction, it sets `isPlain`, and `number` to the double that JSON.parse makes: digits and power of ten are
 * exact then, and their quotient is rounded once. With more than 15 digits, the double is not always the number: for up
 * to 18 of them they differ by less than `numberError`. A number that may be outside the range of a double (an exponent
 * of three digits, or very long) is unsure.
 */
export const number: FunctionCode = {
  name: 'number',
  params: asm.i32s('p'),
  result: 'i32',
  locals: [...asm.i32s('start', 'minus'), ['value', 'i64'], ['scale', 'f64'], ...asm.i32s('c')],
  body: [
    asm.localSet('minus', isAtP(0x2d)),
    asm.localSet('p', asm.i32Add(p, 'minus')),
    asm.localSet('start', p),
    asm.localSet('scale', asm.f64Const(1)),
    asm.localSet('c', asm.i32Sub(asm.i32Load8U(p), 0x30)),
    asm.if_(asm.i32GeU('c', 10), UNSURE),
    asm.block(
      'whole',
      advance(1),
      // A leading zero is the whole integer part.
      asm.brIf('whole', asm.i32Eqz('c')),
      asm.localSet('value', asm.i64ExtendI32U('c')),
      asm.loop(
        'digit',
        asm.localSet('c', asm.i32Sub(asm.i32Load8U(p), 0x30)),
        asm.brIf('whole', asm.i32GeU('c', 10)),
        asm.localSet('value', asm.i64Add(asm.i64Mul('value', asm.i64Const(10n)), asm.i64ExtendI32U('c'))),
        advance(1),
        asm.br('digit'),
      ),
    ),
    asm.localSet('c', asm.i32Load8U(p)),
    // No digit may follow a leading zero.
    asm.if_(asm.i32LtU(asm.i32Sub('c', 0x30), 10), UNSURE),
    asm.if_(asm.i32Eq('c', 0x2e), [
      advance(1),
      asm.if_(asm.i32Eqz(isDigitAtP), UNSURE),
      asm.loop(
        'fraction',
        asm.localSet(
          'value',
          asm.i64Add(
            asm.i64Mul('value', asm.i64Const(10n)),
            asm.i64ExtendI32U(asm.i32Sub(asm.i32Load8U(p), 0x30)),
          ),
        ),
        asm.localSet('scale', asm.f64Mul('scale', asm.f64Const(10))),
        advance(1),
        asm.brIf('fraction', isDigitAtP),
      ),
    ]),
    asm.if_(asm.i32GtU(asm.i32Sub(p, 'start'), 200), UNSURE),
    asm.globalSet('number', asm.f64Div(asm.f64ConvertI64S('value'), 'scale')),
    asm.if_('minus', asm.globalSet('number', asm.f64Neg(asm.globalGet('number')))),
    asm.globalSet('isWhole', asm.f64Eq('scale', asm.f64Const(1))),
    asm.globalSet('numberError', asm.f64Const(0)),
    // The point is counted as a digit, so a number of 15 digits with a point is not plain.
    asm.globalSet('isPlain', asm.i32LeU(asm.i32Sub(p, 'start'), 15)),
    asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), [
      asm.globalSet('isPlain', asm.i32And(asm.globalGet('isWhole'), asm.i32LeU(asm.i32Sub(p, 'start'), 18))),
      asm.globalSet('numberError', asm.f64Const(Number.POSITIVE_INFINITY)),
      asm.if_(
        // The point is one of 19.
        asm.i32LeU(asm.i32Sub(p, 'start'), asm.i32Sub(19, asm.globalGet('isWhole'))),
        asm.globalSet('numberError', asm.f64Mul(asm.f64Abs(asm.globalGet('number')), asm.f64Const(1e-14))),
      ),
    ]),
    asm.if_(asm.i32Eq(asm.i32Or(asm.i32Load8U(p), 0x20), 0x65), [
      asm.globalSet('isPlain', 0),
      asm.globalSet('isWhole', 0),
      asm.globalSet('numberError', asm.f64Const(Number.POSITIVE_INFINITY)),
      advance(1),
      asm.localSet('c', asm.i32Load8U(p)),
      asm.if_(asm.i32Or(asm.i32Eq('c', 0x2b), asm.i32Eq('c', 0x2d)), advance(1)),
      asm.localSet('start', p),
      asm.if_(asm.i32Eqz(isDigitAtP), UNSURE),
      asm.loop('exponent', advance(1), asm.brIf('exponent', isDigitAtP)),
      asm.if_(asm.i32GtU(asm.i32Sub(p, 'start'), 2), UNSURE),
    ]),
    p,
  ],
};
