/**
 * The code for multiples of a whole divisor: the value must be a whole number, below 2 ** 53 for an exact quotient. With any
 * other divisor, every number is unsure.
 */

import * as asm from '../engine/wasm/assembler.ts';
import { INVALID, UNSURE } from '../engine/wasm/templates.ts';
import { roundedIn } from '../schema/exact.ts';
import type { NumberCode } from './keyword-code.ts';

const value = asm.globalGet('number');

export const MULTIPLE_CODE: NumberCode = {
  keywords: ['multipleOf'],
  check(node) {
    const { multipleOf: divisor } = node;
    if (divisor === undefined) return [];
    if (roundedIn(node, 'multipleOf').size > 0 || !Number.isSafeInteger(divisor)) return UNSURE;
    const quotient = asm.f64Floor(asm.f64Div(value, asm.f64Const(divisor)));
    return [
      asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
      asm.if_(
        asm.i32Or(asm.f64Ge(value, asm.f64Const(2 ** 53)), asm.f64Le(value, asm.f64Const(-(2 ** 53)))),
        UNSURE,
      ),
      asm.if_(asm.i32Eqz(asm.f64Eq(asm.f64Mul(quotient, asm.f64Const(divisor)), value)), INVALID),
    ];
  },
};
