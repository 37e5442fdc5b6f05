/**
 * Strings, numbers and literals: `type`, `enum`, `const`, `minLength`, `maxLength`, `pattern`, `format`, the four
 * bounds and `multipleOf`.
 */

import { formatNamed, necessaryPattern, sufficientPattern } from '../formats/format-table.ts';
import type { DialectKeyword } from '../schema/dialect.ts';
import { type NumberKeyword, roundedIn, roundedValues } from '../schema/exact.ts';
import type { SchemaNode } from '../schema/node.ts';
import { toRegExp } from '../schema/regexp.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import type { CompilerContext, KindCondition } from './context.ts';
import { matchCode } from './pattern-tables.ts';
import { advance, INVALID, isAtP, isNotAtP, literal, proceed, UNSURE } from './templates.ts';
import { pass, rawText, type TextCase, whenOneMatches } from './text.ts';
import { textOfString } from './unescape.ts';

/** The keywords for which there is code in this file. */
export const SCALAR_KEYWORDS: readonly DialectKeyword[] = [
  ...(['type', 'enum', 'const', 'minLength', 'maxLength', 'pattern', 'format'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
];

const p = asm.localGet('p');

/**
 * A string, from its opening quote. `own`: the strings that `enum` or `const` allow, or null; `clue`: what the entry
 * schema's test says of it.
 */
export function stringCode(
  schema: SchemaNode,
  own: readonly string[] | null,
  clue: KindCondition,
  compiler: CompilerContext,
): Code {
  const { allowed: tested, forbidden } = clue;
  const allowed =
    own === null || tested === null ? (own ?? tested) : own.filter((text) => tested.includes(text));
  const format = formatChecks(schema, compiler);
  if (allowed !== null) {
    const texts = allowed.filter((text) => fits(schema, text) && !forbidden.includes(text));
    const keepsStart = !asm.isEmpty(format) ? asm.localSet('from', p) : [];
    const keepsEnd = !asm.isEmpty(format) ? asm.localSet('textEnd', asm.i32Sub(p, 1)) : [];
    return [advance(1), keepsStart, ...oneOf(texts), keepsEnd, ...format];
  }
  const lengths = lengthChecks(schema);
  const checks = [...lengths, patternChecks(schema, compiler), ...format];
  const isForbidden = textCases(forbidden).map((bytes): TextCase => ({ bytes, action: INVALID }));
  const isEmpty = Number(schema.minLength) === 1 ? asm.if_(isAtP(0x22), INVALID) : [];
  return [
    advance(1),
    whenOneMatches(isForbidden),
    isEmpty,
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
  const cases = textCases(texts).map((bytes) => ({ bytes, action: [pass(bytes), asm.br('found')] }));
  const other = [proceed(asm.call('string', p)), asm.if_(asm.globalGet('escaped'), UNSURE), INVALID];
  return asm.block('found', whenOneMatches(cases), other);
}

function fits(schema: SchemaNode, text: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = [...text].length;
  if (length < Number(minLength) || length > Number(maxLength)) return false;
  return typeof pattern !== 'string' || toRegExp(pattern).test(text);
}

/** The end of the text that begins at `from`. */
const textEnd = asm.localGet('textEnd');

/** Checks of the length in code points; `minLength` 1 is checked before the string is read. */
function lengthChecks({ minLength, maxLength }: SchemaNode): Code {
  const least = minLength === undefined ? 0 : Number(minLength);
  if (maxLength === undefined && least <= 1) return [];
  const tooShort = least <= 1 ? [] : asm.if_(asm.i32LtU('length', count32(least)), INVALID);
  const tooLong = maxLength === undefined ? [] : asm.if_(asm.i32GtU('length', count32(maxLength)), INVALID);
  const count = asm.localSet('length', asm.call('codePoints', 'from', textEnd));
  if (least > 1) return [count, tooShort, tooLong];
  // There are no more code points than bytes.
  return asm.if_(asm.i32GtU(asm.i32Sub(textEnd, 'from'), count32(maxLength)), [count, tooLong]);
}

function patternChecks({ pattern }: SchemaNode, { patterns }: CompilerContext): Code {
  if (typeof pattern !== 'string') return [];
  return asm.if_(asm.i32Eqz(matchCode(patterns.table(pattern), asm.localGet('from'), textEnd)), INVALID);
}

function formatChecks({ format }: SchemaNode, { patterns, set }: CompilerContext): Code {
  if (typeof format !== 'string' || set.assertsFormats === false) return [];
  if (Object.hasOwn(NUMBER_FORMATS, format)) return [];
  const known = formatNamed(format);
  if (known === null) return [];
  const isNone = (of: string): Code =>
    asm.i32Eqz(matchCode(patterns.table(of), asm.localGet('from'), textEnd));
  const [sufficient, necessary] = [sufficientPattern(known), necessaryPattern(known)];
  if (sufficient === null) return [];
  if (sufficient === necessary) return asm.if_(isNone(sufficient), INVALID);
  return asm.if_(isNone(sufficient), [necessary === null ? [] : asm.if_(isNone(necessary), INVALID), UNSURE]);
}

/** A count from the schema as an i32. Nothing in a window can have more than the largest i32. */
export function count32(count: unknown): Code {
  return asm.i32Const(Math.min(Number(count), 0x7fff_ffff));
}

const value = asm.globalGet('number');
const error = asm.globalGet('numberError');

/** Formats of numbers: integers in a range. */
const NUMBER_FORMATS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

/** A number, from its first byte. `allowed`: the numbers that `enum` or `const` allow, or null. */
export function numberCode(
  schema: SchemaNode,
  isInteger: boolean,
  allowed: readonly number[] | null,
  { set }: CompilerContext,
): Code {
  const limit = (keyword: NumberKeyword, holds: Comparison): Code =>
    bound(schema[keyword], holds, roundedIn(schema, keyword).size > 0);
  const { multipleOf, format } = schema;
  const range =
    typeof format === 'string' && set.assertsFormats !== false && Object.hasOwn(NUMBER_FORMATS, format)
      ? NUMBER_FORMATS[format]!
      : null;
  const whole = isInteger || range !== null ? mustBeWhole : [];
  const list = allowed === null ? [] : mustBeOneOf(allowed, roundedValues(schema));
  return [
    proceed(asm.call('number', p)),
    whole,
    limit('minimum', asm.f64Ge),
    limit('maximum', asm.f64Le),
    limit('exclusiveMinimum', asm.f64Gt),
    limit('exclusiveMaximum', asm.f64Lt),
    range === null ? [] : [bound(range[0], asm.f64Ge, false), bound(range[1], asm.f64Le, false)],
    multipleOf === undefined
      ? []
      : roundedIn(schema, 'multipleOf').size > 0
        ? UNSURE
        : mustBeMultiple(Number(multipleOf)),
    list,
  ];
}

const mustBeWhole: Code = asm.if_(asm.i32Eqz(asm.globalGet('isWhole')), [
  asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
  asm.if_(asm.i32Eqz(asm.f64Eq(asm.f64Floor(value), value)), INVALID),
]);

type Comparison = (a: Code, b: Code) => Code;

/** Whether the double may be another number than the text. */
const isInexact = asm.f64Gt(error, asm.f64Const(0));

/** A limit that holds, or does not, whatever the exact value is. `isRounded`: the limit is not exactly the double. */
function bound(limit: unknown, holds: Comparison, isRounded: boolean): Code {
  if (limit === undefined) return [];
  const end = asm.f64Const(Number(limit));
  return [
    isRounded ? asm.if_(asm.f64Eq(value, end), UNSURE) : [],
    asm.if_(
      asm.i32Eqz(holds(value, end)),
      [
        asm.if_(asm.i32Eqz(isInexact), INVALID),
        asm.if_(
          asm.i32Or(holds(asm.f64Add(value, error), end), holds(asm.f64Sub(value, error), end)),
          UNSURE,
        ),
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

/** Only for a whole divisor: then the value must be a whole number, below 2 ** 53 for an exact quotient. */
function mustBeMultiple(divisor: number): Code {
  if (!Number.isSafeInteger(divisor) || divisor <= 0) return UNSURE;
  const quotient = asm.f64Floor(asm.f64Div(value, asm.f64Const(divisor)));
  return [
    asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), UNSURE),
    asm.if_(
      asm.i32Or(asm.f64Ge(value, asm.f64Const(2 ** 53)), asm.f64Le(value, asm.f64Const(-(2 ** 53)))),
      UNSURE,
    ),
    asm.if_(asm.i32Eqz(asm.f64Eq(asm.f64Mul(quotient, asm.f64Const(divisor)), value)), INVALID),
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

/** `true` or `false`, from its first byte. */
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
