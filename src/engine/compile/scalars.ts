/**
 * Strings, numbers and literals, by `type`, `enum` and `const`. The other keywords about them test the value after it was
 * read: their code is beside the keywords, in `src/keywords/`.
 */
import { NUMBER_CODES, STRING_CODES } from '../../keywords/codes.ts';
import { KEYWORDS } from '../../keywords/index.ts';
import { isInexact, mustBeWhole } from '../../keywords/numbers-code.ts';
import { FORMAT_CODE } from '../../keywords/texts-code.ts';
import { type AssertingKeyword, keywordsWhere } from '../../schema/dialect.ts';
import { roundedValues } from '../../schema/exact.ts';
import type { SchemaNode } from '../../schema/node.ts';
import { toRegExp } from '../../schema/regexp.ts';
import type { Code, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { advance, INVALID, isAtP, isNotAtP, literal, p, proceed, UNSURE } from '../../wasm/templates.ts';
import { type CompilerContext, codeContext, type KindCondition } from './context.ts';
import { rawText, type TextCase, textOfString, whenOneMatches } from './text.ts';

/** The keywords about strings that decide by themselves which texts they allow. */
const TEXT_KEYWORDS = keywordsWhere(({ role, about }) => role === 'asserts' && about?.includes('string') === true);

/** A string. `own`: what `enum` or `const` allow, or null; `kindCondition`: what the entry schema's test says of it. */
export function stringCode(
  schema: SchemaNode,
  own: readonly string[] | null,
  kindCondition: KindCondition,
  compiler: CompilerContext,
): Code {
  const { allowed: tested, forbidden } = kindCondition;
  const allowed = own === null || tested === null ? (own ?? tested) : own.filter((text) => tested.includes(text));
  const context = codeContext(compiler, '');
  if (allowed !== null) {
    const fits = fitting(schema);
    const texts = allowed.filter((text) => fits(text) && !forbidden.includes(text));
    // What judges formats is not loaded here, so a format is tested when the text is read.
    const format = FORMAT_CODE.check(schema, context);
    const keepsStart = !asm.isEmpty(format) ? asm.localSet('from', p) : [];
    const keepsEnd = !asm.isEmpty(format) ? asm.localSet('textEnd', asm.i32Sub(p, 1)) : [];
    return [advance(1), keepsStart, ...oneOf(texts), keepsEnd, ...format];
  }
  const checks = STRING_CODES.map(({ check }) => check(schema, context));
  const isForbidden = textCases(forbidden).map((bytes): TextCase => ({ bytes, action: INVALID }));
  return [
    advance(1),
    whenOneMatches(isForbidden),
    STRING_CODES.map(({ before }) => before?.(schema) ?? []),
    !asm.isEmpty(checks) ? asm.localSet('from', p) : [],
    proceed(asm.call('string', p)),
    // With escapes, it may also equal a forbidden text.
    forbidden.length > 0 ? asm.if_(asm.globalGet('escaped'), UNSURE) : [],
    !asm.isEmpty(checks) ? textOfString : [],
    checks,
  ];
}

function textCases(texts: readonly string[]): (readonly number[])[] {
  return texts.map(rawText).filter((bytes) => bytes !== null);
}

/** One of `texts`, after the opening quote. A string with escapes is unsure. */
function oneOf(texts: readonly string[]): Code {
  const cases = textCases(texts).map((bytes) => ({ bytes, action: [advance(bytes.length), asm.br('found')] }));
  const other = [proceed(asm.call('string', p)), asm.if_(asm.globalGet('escaped'), UNSURE), INVALID];
  return asm.block('found', whenOneMatches(cases), other);
}

/** Whether the keywords about strings, except `format`, allow a text. */
function fitting(node: SchemaNode): (text: string) => boolean {
  const pattern = (source: string): ((text: string) => boolean) => {
    const regExp = toRegExp(source);
    return (text) => regExp.test(text);
  };
  const tests = TEXT_KEYWORDS.filter((keyword) => node[keyword] !== undefined).map((keyword) =>
    KEYWORDS[keyword as AssertingKeyword].judge?.({ node, pattern, format: () => null }),
  );
  return (text) => tests.every((test) => test == null || test(text));
}

const value = asm.globalGet('number');

/** A number, from its first byte. `allowed`: the numbers that `enum` or `const` allow, or null. */
export function numberCode(
  schema: SchemaNode,
  isInteger: boolean,
  allowed: readonly number[] | null,
  compiler: CompilerContext,
): Code {
  const context = codeContext(compiler, '');
  return [
    proceed(asm.call('number', p)),
    isInteger ? mustBeWhole : [],
    NUMBER_CODES.map(({ check }) => check(schema, context, isInteger)),
    allowed === null ? [] : mustBeOneOf(allowed, roundedValues(schema)),
  ];
}

function mustBeOneOf(allowed: readonly number[], rounded: ReadonlySet<number>): Code {
  const isOneOf = (numbers: readonly number[]): Code =>
    anyOf(numbers.map((number) => asm.f64Eq(value, asm.f64Const(number))));
  return [
    asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
    asm.if_(asm.i32Eqz(isOneOf(allowed)), INVALID),
    // Equal doubles may be those of different numbers.
    asm.if_(isInexact, UNSURE),
    asm.if_(isOneOf(allowed.filter((number) => rounded.has(number))), UNSURE),
  ];
}

/** Nested no deeper than necessary: a list may have thousands of numbers. */
function anyOf(conditions: readonly Code[]): Code {
  const { length } = conditions;
  if (length < 2) return conditions[0] ?? asm.i32Const(0);
  return asm.i32Or(anyOf(conditions.slice(0, length >> 1)), anyOf(conditions.slice(length >> 1)));
}

export function booleanCode(allowed: readonly boolean[] | null): Code {
  const yes = allowed === null || allowed.includes(true);
  const no = allowed === null || allowed.includes(false);
  const isFalse = isAtP(0x66);
  return asm.if_(
    isAtP(0x74),
    yes ? literal('true') : INVALID,
    no ? asm.if_(isFalse, literal('false'), INVALID) : INVALID,
  );
}

export const nullCode: Code = [asm.if_(isNotAtP(0x6e), INVALID), literal('null')];

/** Conditions on the first byte of a value, by type. */
export const FIRST_BYTE: Readonly<Record<string, Code>> = {
  string: isAtP(0x22),
  object: isAtP(0x7b),
  array: isAtP(0x5b),
  boolean: asm.i32Or(isAtP(0x74), isAtP(0x66)),
  null: isAtP(0x6e),
  number: asm.i32Or(isAtP(0x2d), asm.i32LtU(asm.i32Sub(asm.i32Load8U(p), 0x30), 10)),
};

const NUMBER_LOCALS: Variables = [...asm.i32s('start', 'minus'), ['value', 'i64'], ['scale', 'f64'], ...asm.i32s('c')];

const isDigitAtP: Code = asm.i32LtU(asm.i32Sub(asm.i32Load8U(p), 0x30), 10);
/**
 * From the first byte of a number to after it. For a number without exponent that has at most 15 digits, or at most 18
 * and no fraction, it sets `isPlain`, and `number` to the double that JSON.parse makes: digits and power of ten are
 * exact then, and their quotient is rounded once. With more than 15 digits, the double is not always the number: for up
 * to 18 of them they differ by less than `numberError`. A number that may be outside the range of a double (an exponent
 * of three digits, or very long) is unsure.
 */
export const number = asm.func('number', asm.i32s('p'), NUMBER_LOCALS, [
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
        asm.i64Add(asm.i64Mul('value', asm.i64Const(10n)), asm.i64ExtendI32U(asm.i32Sub(asm.i32Load8U(p), 0x30))),
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
]);
