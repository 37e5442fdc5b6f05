/**
 * The code for bounds and multiples. The double in the global `number` differs from the number in the text by less than
 * `numberError`; what depends on the difference is unsure. A multiple must be a whole number below 2 ** 53, of a whole
 * divisor, for an exact quotient; with any other divisor, every number is unsure.
 */

import { roundedIn } from '../schema/exact.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { INVALID, UNSURE } from '../wasm/templates.ts';
import type { NumberCode } from './keyword-code.ts';

const value = asm.globalGet('number');
const error = asm.globalGet('numberError');

type Comparison = (a: Code, b: Code) => Code;

const HOLDS = {
  minimum: asm.f64Ge,
  maximum: asm.f64Le,
  exclusiveMinimum: asm.f64Gt,
  exclusiveMaximum: asm.f64Lt,
} as const satisfies Readonly<Record<string, Comparison>>;

const BOUND_KEYWORDS = Object.keys(HOLDS) as (keyof typeof HOLDS)[]; // it has no other keys

export const BOUND_CODE: NumberCode = {
  keywords: BOUND_KEYWORDS,
  check: (node) =>
    BOUND_KEYWORDS.map((keyword) => {
      const limit = node[keyword];
      return limit === undefined ? [] : bound(limit, HOLDS[keyword], roundedIn(node, keyword).size > 0);
    }),
};

/** Whether the double may be another number than the text. */
export const isInexact = asm.f64Gt(error, asm.f64Const(0));

/** A limit that holds, or does not, whatever the exact value is. `isRounded`: the limit is not exactly the double. */
export function bound(limit: number, holds: Comparison, isRounded: boolean): Code {
  const end = asm.f64Const(limit);
  return [
    isRounded ? asm.if_(asm.f64Eq(value, end), UNSURE) : [],
    asm.if_(
      asm.i32Eqz(holds(value, end)),
      [
        asm.if_(asm.i32Eqz(isInexact), INVALID),
        asm.if_(asm.i32Or(holds(asm.f64Add(value, error), end), holds(asm.f64Sub(value, error), end)), UNSURE),
        INVALID,
      ],
      asm.if_(isInexact, [
        // The global is not read again: it may be the value of another number.
        asm.if_(asm.i32Eqz(holds(asm.f64Add(value, error), end)), UNSURE),
        asm.if_(asm.i32Eqz(holds(asm.f64Sub(value, error), end)), UNSURE),
      ]),
    ),
  ];
}

export const mustBeWhole: Code = asm.if_(asm.i32Eqz(asm.globalGet('isWhole')), [
  asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
  asm.if_(asm.i32Eqz(asm.f64Eq(asm.f64Floor(value), value)), INVALID),
]);

export const MULTIPLE_CODE: NumberCode = {
  keywords: ['multipleOf'],
  check(node) {
    const { multipleOf: divisor } = node;
    if (divisor === undefined) return [];
    if (roundedIn(node, 'multipleOf').size > 0 || !Number.isSafeInteger(divisor)) return UNSURE;
    const quotient = asm.f64Floor(asm.f64Div(value, asm.f64Const(divisor)));
    return [
      asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
      asm.if_(asm.i32Or(asm.f64Ge(value, asm.f64Const(2 ** 53)), asm.f64Le(value, asm.f64Const(-(2 ** 53)))), UNSURE),
      asm.if_(asm.i32Eqz(asm.f64Eq(asm.f64Mul(quotient, asm.f64Const(divisor)), value)), INVALID),
    ];
  },
};
