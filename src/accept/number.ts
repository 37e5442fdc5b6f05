/**
 * The function that reads a number.
 */
import {
  block,
  br,
  brIf,
  type Code,
  type FunctionCode,
  f64Abs,
  f64Const,
  f64ConvertI64S,
  f64Div,
  f64Eq,
  f64Mul,
  f64Neg,
  globalGet,
  globalSet,
  i32Add,
  i32And,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32LeU,
  i32Load8U,
  i32LtU,
  i32Or,
  i32Sub,
  i32s,
  i64Add,
  i64Const,
  i64ExtendI32U,
  i64Mul,
  if_,
  localGet,
  localSet,
  loop,
} from '../wasm/assembler.ts';
import { advance, isAtP, UNSURE } from './templates.ts';

const p = localGet('p');

const isDigitAtP: Code = i32LtU(i32Sub(i32Load8U(p), i32Const(0x30)), i32Const(10));
/**
 * From the first byte of a number to after it. For a number without exponent that has at most 15 digits, or at most 18
 * and no fraction, it sets `isPlain`, and `number` to the double that JSON.parse makes: digits and power of ten are
 * exact then, and their quotient is rounded once. With more than 15 digits, the double is not always the number: for up
 * to 18 of them they differ by less than `numberError`. A number that may be outside the range of a double (an exponent
 * of three digits, or very long) is unsure.
 */
export const number: FunctionCode = {
  name: 'number',
  params: i32s('p'),
  result: 'i32',
  locals: [...i32s('start', 'minus'), ['value', 'i64'], ['scale', 'f64'], ...i32s('c')],
  body: [
    ...localSet('minus', isAtP(0x2d)),
    ...localSet('p', i32Add(p, localGet('minus'))),
    ...localSet('start', p),
    ...localSet('scale', f64Const(1)),
    ...localSet('c', i32Sub(i32Load8U(p), i32Const(0x30))),
    ...if_(i32GeU(localGet('c'), i32Const(10)), UNSURE),
    ...block(
      'whole',
      advance(1),
      // A leading zero is the whole integer part.
      brIf('whole', i32Eqz(localGet('c'))),
      localSet('value', i64ExtendI32U(localGet('c'))),
      loop(
        'digit',
        localSet('c', i32Sub(i32Load8U(p), i32Const(0x30))),
        brIf('whole', i32GeU(localGet('c'), i32Const(10))),
        localSet('value', i64Add(i64Mul(localGet('value'), i64Const(10n)), i64ExtendI32U(localGet('c')))),
        advance(1),
        br('digit'),
      ),
    ),
    ...localSet('c', i32Load8U(p)),
    // No digit may follow a leading zero.
    ...if_(i32LtU(i32Sub(localGet('c'), i32Const(0x30)), i32Const(10)), UNSURE),
    ...if_(i32Eq(localGet('c'), i32Const(0x2e)), [
      ...advance(1),
      ...if_(i32Eqz(isDigitAtP), UNSURE),
      ...loop(
        'fraction',
        localSet(
          'value',
          i64Add(
            i64Mul(localGet('value'), i64Const(10n)),
            i64ExtendI32U(i32Sub(i32Load8U(p), i32Const(0x30))),
          ),
        ),
        localSet('scale', f64Mul(localGet('scale'), f64Const(10))),
        advance(1),
        brIf('fraction', isDigitAtP),
      ),
    ]),
    ...if_(i32GtU(i32Sub(p, localGet('start')), i32Const(200)), UNSURE),
    ...globalSet('number', f64Div(f64ConvertI64S(localGet('value')), localGet('scale'))),
    ...if_(localGet('minus'), globalSet('number', f64Neg(globalGet('number')))),
    ...globalSet('isWhole', f64Eq(localGet('scale'), f64Const(1))),
    ...globalSet('numberError', f64Const(0)),
    // The point is counted as a digit, so a number of 15 digits with a point is not plain.
    ...globalSet('isPlain', i32LeU(i32Sub(p, localGet('start')), i32Const(15))),
    ...if_(i32Eqz(globalGet('isPlain')), [
      ...globalSet(
        'isPlain',
        i32And(globalGet('isWhole'), i32LeU(i32Sub(p, localGet('start')), i32Const(18))),
      ),
      ...globalSet('numberError', f64Const(Number.POSITIVE_INFINITY)),
      ...if_(
        // The point is one of 19.
        i32LeU(i32Sub(p, localGet('start')), i32Sub(i32Const(19), globalGet('isWhole'))),
        globalSet('numberError', f64Mul(f64Abs(globalGet('number')), f64Const(1e-14))),
      ),
    ]),
    ...if_(i32Eq(i32Or(i32Load8U(p), i32Const(0x20)), i32Const(0x65)), [
      ...globalSet('isPlain', i32Const(0)),
      ...globalSet('isWhole', i32Const(0)),
      ...globalSet('numberError', f64Const(Number.POSITIVE_INFINITY)),
      ...advance(1),
      ...localSet('c', i32Load8U(p)),
      ...if_(i32Or(i32Eq(localGet('c'), i32Const(0x2b)), i32Eq(localGet('c'), i32Const(0x2d))), advance(1)),
      ...localSet('start', p),
      ...if_(i32Eqz(isDigitAtP), UNSURE),
      ...loop('exponent', advance(1), brIf('exponent', isDigitAtP)),
      ...if_(i32GtU(i32Sub(p, localGet('start')), i32Const(2)), UNSURE),
    ]),
    ...p,
  ],
};
